import type { ComputeTargets } from '../../domain/impacted-targets';
import { type Command, commandKey, commandSubject } from '../../engine/commands';
import { triggerId } from '../../engine/messages/comment-markers';
import type { AnswerTask, PullRequestTask, UpdatePullRequestView } from '../../engine/pull-request-tasks';
import { Prisma } from '../../generated/prisma/client';
import type { Task } from './task';

const SHOWN: Readonly<Record<PullRequestTask['type'], true>> = {
  updatePullRequestView: true,
  answerComment: true,
  answerTrigger: true,
};

/** Whether tasks of this type only show something to people, so that no decision depends on them. */
export function isShown(type: Task['type']): boolean {
  return type in SHOWN;
}

/**
 * The types of tasks that only show something, as literals, because the conditions of partial indexes contain the same
 * text.
 */
export const SHOWN_TASKS = Prisma.raw(
  `(${Object.keys(SHOWN)
    .map((type) => `'${type}'`)
    .join(', ')})`,
);

/**
 * A lease for the worker of this process, which gets the first `most` tasks leased when they are appended and need not
 * claim them.
 */
export interface AppendLease {
  readonly most: number;
  readonly leasedBy: string;
  readonly leaseUntil: Date;
}

/** A row for each task that was appended. */
export interface AppendedTask {
  readonly id: number;
  readonly key: string;
  readonly state: 'waiting' | 'leased';
  readonly generation: number;
}

/**
 * The statement that appends the commands of a decision, to be sent in the decision's transaction. Null if there are no
 * commands. The key of a task is a pure function of its command, so appending a command twice makes one task. The
 * statement returns an `AppendedTask` for each new task. A task that waits for another task of its subject is not
 * leased.
 */
export function commandsAppended(
  queueId: string,
  commands: readonly Command[],
  now: Date,
  { most, leasedBy, leaseUntil }: AppendLease = { most: 0, leasedBy: '', leaseUntil: now },
): Prisma.Sql | null {
  if (commands.length === 0) return null;
  const rows = commands.map((command, index) => ({
    key: commandKey(queueId, command),
    subject: commandSubject(queueId, command),
    type: command.type,
    payload: command,
    mayLease: index < most,
  }));
  // Ids ascend in the order of the array, so tasks of one subject keep their order.
  return Prisma.sql`/* append-tasks commandsAppended */
    INSERT INTO "OutboxTask" ("key", "subject", "queueId", "type", "payload", "createdAt", "notBefore", "state", "attempts", "leasedBy",
      "leaseUntil")
    SELECT row."key", row."subject", ${queueId}::uuid, row."type", row."payload", ${now}::timestamptz, ${now}::timestamptz,
      CASE WHEN lease."is" THEN 'leased' ELSE 'waiting' END, lease."is"::int, CASE WHEN lease."is" THEN ${leasedBy}::text END,
      CASE WHEN lease."is" THEN ${leaseUntil}::timestamptz END
    FROM jsonb_array_elements(${JSON.stringify(firstOfSubjects(rows))}::jsonb) WITH ORDINALITY AS list(item, position),
         jsonb_to_record(list.item) AS row("key" text, "subject" text, "type" text, "payload" jsonb, "mayLease" boolean),
         LATERAL (SELECT row."mayLease" AND NOT EXISTS (
           SELECT 1 FROM "OutboxTask" older
           WHERE older."subject" = row."subject" AND older."state" IN ('waiting', 'leased') OFFSET 0) AS "is") lease
    ORDER BY list.position
    ON CONFLICT ("key") DO NOTHING
    RETURNING "id", "key", "state", "generation"`;
}

function firstOfSubjects<Row extends { readonly subject: string; readonly mayLease: boolean }>(rows: readonly Row[]) {
  const seen = new Set<string>();
  return rows.map((row) => {
    const isFirst = !seen.has(row.subject);
    seen.add(row.subject);
    return { ...row, mayLease: row.mayLease && isFirst };
  });
}

/**
 * The statements that append tasks for pull request conversations. There is one row per topic, and a newer task
 * replaces its payload. If the earlier task is leased, it is carried out again once it is settled. If it waits for an
 * unreachable host, it keeps waiting. If it is settled or dead, it becomes due again. The merged payload keeps the
 * later `openedAt`, and the older `overwrittenBy` if there is no newer one.
 */
