import type { LandingOutcome, RunOutcome, TargetsComputed } from '../engine/events';
import type { PullRequestObservation } from '../domain/code-host.port';
import type { Tx } from '../platform/database/prisma.service';

/** The result of a task: the event that the queue decides on, and the pull requests that were read on the way. */
export interface TaskOutcome {
  readonly event: RunOutcome | LandingOutcome | TargetsComputed;
  readonly observed: readonly PullRequestObservation[];
}

/**
 * Consumes the oldest outcome that the queue has not consumed; null: there is none. The queue's row must be locked. Call this
 * in the transaction of the decision, so that an outcome is decided on exactly once.
 */
export async function consumeOldestOutcome(tx: Tx, queueId: string, now: Date): Promise<TaskOutcome | null> {
  const [task] = await tx.$queryRaw<{ outcome: TaskOutcome }[]>`
    UPDATE "OutboxOrder" SET "consumedAt" = ${now}
    WHERE "id" = (
      SELECT "id" FROM "OutboxOrder"
      WHERE "queueId" = ${queueId}::uuid AND "consumedAt" IS NULL AND "settledAt" IS NOT NULL
      ORDER BY "settledAt", "id" LIMIT 1)
    RETURNING "outcome"`;
  if (!task) return null;
  const { event, observed } = task.outcome;
  return { event, observed: observed.map((seen) => ({ ...seen, observedAt: new Date(seen.observedAt) })) };
}

/** For a deleted queue: it decides on nothing any more. */
export async function dropOutcomes(tx: Tx, queueId: string, now: Date): Promise<void> {
  await tx.outboxOrder.updateMany({
    where: { queueId, consumedAt: null, settledAt: { not: null } },
    data: { consumedAt: now },
  });
}
