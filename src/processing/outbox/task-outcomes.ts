import type { LandingOutcome, RunOutcome, TargetsComputed } from '../../engine/events';
import type { PullRequestObservation } from '../../domain/code-host.port';
import { Prisma } from '../../generated/prisma/client';
import type { Statements } from '../../platform/database/statements';

/** The result of a task: the event on which the queue decides, and the observations that were made for the event. */
export interface TaskOutcome {
  readonly event: RunOutcome | LandingOutcome | TargetsComputed;
  readonly observed: readonly PullRequestObservation[];
}

/**
 * The result of a task whose request is still in progress at the host. The task is carried out again at `askAgainAt`,
 * or when it is expedited.
 */
export interface AskAgain {
  readonly askAgainAt: Date;
  /** A sentence about the event for which the task waits. */
  readonly waitsFor: string;
}

/** An outcome that the queue has not consumed. */
export interface DueOutcome {
  /** The id of its task. */
  readonly id: bigint;
  readonly event: TaskOutcome['event'];
}

/** The oldest outcomes that the queue has not consumed, at most `most`: `id` and `outcome` of each task. */
export function oldestOutcomes(queueId: string, most: number): Prisma.Sql {
  return Prisma.sql`/* task-outcomes oldestOutcomes */
    SELECT "id", "outcome" FROM "OutboxTask"
    WHERE "queueId" = ${queueId}::uuid AND "consumedAt" IS NULL AND "settledAt" IS NOT NULL
    ORDER BY "settledAt", "id" LIMIT ${most}`;
}

/**
 * The statement that marks an outcome as consumed. Send it in the transaction of the decision, so that exactly one
 * decision is made on the outcome.
 */
export function outcomeConsumed({ id }: DueOutcome, now: Date): Prisma.Sql {
  return Prisma.sql`/* task-outcomes outcomeConsumed */ UPDATE "OutboxTask" SET "consumedAt" = ${now} WHERE "id" = ${id}::bigint`;
}

/** Another process decided on the outcome before this process locked the queue, so this process must look again. */
export class AlreadyConsumed extends Error {
  override readonly name = 'AlreadyConsumed';
  constructor() {
    super('Another process has decided on the outcome.');
  }
}

/** Marks the outcomes of a deleted queue as consumed, because it makes no more decisions. */
export async function dropOutcomes(tx: Statements, queueId: string, now: Date): Promise<void> {
  await tx.execute`/* task-outcomes dropOutcomes */
    UPDATE "OutboxTask" SET "consumedAt" = ${now}
    WHERE "queueId" = ${queueId}::uuid AND "consumedAt" IS NULL AND "settledAt" IS NOT NULL`;
}
