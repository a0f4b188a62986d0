import type { ApiClient } from '../../support/api-client';

/** A queue with a history, with the facts that the reads need for their requests. */
export interface AskedQueue {
  readonly repo: { readonly host: string; readonly owner: string; readonly name: string };
  readonly concluded: number;
  /** How many of the newest pull requests have a log. */
  readonly withLog: number;
}

const TARGET = { targetBranch: 'main' };

export const READS = {
  listQueues: () => ({}),
  getQueue: () => TARGET,
  getSubmittedPullRequest: (queue, nth) => ({
    ...TARGET,
    pr: { number: anyOf(queue.concluded, queue, nth) },
    includeTimeline: true,
  }),
  getQueuePicture: () => TARGET,
  getPullRequestStory: (queue, nth) => ({ ...TARGET, pr: { number: anyOf(queue.withLog, queue, nth) } }),
  getQueueHistoryByDay: () => TARGET,
  listPullRequests: () => TARGET,
} as const satisfies Record<string, (queue: AskedQueue, nth: number) => object>;

export const METRICS = 'getMergeQueueMetrics';

export async function ask(api: ApiClient, name: keyof typeof READS, queue: AskedQueue, nth: number): Promise<void> {
  await api.mustPost(name, { repo: queue.repo, ...READS[name](queue, nth) });
}

/** Takes a different pull request for each `nth`, spread over the `newest` ones. */
function anyOf(newest: number, { concluded }: AskedQueue, nth: number): number {
  const STRIDE = 7_919;
  return concluded - ((nth * STRIDE) % newest);
}
