import type { LoggedRequest } from '../../support/forge/request-log';
import type { MergedPullRequests } from './merging-team';

const IS_GIT = /^git-http\//;

/** Requests that count against a rate limit: all except git requests and answers that report no change. */
export function countedRequests(requests: readonly LoggedRequest[]): readonly LoggedRequest[] {
  return requests.filter(({ operation, status }) => !IS_GIT.test(operation) && status !== 304);
}

export function unchangedAnswers(requests: readonly LoggedRequest[]): number {
  return requests.filter(({ status }) => status === 304).length;
}

export function gitRequests(requests: readonly LoggedRequest[]): number {
  return requests.filter(({ operation }) => IS_GIT.test(operation)).length;
}

/** Number of counted requests by operation, under the names of the host's API description. */
export function byOperation(requests: readonly LoggedRequest[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { operation } of countedRequests(requests)) counts.set(operation, (counts.get(operation) ?? 0) + 1);
  return counts;
}

/** Counted requests for each pull request, when several were merged together. */
export function countedForEach({ requests, numbers }: MergedPullRequests): number {
  return countedRequests(requests).length / numbers.length;
}

/** The highest number of counted requests for each pull request, among these merges. */
export function mostCounted(merged: readonly MergedPullRequests[]): number {
  return Math.max(...merged.map(countedForEach));
}
