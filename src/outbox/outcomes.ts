import type { LandingOutcome, RunOutcome } from '../engine/events';
import type { PullRequestObservation } from '../code-hosts/code-host.port';
import type { PullRequestFacts } from '../engine/model';
import type { Tx } from '../platform/database/prisma.service';

/** What became of an order, as the queue takes it in: an event, and the pull requests that were looked at on the way. */
export interface Outcome {
  readonly event: RunOutcome | LandingOutcome;
  readonly observed: readonly PullRequestObservation[];
}

export interface UnconsumedOutcome extends Outcome {
  readonly orderId: bigint;
}

/** The oldest outcome that the queue has not taken in. The queue's row must be locked. */
export async function oldestOutcome(tx: Tx, queueId: string): Promise<UnconsumedOutcome | null> {
  const order = await tx.outboxOrder.findFirst({
    where: { queueId, consumedAt: null, settledAt: { not: null } },
    orderBy: [{ settledAt: 'asc' }, { id: 'asc' }],
    select: { id: true, outcome: true },
  });
  if (!order) return null;
  const { event, observed } = order.outcome as unknown as Outcome;
  const dated = observed.map((seen) => ({ ...seen, observedAt: new Date(seen.observedAt) }));
  return { orderId: order.id, event, observed: dated };
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

/** What the engine knows of a pull request, out of what was seen of it. */
export function factsOf(seen: PullRequestObservation): PullRequestFacts {
  const { number, title, author, head, headBranch, base, state, draft, mergeability, observedAt } = seen;
  return { number, title, author, head, headBranch, base, state, draft, mergeability, seenAt: observedAt.getTime() };
}
