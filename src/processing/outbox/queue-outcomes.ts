import type { Statements } from '../../platform/database/statements';

/** 'next is due': it waited for this one, or is the same task, which a newer one of its topic replaced. 'lease lost': nothing was stored. */
export type Settled = 'settled' | 'next is due' | 'lease lost';

/** Has queues decide on outcomes of tasks. Implemented in `decisions`, which the outbox may not import. */
export abstract class QueueOutcomes {
  /**
   * Settles a task in the transaction of a decision of its queue. Where the queue cannot decide just then, the task is settled all the same,
   * and the outcome waits. When its lease was lost, nothing is stored. Throws when the queue fails to decide; then nothing is stored
   * either.
   */
  abstract settleAndDecide(queueId: string, settle: (tx: Statements) => Promise<Settled>): Promise<Settled>;
}
