import type { LandingOutcome, RunOutcome, TargetsComputed } from '../engine/events';
import type { PullRequestObservation } from '../domain/code-host.port';
import type { Tx } from '../platform/database/prisma.service';

/** The result of a task: the event that the queue decides on, and the pull requests that were read on the way. */
export interface TaskOutcome {
  readonly event: RunOutcome | LandingOutcome | TargetsComputed;
  readonly observed: readonly PullRequestObservation[];
}

export interface UnconsumedOutcome extends TaskOutcome {
  readonly taskId: bigint;
}

/** The oldest outcome that the queue has not consumed. The queue's row must be locked. */
export async function oldestOutcome(tx: Tx, queueId: string): Promise<UnconsumedOutcome | null> {
  const task = await tx.outboxOrder.findFirst({
    where: { queueId, consumedAt: null, settledAt: { not: null } },
    orderBy: [{ settledAt: 'asc' }, { id: 'asc' }],
    select: { id: true, outcome: true },
  });
  if (!task) return null;
  const { event, observed } = task.outcome as unknown as TaskOutcome;
  const dated = observed.map((seen) => ({ ...seen, observedAt: new Date(seen.observedAt) }));
  return { taskId: task.id, event, observed: dated };
}

/** Call this in the transaction of the decision, so that an outcome is decided on exactly once. */
export async function consumeOutcome(tx: Tx, taskId: bigint, now: Date): Promise<void> {
  await tx.outboxOrder.update({ where: { id: taskId }, data: { consumedAt: now } });
}

/** For a deleted queue: it decides on nothing any more. */
export async function dropOutcomes(tx: Tx, queueId: string, now: Date): Promise<void> {
  await tx.outboxOrder.updateMany({
    where: { queueId, consumedAt: null, settledAt: { not: null } },
    data: { consumedAt: now },
  });
}
