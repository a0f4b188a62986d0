import type { MergedPullRequest, ShownStatus, StateLabel } from '../../domain/code-host.port';

/** The comment, status check and label that show the state of a pull request in a queue. */
export interface PullRequestView {
  /** The merge to show at the host; null if the queue has not landed the pull request. */
  readonly landed: MergedPullRequest | null;
  /**
   * The comment. Null if comments are off, or another queue writes the comment because the pull request came to that
   * queue later.
   */
  readonly comment: ShownComment | null;
  /** The status check; null if status checks are off. */
  readonly status: { readonly commit: string; readonly shown: ShownStatus } | null;
  /** The label. Null if the pull request came to another queue later, or was never in this queue. */
  readonly label: StateLabel | null;
}

interface ShownComment {
  readonly marker: string;
  readonly body: string;
  /** The body without its short-lived parts. A comment is sent again only if this text differs. */
  readonly comparedBy: string;
}

/** Reads queues for `updatePullRequestView`. Implemented in `decisions`, which the outbox may not import. */
export abstract class PullRequestViewRenderer {
  /**
   * Renders the present state; null if the queue is deleted. `openedAt`: the time at which the pull request was opened
   * or reopened.
   */
  abstract of(queueId: string, number: number, openedAt?: number): Promise<PullRequestView | null>;
}
