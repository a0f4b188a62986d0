import type { MergedPullRequest, ShownStatus, StateLabel } from '../../domain/code-host.port';

/** The comment, the status check and the label that show a pull request its state in a queue. */
export interface PullRequestView {
  /** Null: the queue has not landed it. */
  readonly landed: MergedPullRequest | null;
  /** Null: comments are switched off, or another queue writes the comment because it got the pull request later. */
  readonly comment: ShownComment | null;
  /** Null: status checks are switched off. */
  readonly status: { readonly commit: string; readonly shown: ShownStatus } | null;
  /** Null: another queue got the pull request later, or it was never in this one. */
  readonly label: StateLabel | null;
}

interface ShownComment {
  readonly marker: string;
  readonly body: string;
  /** It is sent again only when this differs from the last time: the body without what is only true for a while. */
  readonly comparedBy: string;
}

/** Reads queues for `updatePullRequestView`. Implemented in `decisions`, which the outbox may not import. */
export abstract class PullRequestViewRenderer {
  /** The present state; null when the queue is deleted. `openedAt`: the pull request was opened or reopened then. */
  abstract of(queueId: string, number: number, openedAt?: number): Promise<PullRequestView | null>;
}
