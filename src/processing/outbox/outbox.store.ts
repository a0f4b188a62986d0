import { Injectable } from '@nestjs/common';
import type { HostRepository } from '../../domain/code-host.port';
import { Prisma, type OutboxTask } from '../../generated/prisma/client';
import { Sql } from '../../platform/database/sql';
import type { Statements } from '../../platform/database/statements';
import { storable } from '../../platform/database/storable';
import { SHOWN_TASKS } from './append-tasks';
import type { Settled } from './queue-outcomes';
import type { StoredNotes, Task } from './task';
import type { AskAgain, TaskOutcome } from './task-outcomes';
import type { RepositoryName } from '../../platform/repository-name';

/**
 * A task that this worker has leased. `leasedBy` and `attempts` identify the lease: if one of them differs from the
 * row, the lease is lost.
 */
export interface LeasedTask extends Pick<OutboxTask, 'id' | 'key' | 'attempts' | 'answers' | 'firstFailedAt'> {
  readonly queueId: string;
  readonly type: Task['type'];
  readonly command: Task;
  readonly targetBranch: string;
  readonly repository: HostRepository;
  readonly notes: unknown;
  /** Raised by every newer task of its topic, and by `repeat`. */
  readonly generation: number;
  readonly leasedBy: string;
}

export interface ClaimedTask extends LeasedTask {
  /** When the task became claimable. */
  readonly dueAt: Date;
}

interface Row extends Omit<ClaimedTask, 'command' | 'repository'>, RepositoryName {
  readonly payload: Task;
  readonly repositoryId: string;
}

interface SettledRow {
  readonly hasNext: boolean;
}

const LONGEST_PROBLEM = 2_000;

const ONLY_SHOWS = Prisma.sql`o."type" IN ${SHOWN_TASKS}`;
/** Subject and id are compared as a pair, because the index of unsettled tasks has this order. */
const IS_FIRST = Prisma.sql`NOT EXISTS (
  SELECT 1 FROM "OutboxTask" older
  WHERE older."subject" = o."subject" AND older."state" IN ('waiting', 'leased')
    AND (older."subject", older."id") < (o."subject", o."id") OFFSET 0)`;
/**
 * The number of tasks to look at: more than a worker claims at once, because other workers claim some of these at the
 * same moment. The number is a literal, so that the planner knows it.
 */
const FEW = Prisma.sql`LIMIT 32`;

interface Postponement {
  readonly until: Date;
  readonly problem: string;
  readonly answers: number;
  /** Since when the host has been failing; null if the failure is not the host's. */
  readonly unreachableSince: Date | null;
  /** The words of the host's refusal, if it answered. */
  readonly refusal: string | null;
}

/** The rows of the outbox. A worker that has lost the lease of a task changes nothing in its row. */
@Injectable()
export class OutboxStore {
  constructor(private readonly sql: Sql) {}

