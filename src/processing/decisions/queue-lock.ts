import { Prisma, type Queue } from '../../generated/prisma/client';
import type { PullRequestObservation } from '../../domain/code-host.port';
import { readQueueSettings, type UnbrandedSettings } from '../../domain/stored-settings';
import type { Handover } from '../outbox/task-handover';
import { type DueOutcome, oldestOutcomes, type TaskOutcome } from '../outbox/task-outcomes';
import type { Statements } from '../../platform/database/statements';
import { observationsSaved } from './store/observations';

/** A queue's row with the name of its repository. */
export interface QueueRow extends Omit<Queue, 'settings'> {
  readonly settings: UnbrandedSettings;
  readonly organizationId: string;
  readonly host: string;
  readonly repositoryOwner: string;
  readonly repositoryName: string;
  /** Since when the poller has got no answer from the host; null if it gets answers. */
  readonly unreachableSince: Date | null;
  /** The words of the host's refusal, if it answered. */
  readonly refusal: string | null;
  /**
   * The time of a start of the service after which the host's statuses have not been read yet; null if they have been
   * read.
   */
  readonly unreadSince: Date | null;
  /**
   * The commit from whose configuration file impacted targets were last computed; null if none have been computed yet.
   */
  readonly targetsCommit: string | null;
  /** The key of the targets in that configuration file; null if the file defines no targets. */
  readonly targetsKey: string | null;
  /** Why that configuration file cannot be read; null if it can. */
  readonly targetsProblem: string | null;
}

const ACTIVE_STATES = ['not_ready', 'pending', 'testing', 'tests_passed', 'pending_failure'];

declare const locked: unique symbol;

/**
 * Proof that this transaction has locked the queue's row. Every write to the queue's state requires a lock, and only
 * this file creates one, so no other code can change the queue meanwhile.
 */
export interface QueueLock {
  readonly tx: Statements;
  readonly row: QueueRow;
  /** The `x-request-id` of the request that changes the queue; null or absent: no request. */
  readonly requestId?: string | null;
  /** The span of that request; null or absent: no request, or traces are off. */
  readonly traceParent?: string | null;
  /**
   * Receives the tasks of the decision for the worker of this process. Absent: the tasks wait until a worker claims
   * them.
   */
  readonly handover?: Handover;
  /** The outcome on which to decide. */
  readonly due?: DueOutcome | null;
  /** Whether the queue has more outcomes after this one. */
  readonly hasMore?: boolean;
  /** The types of events that webhooks of the repository subscribe to. */
  readonly webhookEvents: readonly string[];
  readonly [locked]: true;
}

const OF_REPOSITORY = Prisma.sql`
  r."organizationId", r."host", r."owner" AS "repositoryOwner", r."name" AS "repositoryName",
  r."unreachableSince", r."refusal", r."unreadSince",
  t."commit" AS "targetsCommit", t."key" AS "targetsKey", t."problem" AS "targetsProblem"`;
const WITH_REPOSITORY = Prisma.sql`
  "Queue" q JOIN "Repository" r ON r."id" = q."repositoryId" LEFT JOIN "TargetsConfiguration" t ON t."queueId" = q."id"`;

/**
 * A weaker lock is enough, because the key of the row never changes. It lets other transactions insert rows that refer
 * to the queue without waiting.
 */
const LOCK = Prisma.sql`FOR NO KEY UPDATE OF q`;

/** The row as the database returns it. */
type Undecoded<Row extends QueueRow> = Omit<Row, 'settings'> & Pick<Queue, 'settings'>;

interface Locked extends QueueRow {
  readonly webhookEvents: readonly string[];
  readonly outcomeId?: bigint | null;
  readonly outcome?: TaskOutcome | null;
  readonly hasMore?: boolean;
}

/** Reads the row of the queue for `Locked`, without an outcome. */
function lockedRow(queueId: string): Prisma.Sql {
  return Prisma.sql`/* queue-lock lockedRow */
    SELECT q.*, ${OF_REPOSITORY},
      ARRAY(SELECT DISTINCT unnest(w."events") FROM "Webhook" w WHERE w."organizationId" = r."organizationId"
        AND (w."repositoryId" IS NULL OR w."repositoryId" = r."id")) AS "webhookEvents"
    FROM ${WITH_REPOSITORY}
    WHERE q."id" = ${queueId}::uuid AND q."deletedAt" IS NULL ${LOCK}`;
}

/**
 * Locks the queue, and waits while another transaction holds its row. Null if the queue does not exist or is deleted.
 * Once locked, the same statement stores the observations of pull requests.
 */
export async function lockQueue(
  tx: Statements,
  queueId: string,
  observed: readonly PullRequestObservation[] = [],
): Promise<QueueLock | null> {
  const row = await lockAndObserve(tx, lockedRow(queueId), observed);
  return row ? asLock(tx, row) : null;
}

