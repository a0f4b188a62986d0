import type { ApiClient } from '../../support/api-client';

/** A queue with a past, as it is asked for. */
export interface AskedQueue {
  readonly repo: { readonly host: string; readonly owner: string; readonly name: string };
  readonly concluded: number;
  /** So many of the newest have a log. */
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

/** Another one each time, all over the newest so many. */
function anyOf(newest: number, { concluded }: AskedQueue, nth: number): number {
  const STRIDE = 7_919;
  return concluded - ((nth * STRIDE) % newest);
}
