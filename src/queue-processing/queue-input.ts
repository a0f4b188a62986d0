import type { PullRequestObservation } from '../domain/code-host.port';
import type { AskedEntry } from '../engine/decision';
import type { QueueEvent } from '../engine/events';
import type { QueueSnapshot } from '../engine/model';
import type { PullRequestTask } from '../engine/pull-request-tasks';
import type { Prisma } from '../generated/prisma/client';

/** What happened outside, with the pull requests that were looked at on the way. */
export interface QueueInput {
  readonly event: QueueEvent;
  readonly observed?: readonly PullRequestObservation[];
  /** Columns of the queue that no rule reads, written with the decision or not at all. */
  readonly columns?: QueueColumns;
  /** Given with the decision or not at all. */
  readonly tasks?: readonly PullRequestTask[];
}

export type QueueColumns = Prisma.QueueUpdateManyMutationInput;

/** A consistent look at a queue, for `explain` and for records. */
export interface QueueView {
  readonly snapshot: QueueSnapshot;
  /** The entries asked for that exist, in any state. */
  readonly asked: readonly AskedEntry[];
  readonly readAt: Date;
}