/** Like `lockQueue`, but returns 'busy' instead of waiting while another transaction holds the row. */
export async function lockQueueUnlessBusy(
  tx: Statements,
  queueId: string,
  observed: readonly PullRequestObservation[] = [],
): Promise<QueueLock | 'busy' | null> {
  const row = await lockAndObserve(tx, Prisma.sql`${lockedRow(queueId)} SKIP LOCKED`, observed);
  return row ? asLock(tx, row) : busyOrGone(tx, queueId);
}

async function busyOrGone(tx: Statements, queueId: string): Promise<'busy' | null> {
  return (await readQueue(tx, queueId)) === null ? null : 'busy';
}

async function lockAndObserve(
  tx: Statements,
  locked: Prisma.Sql,
  observed: readonly PullRequestObservation[],
): Promise<Undecoded<Locked> | undefined> {
  const seen = observationsSaved(Prisma.sql`locked`, Prisma.sql`${JSON.stringify(observed)}::jsonb`);
  const [row] = await tx.rows<Undecoded<Locked>>`/* queue-lock lockAndObserve */
    WITH locked AS MATERIALIZED (${locked}) ${observed.length === 0 ? Prisma.empty : Prisma.sql`, seen AS (${seen})`}
    SELECT * FROM locked`;
  return row;
}

/**
 * Locks the queue, or returns 'busy' if another transaction holds its row. Null if the queue does not exist or is
 * deleted. The same statement finds the oldest outcome that is not consumed, and stores its observations. It sees the
 * outcome as it was when the statement began: the previous holder of the lock may have consumed the outcome since, so
 * check again.
 */
export async function tryLockQueue(tx: Statements, queueId: string): Promise<QueueLock | 'busy' | null> {
  const seen = observationsSaved(
    Prisma.sql`(SELECT locked."repositoryId", due."outcome" FROM locked, due)`,
    Prisma.sql`place."outcome"->'observed'`,
  );
  const [row] = await tx.rows<Undecoded<Locked>>`/* queue-lock tryLockQueue */
    WITH locked AS MATERIALIZED (${lockedRow(queueId)} SKIP LOCKED),
      outcomes AS MATERIALIZED (${oldestOutcomes(queueId, 2)}),
      due AS MATERIALIZED (SELECT * FROM outcomes LIMIT 1),
      seen AS (${seen})
    SELECT locked.*, due."id" AS "outcomeId", due."outcome", (SELECT count(*) FROM outcomes) > 1 AS "hasMore"
    FROM locked LEFT JOIN due ON true`;
  return row ? asLock(tx, row) : busyOrGone(tx, queueId);
}

function asLock(tx: Statements, locked: Undecoded<Locked>): QueueLock {
  const { webhookEvents, outcomeId = null, outcome = null, hasMore = false, ...row } = decoded(locked);
  const due = outcomeId === null || outcome === null ? null : { id: outcomeId, event: outcome.event };
  return { tx, row, due, hasMore, webhookEvents } as unknown as QueueLock;
}

function decoded<Row extends QueueRow>(row: Undecoded<Row>): Row {
  return { ...row, settings: readQueueSettings(row.settings) } as unknown as Row;
}

/** Counts the entries in the queue under the lock, so that a later submission finds the queue deleted. */
export async function countActiveEntries({ tx, row }: QueueLock): Promise<number> {
  const [active] = await tx.rows<{ count: number }>`/* queue-lock countActiveEntries */
    SELECT count(*)::int AS "count" FROM "Entry" WHERE "queueId" = ${row.id}::uuid AND "state" = ANY(${ACTIVE_STATES}::text[])`;
  return active!.count;
}

/** Reads the row without a lock. */
export async function readQueue(tx: Statements, queueId: string): Promise<QueueRow | null> {
  const [row] = await tx.rows<Undecoded<QueueRow>>`/* queue-lock readQueue */
    SELECT q.*, ${OF_REPOSITORY} FROM ${WITH_REPOSITORY}
    WHERE q."id" = ${queueId}::uuid AND q."deletedAt" IS NULL`;
  return row ? decoded(row) : null;
}

/** Reads the rows of several queues without a lock, in no particular order. */
export async function readQueues(tx: Statements, queueIds: readonly string[]): Promise<QueueRow[]> {
  const rows = await tx.rows<Undecoded<QueueRow>>`/* queue-lock readQueues */
    SELECT q.*, ${OF_REPOSITORY} FROM ${WITH_REPOSITORY}
    WHERE q."id" = ANY(${[...queueIds]}::uuid[]) AND q."deletedAt" IS NULL`;
  return rows.map((row) => decoded<QueueRow>(row));
}