  /**
   * Leases the oldest due tasks: tasks that wait, and tasks whose lease has ended, unless an older task of the same
   * subject is unsettled. Tasks for which the queue waits come before tasks that only show something. SKIP LOCKED keeps
   * two workers from getting the same row. Each row is looked up separately, because a join that was planned while the
   * table was empty would read the whole table.
   */
  async claim(leasedBy: string, free: number, now: Date, leaseUntil: Date): Promise<ClaimedTask[]> {
    const isWaiting = Prisma.sql`o."state" = 'waiting' AND o."notBefore" <= ${now}`;
    const isLeftBehind = Prisma.sql`o."state" = 'leased' AND o."leaseUntil" <= ${now}`;
    const rows = await this.sql.each({ planner: 'joined by index' }).rows<Row>`/* outbox.store claim */
      WITH candidates AS MATERIALIZED (
        (SELECT o."id", false AS "shows" FROM "OutboxTask" o WHERE ${isWaiting} AND NOT ${ONLY_SHOWS} AND ${IS_FIRST}
          ORDER BY o."notBefore", o."id" ${FEW})
        UNION ALL
        (SELECT o."id", ${ONLY_SHOWS} FROM "OutboxTask" o WHERE ${isLeftBehind} AND ${IS_FIRST} ORDER BY o."leaseUntil", o."id" ${FEW})
        UNION ALL
        (SELECT o."id", true FROM "OutboxTask" o WHERE ${isWaiting} AND ${ONLY_SHOWS} AND ${IS_FIRST}
          ORDER BY o."notBefore", o."id" ${FEW})
      ), due AS MATERIALIZED (
        SELECT o.* FROM (SELECT * FROM candidates ORDER BY "shows", "id") c CROSS JOIN LATERAL (
          SELECT o."id", CASE o."state" WHEN 'waiting' THEN o."notBefore" ELSE o."leaseUntil" END AS "dueAt"
          FROM "OutboxTask" o
          WHERE o."id" = c."id"
            AND CASE o."state" WHEN 'waiting' THEN o."notBefore" <= ${now} WHEN 'leased' THEN o."leaseUntil" <= ${now} ELSE false END
          FOR UPDATE SKIP LOCKED) o
        LIMIT ${free}
      ), claimed AS (
        UPDATE "OutboxTask" o
        SET "state" = 'leased', "leasedBy" = ${leasedBy}, "leaseUntil" = ${leaseUntil}, "attempts" = o."attempts" + 1
        WHERE o."id" = ANY(ARRAY(SELECT due."id" FROM due)) RETURNING o.*
      )
      SELECT o."id", o."key", o."queueId", o."type", o."payload", o."notes", o."generation", o."leasedBy", o."attempts", o."answers",
        o."firstFailedAt", due."dueAt", q."branch" AS "targetBranch", r."id" AS "repositoryId", r."host", r."owner", r."name"
      FROM claimed o JOIN due ON due."id" = o."id" JOIN "Queue" q ON q."id" = o."queueId" JOIN "Repository" r ON r."id" = q."repositoryId"
      ORDER BY ${ONLY_SHOWS}, o."id"`;
    return rows.map(toClaimedTask);
  }

  async renew(task: LeasedTask, leaseUntil: Date): Promise<boolean> {
    return this.write(task, Prisma.sql`"leaseUntil" = ${leaseUntil}`);
  }

  async remember(task: LeasedTask, notes: object): Promise<void> {
    const kept = await this.write(task, Prisma.sql`"notes" = ${JSON.stringify(notes)}::jsonb`);
    if (!kept) throw new LeaseLost(task.key);
  }

  /**
   * Like `remember`, but `notes` is an expression that gives the notes as JSON. Returns the notes, and the value of the
   * expression `also`.
   */
  async rememberStored(task: LeasedTask, notes: Prisma.Sql, also: Prisma.Sql): Promise<StoredNotes> {
    const [row] = await this.sql.rows<StoredNotes>`/* outbox.store rememberStored */
      ${written(task, Prisma.sql`"notes" = ${notes}`)} RETURNING "notes", ${also} AS "also"`;
    if (row === undefined) throw new LeaseLost(task.key);
    return row;
  }

  /** `outcome` null: the queue has nothing to decide on, so the task counts as consumed. */
  async settle(task: LeasedTask, as: 'done' | 'dead', outcome: TaskOutcome | null, now: Date): Promise<Settled> {
    const [row] = await this.sql.rows<SettledRow>(settled(task, as, outcome, now));
    if (row === undefined) return (await this.makeDueAgain(task)) ? 'next is due' : 'lease lost';
    // Time-outs pause while the host is unreachable. If there is no outcome, only this wake-up tells the queue that the
    // host answers again.
    if (outcome === null && task.firstFailedAt) await this.wakeQueue(task.queueId, now);
    return row.hasNext ? 'next is due' : 'settled';
  }

  /** Like `settle`, in a transaction, for a task with an outcome for its queue. */
  async settleIn(tx: Statements, task: LeasedTask, outcome: TaskOutcome, now: Date): Promise<Settled> {
    const [row] = await tx.rows<SettledRow>(settled(task, 'done', outcome, now));
    if (row === undefined) return 'lease lost';
    return row.hasNext ? 'next is due' : 'settled';
  }

  /** Repeats a task that was settled or that is leased. Does nothing if no task has the key. */
  async repeat(key: string, now: Date): Promise<void> {
    await this.sql.execute`/* outbox.store repeat */
      UPDATE "OutboxTask" SET "generation" = "generation" + 1, "answers" = 0, "settledAt" = NULL, "consumedAt" = NULL,
        "state" = CASE WHEN "state" = 'leased' THEN 'leased' ELSE 'waiting' END,
        "notBefore" = CASE WHEN "state" = 'waiting' THEN "notBefore" ELSE ${now}::timestamptz END
      WHERE "key" = ${key}`;
  }

