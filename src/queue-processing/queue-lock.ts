import { Prisma, type Queue } from '../generated/prisma/client';
import type { Tx } from '../platform/database/prisma.service';

/** A queue's row with the name of its repository. */
export interface QueueRow extends Queue {
  readonly organizationId: string;
  readonly host: string;
  readonly repositoryOwner: string;
  readonly repositoryName: string;
  /** Since when the poller gets no answer from the host. */
  readonly unreachableSince: Date | null;
  /** The host's words, where it refuses the service. */
  readonly refusal: string | null;
  /** The service started then, and has not read the host's statuses since. */
  readonly unreadSince: Date | null;
  /** The commit whose configuration file was read for targets; null: none yet. */
  readonly targetsCommit: string | null;
  /** Of the targets of that file that are in force; null: it has none. */
  readonly targetsKey: string | null;
  /** Why that file cannot be read; null: it can. */
  readonly targetsProblem: string | null;
}

declare const locked: unique symbol;

/**
 * Proof that this transaction has locked the queue's row. Every write of the queue's state takes one, and only `lockQueue`
 * and `tryLockQueue` make one: so nothing else can change the queue meanwhile.
 */
export interface QueueLock {
  readonly tx: Tx;
  readonly row: QueueRow;
  /** The `x-request-id` of the request that the queue is changed for; null or absent: none. */
  readonly requestId?: string | null;
  /** The span of that request; null or absent: none, or traces are off. */
  readonly traceParent?: string | null;
  readonly [locked]: true;
}

const OF_REPOSITORY = Prisma.sql`
  r."organizationId", r."host", r."owner" AS "repositoryOwner", r."name" AS "repositoryName",
  r."silentSince" AS "unreachableSince", r."refusal", r."unreadSince",
  t."commit" AS "targetsCommit", t."key" AS "targetsKey", t."problem" AS "targetsProblem"`;
const WITH_REPOSITORY = Prisma.sql`
  "Queue" q JOIN "Repository" r ON r."id" = q."repositoryId" LEFT JOIN "TargetsConfiguration" t ON t."queueId" = q."id"`;

/** It does not keep others from storing rows that refer to the queue, nor wait for them: its key never changes. */
const LOCK = Prisma.sql`FOR NO KEY UPDATE OF q`;

/** Waits while another transaction holds the row. Null when the queue does not exist or is deleted. */
export async function lockQueue(tx: Tx, queueId: string): Promise<QueueLock | null> {
  const [row] = await tx.$queryRaw<QueueRow[]>`
    SELECT q.*, ${OF_REPOSITORY} FROM ${WITH_REPOSITORY}
    WHERE q."id" = ${queueId}::uuid AND q."deletedAt" IS NULL ${LOCK}`;
  return row ? ({ tx, row } as QueueLock) : null;
}

/** 'busy' while another transaction holds the row: it does not wait. 'gone' when the queue does not exist or is deleted. */
export async function tryLockQueue(tx: Tx, queueId: string): Promise<QueueLock | 'busy' | 'gone'> {
  const [row] = await tx.$queryRaw<QueueRow[]>`
    SELECT q.*, ${OF_REPOSITORY} FROM ${WITH_REPOSITORY}
    WHERE q."id" = ${queueId}::uuid AND q."deletedAt" IS NULL ${LOCK} SKIP LOCKED`;
  if (row) return { tx, row } as QueueLock;
  return (await readQueue(tx, queueId)) === null ? 'gone' : 'busy';
}

/** The row without a lock, for readers. */
export async function readQueue(tx: Tx, queueId: string): Promise<QueueRow | null> {
  const [row] = await tx.$queryRaw<QueueRow[]>`
    SELECT q.*, ${OF_REPOSITORY} FROM ${WITH_REPOSITORY}
    WHERE q."id" = ${queueId}::uuid AND q."deletedAt" IS NULL`;
  return row ?? null;
}

/** The rows of several queues without a lock, in no particular order. */
export function readQueues(tx: Tx, queueIds: readonly string[]): Promise<QueueRow[]> {
  return tx.$queryRaw<QueueRow[]>`
    SELECT q.*, ${OF_REPOSITORY} FROM ${WITH_REPOSITORY}
    WHERE q."id" = ANY(${[...queueIds]}::uuid[]) AND q."deletedAt" IS NULL`;
}
