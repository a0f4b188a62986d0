import { Prisma, type Queue } from '../generated/prisma/client';
import type { Tx } from '../platform/database/prisma.service';

/** A queue's row with what names its repository. */
export interface QueueRow extends Queue {
  readonly host: string;
  readonly repositoryOwner: string;
  readonly repositoryName: string;
  /** Since when slow looks at the host get no answer. */
  readonly unreachableSince: Date | null;
}

declare const locked: unique symbol;

/**
 * Proof that this transaction holds the queue's row: nothing of the queue can change but through it, and nobody can
 * write without it. Only `lockQueue` makes one.
 */
export interface QueueLock {
  readonly tx: Tx;
  readonly row: QueueRow;
  readonly [locked]: true;
}

const OF_REPOSITORY = Prisma.sql`
  r."host", r."owner" AS "repositoryOwner", r."name" AS "repositoryName", r."silentSince" AS "unreachableSince"`;

/** Waits for whoever decides on the queue now. Null when it does not exist or is deleted. */
export async function lockQueue(tx: Tx, queueId: string): Promise<QueueLock | null> {
  const [row] = await tx.$queryRaw<QueueRow[]>`
    SELECT q.*, ${OF_REPOSITORY} FROM "Queue" q JOIN "Repository" r ON r."id" = q."repositoryId"
    WHERE q."id" = ${queueId}::uuid AND q."deletedAt" IS NULL FOR UPDATE OF q`;
  return row ? ({ tx, row } as QueueLock) : null;
}

/** The row as it is, for those who only look. */
export async function readQueue(tx: Tx, queueId: string): Promise<QueueRow | null> {
  const [row] = await tx.$queryRaw<QueueRow[]>`
    SELECT q.*, ${OF_REPOSITORY} FROM "Queue" q JOIN "Repository" r ON r."id" = q."repositoryId"
    WHERE q."id" = ${queueId}::uuid AND q."deletedAt" IS NULL`;
  return row ?? null;
}