  /** Makes a task due again that was replaced by a newer task of its topic while it ran, or that must be repeated. */
  private makeDueAgain(task: LeasedTask): Promise<boolean> {
    return this.write(
      task,
      Prisma.sql`"state" = 'waiting', "answers" = 0, ${FREED}`,
      Prisma.sql`"generation" <> ${task.generation}`,
    );
  }

  private async wakeQueue(queueId: string, now: Date): Promise<void> {
    await this.sql.execute`/* outbox.store wakeQueue */
      UPDATE "Queue" SET "wakeAt" = ${now}
      WHERE "id" = ${queueId}::uuid AND "deletedAt" IS NULL AND ("wakeAt" IS NULL OR "wakeAt" > ${now})`;
  }

  async postpone(
    task: LeasedTask,
    { until, problem, answers, unreachableSince, refusal }: Postponement,
  ): Promise<boolean> {
    const lastProblem = storable(problem.slice(0, LONGEST_PROBLEM));
    const words = refusal === null ? null : storable(refusal.slice(0, LONGEST_PROBLEM));
    return this.write(
      task,
      Prisma.sql`"state" = 'waiting', "notBefore" = ${until}, "leasedBy" = NULL, "leaseUntil" = NULL,
        "lastProblem" = ${lastProblem}, "answers" = ${answers}, "firstFailedAt" = ${unreachableSince}, "refusal" = ${words}`,
    );
  }

  /**
   * Lets the task wait until `askAgainAt`, or not at all if it was expedited since its claim: only then is `notBefore`
   * of a leased task in the future.
   */
  async askAgain(task: LeasedTask, { askAgainAt, waitsFor }: AskAgain, now: Date): Promise<boolean> {
    return this.write(
      task,
      Prisma.sql`"state" = 'waiting', "answers" = 0, "lastProblem" = ${storable(waitsFor)}, ${FREED},
        "notBefore" = CASE WHEN "notBefore" > ${now} THEN ${now}::timestamptz ELSE ${askAgainAt}::timestamptz END`,
    );
  }

  private async write(task: LeasedTask, changes: Prisma.Sql, only?: Prisma.Sql): Promise<boolean> {
    return (await this.sql.execute(written(task, changes, only))) === 1;
  }
}

/** The statement that changes the row of a task, or no row if the lease is lost. */
function written(
  { id, leasedBy, attempts }: LeasedTask,
  changes: Prisma.Sql,
  only: Prisma.Sql = Prisma.sql`true`,
): Prisma.Sql {
  return Prisma.sql`/* outbox.store written */
    UPDATE "OutboxTask" SET ${changes}
    WHERE "id" = ${id}::bigint AND "state" = 'leased' AND "leasedBy" = ${leasedBy} AND "attempts" = ${attempts} AND ${only}`;
}

function settled(task: LeasedTask, as: 'done' | 'dead', outcome: TaskOutcome | null, now: Date): Prisma.Sql {
  const stored = outcome === null ? null : JSON.stringify(storable(outcome));
  const consumedAt = outcome === null ? now : null;
  const changes = Prisma.sql`"state" = ${as}, "outcome" = ${stored}::jsonb, "settledAt" = ${now}, "consumedAt" = ${consumedAt}, ${FREED}`;
  return Prisma.sql`${written(task, changes, Prisma.sql`"generation" = ${task.generation}`)}
    RETURNING EXISTS (
      SELECT 1 FROM "OutboxTask" next
      WHERE next."subject" = "OutboxTask"."subject" AND next."state" IN ('waiting', 'leased')
        AND (next."subject", next."id") > ("OutboxTask"."subject", "OutboxTask"."id")
    ) AS "hasNext"`;
}

const FREED = Prisma.sql`"leasedBy" = NULL, "leaseUntil" = NULL, "firstFailedAt" = NULL, "refusal" = NULL`;

/** The worker did not renew its lease in time, so another worker carries out the task again. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
  constructor(key: string) {
    super(`The lease of ${key} was lost.`);
  }
}

function toClaimedTask(row: Row): ClaimedTask {
  const { payload, repositoryId, host, owner, name, ...task } = row;
  return { ...task, command: payload, repository: { id: repositoryId, host, owner, name } };
}
