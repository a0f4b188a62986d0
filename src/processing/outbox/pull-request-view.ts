import type { MergedPullRequest, ShownStatus, StateLabel } from '../../domain/code-host.port';

/** The comment, status check and label that show the state of a pull request in a queue. */
export interface PullRequestView {
  /** Null: the queue has not landed it. */
  readonly landed: MergedPullRequest | null;
  /** Null: comments are off, or another queue writes the comment because it got the pull request later. */
  readonly comment: ShownComment | null;
  /** Null: status checks are off. */
  readonly status: { readonly commit: string; readonly shown: ShownStatus } | null;
  /** Null: another queue got the pull request later, or it was never in this one. */
  readonly label: StateLabel | null;
}

interface ShownComment {
  readonly marker: string;
  readonly body: string;
  /** A comment is sent again only if this differs: the body without its short-lived parts. */
  readonly comparedBy: string;
}

/** Reads queues for `updatePullRequestView`. Implemented in `decisions`, which the outbox may not import. */
export abstract class PullRequestViewRenderer {
  /**
   * The present state; null when the queue is deleted. `openedAt`: the time at which the pull request was opened or
   * reopened.
   */
  abstract of(queueId: string, number: number, openedAt?: number): Promise<PullRequestView | null>;
}
