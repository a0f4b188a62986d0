import type { LoggedRequest } from '../../support/forge/request-log';
import type { MergedPullRequest } from './merging-team';

/** What merging one pull request may cost at most in requests that count against GitHub's rate limit, once caches are warm. */
export const MOST_REQUESTS = 16;

const IS_GIT = /^git-http\//;

/** Requests that count against the rate limit: git and answers that nothing has changed do not. */
export function countedRequests(requests: readonly LoggedRequest[]): readonly LoggedRequest[] {
  return requests.filter(({ operation, status }) => !IS_GIT.test(operation) && status !== 304);
}

export function unchangedAnswers(requests: readonly LoggedRequest[]): number {
  return requests.filter(({ status }) => status === 304).length;
}

export function gitRequests(requests: readonly LoggedRequest[]): number {
  return requests.filter(({ operation }) => IS_GIT.test(operation)).length;
}

/** How many that count, of each operation, by the names that GitHub gives them. */
export function byOperation(requests: readonly LoggedRequest[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { operation } of countedRequests(requests)) counts.set(operation, (counts.get(operation) ?? 0) + 1);
  return counts;
}

/** Of the one that cost most. */
export function mostCounted(merged: readonly MergedPullRequest[]): number {
  return Math.max(...merged.map(({ requests }) => countedRequests(requests).length));
}
