import type { Statements } from '../../platform/database/statements';

/**
 * 'next is due': a task that waited for this task is due now, or this task itself is due again, because a newer task of
 * its topic replaced it. 'lease lost': nothing was stored.
 */
export type Settled = 'settled' | 'next is due' | 'lease lost';

/** Makes queues decide on outcomes of tasks. Implemented in `decisions`, which the outbox may not import. */
export abstract class QueueOutcomes {
  /**
   * Settles a task in the transaction of a decision of its queue. If the queue cannot decide at that moment, the task
   * is settled all the same, and its outcome waits. If the lease was lost, nothing is stored. Throws if the decision
   * fails; then nothing is stored, either.
   */
  abstract settleAndDecide(queueId: string, settle: (tx: Statements) => Promise<Settled>): Promise<Settled>;
}
