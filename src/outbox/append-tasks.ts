import { type Command, commandKey, commandSubject } from '../engine/commands';
import { triggerId } from '../engine/messages/comment-markers';
import type { AnswerTask, PullRequestTask, UpdatePullRequestView } from '../engine/pull-request-tasks';
import type { Tx } from '../platform/database/prisma.service';

/**
 * Takes on the orders of a decision, in the transaction of the decision. The key of an order is a pure function of its
 * command: an order that was taken on before is not taken on twice. Answers how many are new.
 */
export async function append(tx: Tx, queueId: string, commands: readonly Command[], now: Date): Promise<number> {
  if (commands.length === 0) return 0;
  const rows = commands.map((command) => ({
    key: commandKey(queueId, command),
    subject: commandSubject(queueId, command),
    type: command.type,
    payload: command,
  }));
  // The rows of one statement get their ids in the order of the array: orders of one subject keep their order.
  return tx.$executeRaw`
    INSERT INTO "OutboxOrder" ("key", "subject", "queueId", "type", "payload", "state", "createdAt", "notBefore")
    SELECT row."key", row."subject", ${queueId}::uuid, row."type", row."payload", 'waiting', ${now}, ${now}
    FROM jsonb_array_elements(${JSON.stringify(rows)}::jsonb) WITH ORDINALITY AS list(item, position),
         jsonb_to_record(list.item) AS row("key" text, "subject" text, "type" text, "payload" jsonb)
    ORDER BY list.position
    ON CONFLICT ("key") DO NOTHING`;
}

/**
 * Takes on orders about pages. Of one topic only the newest is kept: one that a worker has in hand is done again when it
 * is settled, one that waits for a silent host waits on, one that was settled or given up is due again. What is kept of
 * the older one: when it was opened, unless it was opened later, and what overwrote it.
 */
export async function appendPullRequestTasks(
  tx: Tx,
  queueId: string,
  tasks: readonly PullRequestTask[],
  now: Date,
): Promise<number> {
  if (tasks.length === 0) return 0;
  const rows = oneOfEach(tasks).map((task) => ({ ...addressOf(queueId, task), type: task.type, payload: task }));
  return tx.$executeRaw`
    INSERT INTO "OutboxOrder" AS known ("key", "subject", "topic", "queueId", "type", "payload", "state", "createdAt",
      "notBefore")
    SELECT row."key", row."key", row."topic", ${queueId}::uuid, row."type", row."payload", 'waiting', ${now},
      coalesce(to_timestamp((row."payload"->>'dueAt')::float8 / 1000), ${now})
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
    WHERE known."topic" IS NOT NULL`;
}

export function answerKey(queueId: string, task: AnswerTask): string {
  switch (task.type) {
    case 'answerComment':
      return `${queueId}/answerComment/${task.commentId}`;
    case 'answerTrigger':
      return `${queueId}/answerTrigger/${triggerId(task.trigger)}`;
  }
}

function pageTopic(queueId: string, number: number): string {
  return `${queueId}/updatePullRequestView/${number}`;
}

function addressOf(queueId: string, task: PullRequestTask): { readonly key: string; readonly topic: string | null } {
  switch (task.type) {
    case 'updatePullRequestView': {
      const topic = pageTopic(queueId, task.number);
      return { key: topic, topic };
    }
    case 'answerComment':
    case 'answerTrigger':
      return { key: answerKey(queueId, task), topic: null };
  }
}

/** One statement cannot replace what it made itself. */
function oneOfEach(tasks: readonly PullRequestTask[]): readonly PullRequestTask[] {
  const shown = new Map<number, UpdatePullRequestView>();
  for (const task of tasks) {
    if (task.type !== 'updatePullRequestView') continue;
    const other = shown.get(task.number);
    const dueAt = Math.min(task.dueAt, other?.dueAt ?? task.dueAt);
    shown.set(task.number, { ...other, ...task, dueAt });
  }
  return [...tasks.filter((task) => task.type !== 'updatePullRequestView'), ...shown.values()];
}
