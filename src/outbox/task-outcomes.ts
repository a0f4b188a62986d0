import type { LandingOutcome, RunOutcome } from '../engine/events';
import type { PullRequestObservation } from '../domain/code-host.port';
import type { Tx } from '../platform/database/prisma.service';

/** What became of an order, as the queue takes it in: an event, and the pull requests that were looked at on the way. */
export interface TaskOutcome {
  readonly event: RunOutcome | LandingOutcome;
  readonly observed: readonly PullRequestObservation[];
}

export interface UnconsumedOutcome extends TaskOutcome {
  readonly orderId: bigint;
}

/** The oldest outcome that the queue has not taken in. The queue's row must be locked. */
export async function oldestOutcome(tx: Tx, queueId: string): Promise<UnconsumedOutcome | null> {
  const task = await tx.outboxOrder.findFirst({
    where: { queueId, consumedAt: null, settledAt: { not: null } },
    orderBy: [{ settledAt: 'asc' }, { id: 'asc' }],
    select: { id: true, outcome: true },
  });
  if (!task) return null;
  const { event, observed } = task.outcome as unknown as TaskOutcome;
  const dated = observed.map((seen) => ({ ...seen, observedAt: new Date(seen.observedAt) }));
  return { orderId: task.id, event, observed: dated };
}

/** In the transaction that decides on it: an outcome is taken in exactly once. */
export async function consumeOutcome(tx: Tx, orderId: bigint, now: Date): Promise<void> {
  await tx.outboxOrder.update({ where: { id: orderId }, data: { consumedAt: now } });
}

/** A deleted queue decides on nothing any more. */
export async function dropOutcomes(tx: Tx, queueId: string, now: Date): Promise<void> {
  await tx.outboxOrder.updateMany({
    where: { queueId, consumedAt: null, settledAt: { not: null } },
    data: { consumedAt: now },
  });
}