export function pullRequestTasksAppended(
  queueId: string,
  tasks: readonly PullRequestTask[],
  now: Date,
): readonly Prisma.Sql[] {
  if (tasks.length === 0) return [];
  const rows = oneOfEach(tasks).map((task) => ({ ...addressOf(queueId, task), type: task.type, payload: task }));
  return [
    Prisma.sql`/* append-tasks pullRequestTasksAppended */
    INSERT INTO "OutboxTask" AS known ("key", "subject", "topic", "queueId", "type", "payload", "state", "createdAt",
      "notBefore")
    SELECT row."key", row."key", row."topic", ${queueId}::uuid, row."type", row."payload", 'waiting', ${now}::timestamptz,
      coalesce(to_timestamp((row."payload"->>'dueAt')::float8 / 1000), ${now}::timestamptz)
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS row("key" text, "topic" text, "type" text, "payload" jsonb)
    ORDER BY row."key"
    ON CONFLICT ("key") DO UPDATE SET
      "payload" = EXCLUDED."payload" || jsonb_strip_nulls(jsonb_build_object(
        'openedAt', greatest((known."payload"->>'openedAt')::bigint, (EXCLUDED."payload"->>'openedAt')::bigint),
        'overwrittenBy', coalesce(EXCLUDED."payload"->>'overwrittenBy', known."payload"->>'overwrittenBy'))),
      "generation" = known."generation" + 1,
      "state" = CASE WHEN known."state" = 'leased' THEN 'leased' ELSE 'waiting' END,
      "notBefore" = CASE
        WHEN known."state" = 'waiting' AND known."firstFailedAt" IS NOT NULL THEN known."notBefore"
        WHEN known."state" = 'waiting' THEN least(known."notBefore", EXCLUDED."notBefore")
        ELSE EXCLUDED."notBefore" END,
      "answers" = CASE WHEN known."settledAt" IS NULL THEN known."answers" ELSE 0 END,
      "settledAt" = NULL, "consumedAt" = NULL
    WHERE known."topic" IS NOT NULL`,
  ];
}

/**
 * The statements that append a task of computing targets. The tasks of one queue are carried out one after another,
 * because each may change the targets in force.
 */
export function computeTargetsAppended(queueId: string, task: ComputeTargets | null, now: Date): readonly Prisma.Sql[] {
  if (task === null) return [];
  const key = `${queueId}/computeTargets/${task.decision}`;
  return [
    Prisma.sql`/* append-tasks computeTargetsAppended */
    INSERT INTO "OutboxTask" ("key", "subject", "queueId", "type", "payload", "state", "createdAt", "notBefore")
    VALUES (${key}, ${`${queueId}/targets`}, ${queueId}::uuid, ${task.type}, ${JSON.stringify(task)}::jsonb, 'waiting', ${now}, ${now})
    ON CONFLICT ("key") DO NOTHING`,
  ];
}

export function answerKey(queueId: string, task: AnswerTask): string {
  switch (task.type) {
    case 'answerComment':
      return `${queueId}/answerComment/${task.commentId}`;
    case 'answerTrigger':
      return `${queueId}/answerTrigger/${triggerId(task.trigger)}`;
  }
}

function addressOf(queueId: string, task: PullRequestTask): { readonly key: string; readonly topic: string | null } {
  switch (task.type) {
    case 'updatePullRequestView': {
      const topic = `${queueId}/updatePullRequestView/${task.number}`;
      return { key: topic, topic };
    }
    case 'answerComment':
    case 'answerTrigger':
      return { key: answerKey(queueId, task), topic: null };
  }
}

/** Merges updates of one pull request, because ON CONFLICT cannot update a row that the same statement inserted. */
function oneOfEach(tasks: readonly PullRequestTask[]): readonly PullRequestTask[] {
  const updates = new Map<number, UpdatePullRequestView>();
  for (const task of tasks) {
    if (task.type !== 'updatePullRequestView') continue;
    const other = updates.get(task.number);
    const dueAt = Math.min(task.dueAt, other?.dueAt ?? task.dueAt);
    updates.set(task.number, { ...other, ...task, dueAt });
  }
  return [...tasks.filter((task) => task.type !== 'updatePullRequestView'), ...updates.values()];
}
