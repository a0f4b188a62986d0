import type { ShownStatus } from '../domain/code-host.port';

/** What a pull request's page is to show of its entry in a queue. */
export interface PullRequestView {
  /** Null: nothing, because comments are switched off, or another queue took the pull request up later. */
  readonly comment: { readonly marker: string; readonly body: string } | null;
  /** Null: status checks are switched off. */
  readonly status: { readonly commit: string; readonly shown: ShownStatus } | null;
}

/** The read port of those orders that show something: implemented where the state of queues can be read. */
export abstract class PullRequestViewRenderer {
  /** As of now; null when the queue is gone. */
  abstract of(queueId: string, number: number): Promise<PullRequestView | null>;
}
