import type { PullRequestObservation } from '../code-hosts/code-host.port';
import type { AskedEntry, Refusal } from '../engine/decision';
import type { QueueEvent } from '../engine/events';
import type { QueueSnapshot } from '../engine/model';
import type { PageOrder } from '../engine/page-orders';
import type { Prisma } from '../generated/prisma/client';

/** What happened outside, with the pull requests that were looked at on the way. */
export interface Incoming {
  readonly event: QueueEvent;
  readonly observed?: readonly PullRequestObservation[];
  /** Columns of the queue that no rule reads, written with the decision or not at all. */
  readonly columns?: QueueColumns;
  /** Given with the decision or not at all. */
  readonly orders?: readonly PageOrder[];
}

export type QueueColumns = Prisma.QueueUpdateManyMutationInput;

export type Handled =
  | { readonly type: 'decided' }
  /** Nothing was changed. */
  | { readonly type: 'refused'; readonly refusal: Refusal }
  /** There is no such queue, or it was deleted. */
  | { readonly type: 'gone' };

/** A consistent look at a queue, for `explain` and for records. */
export interface QueueView {
  readonly snapshot: QueueSnapshot;
  /** The entries asked for that exist, in any state. */
  readonly asked: readonly AskedEntry[];
  readonly readAt: Date;
}
