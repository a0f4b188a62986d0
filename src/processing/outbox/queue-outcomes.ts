import type { Statements } from '../../platform/database/statements';

/**
 * 'next is due': a task that waited for this one, or this task again because a newer one of its topic replaced it.
 * 'lease lost': nothing was stored.
 */
export type Settled = 'settled' | 'next is due' | 'lease lost';

/** Makes queues decide on outcomes of tasks. Implemented in `decisions`, which the outbox may not import. */
export abstract class QueueOutcomes {
  /**
   * Settles a task in the transaction of a decision of its queue. If the queue cannot decide just then, the task is
   * settled all the same, and its outcome waits. If the lease was lost, nothing is stored. Throws when the queue fails
   * to decide; nothing is stored then, either.
   */
  abstract settleAndDecide(queueId: string, settle: (tx: Statements) => Promise<Settled>): Promise<Settled>;
}
