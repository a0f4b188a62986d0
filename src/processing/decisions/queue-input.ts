import type { PullRequestObservation } from '../../domain/code-host.port';
import type { AskedEntry } from '../../engine/decision';
import type { QueueEvent } from '../../engine/events';
import type { QueueSnapshot } from '../../engine/model';
import type { PullRequestTask } from '../../engine/pull-request-tasks';
import type { Prisma } from '../../generated/prisma/client';
import type { AuditSource } from '../../platform/audit/audit-source';

/** An event for a queue. `observed`: the pull requests that were read from the host for this event. */
export interface QueueInput {
  readonly event: QueueEvent;
  /** Who acts, for the audit log, if a person changes or deletes the queue. Absent: the service itself acts. */
  readonly by?: AuditSource;
  readonly observed?: readonly PullRequestObservation[];
  /** Tasks to append to the outbox in the transaction of the decision. */
  readonly tasks?: readonly PullRequestTask[];
  /**
   * Statements that write to other tables, in the transaction of the decision. If the event is refused, they are not
   * executed.
   */
  readonly also?: readonly Prisma.Sql[];
}

/** A consistent snapshot of a queue, for `explain` and for records. */
export interface QueueView {
  readonly snapshot: QueueSnapshot;
  /** The requested entries that exist, in any state. */
  readonly asked: readonly AskedEntry[];
  readonly readAt: Date;
}
