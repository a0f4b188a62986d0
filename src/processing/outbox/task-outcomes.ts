import type { LandingOutcome, RunOutcome, TargetsComputed } from '../../engine/events';
import type { PullRequestObservation } from '../../domain/code-host.port';
import { Prisma } from '../../generated/prisma/client';
import type { Statements } from '../../platform/database/statements';

/** The result of a task: the event that the queue decides on, and the pull requests that were read on the way. */
export interface TaskOutcome {
  readonly event: RunOutcome | LandingOutcome | TargetsComputed;
  readonly observed: readonly PullRequestObservation[];
}

/** The task is not done: what it asked for goes on at the host. It is carried out again then, or when it is expedited. */
export interface AskAgain {
  readonly askAgainAt: Date;
  /** A sentence. */
  readonly waitsFor: string;
}

/** An outcome that the queue has not consumed. */
export interface DueOutcome {
  /** Of its task. */
  readonly id: bigint;
  readonly event: TaskOutcome['event'];
}

/** The outcomes of the queue that it has not consumed, at most so many, the oldest first: `id` and `outcome` of each task. */
export function oldestOutcomes(queueId: string, most: number): Prisma.Sql {
  return Prisma.sql`/* task-outcomes oldestOutcomes */
    SELECT "id", "outcome" FROM "OutboxTask"
    WHERE "queueId" = ${queueId}::uuid AND "consumedAt" IS NULL AND "settledAt" IS NOT NULL
    ORDER BY "settledAt", "id" LIMIT ${most}`;
}

/** Do this in the transaction of the decision, so that an outcome is decided on exactly once. */
export function outcomeConsumed({ id }: DueOutcome, now: Date): Prisma.Sql {
  return Prisma.sql`/* task-outcomes outcomeConsumed */ UPDATE "OutboxTask" SET "consumedAt" = ${now} WHERE "id" = ${id}::bigint`;
}

/** Between the look for an outcome and the lock of the queue another process decided on it: look again. */
export class AlreadyConsumed extends Error {
  override readonly name = 'AlreadyConsumed';
  constructor() {
    super('Another process has decided on the outcome.');
  }
}

/** For a deleted queue: it decides on nothing any more. */
export async function dropOutcomes(tx: Statements, queueId: string, now: Date): Promise<void> {
  await tx.execute`/* task-outcomes dropOutcomes */
    UPDATE "OutboxTask" SET "consumedAt" = ${now}
    WHERE "queueId" = ${queueId}::uuid AND "consumedAt" IS NULL AND "settledAt" IS NOT NULL`;
}
