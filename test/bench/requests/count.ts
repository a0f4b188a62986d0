import type { LoggedRequest } from '../../support/forge/request-log';
import type { MergedPullRequests } from './merging-team';

const IS_GIT = /^git-http\//;

/** Requests that count against a rate limit: all except git and answers without changes. */
export function countedRequests(requests: readonly LoggedRequest[]): readonly LoggedRequest[] {
  return requests.filter(({ operation, status }) => !IS_GIT.test(operation) && status !== 304);
}

export function unchangedAnswers(requests: readonly LoggedRequest[]): number {
  return requests.filter(({ status }) => status === 304).length;
}

export function gitRequests(requests: readonly LoggedRequest[]): number {
  return requests.filter(({ operation }) => IS_GIT.test(operation)).length;
}

/** Number of counted requests by operation, with the host's names. */
export function byOperation(requests: readonly LoggedRequest[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { operation } of countedRequests(requests)) counts.set(operation, (counts.get(operation) ?? 0) + 1);
  return counts;
}

/** The share of each pull request that was merged together with others. */
export function countedForEach({ requests, numbers }: MergedPullRequests): number {
  return countedRequests(requests).length / numbers.length;
}

/** The requests of the most expensive one. */
export function mostCounted(merged: readonly MergedPullRequests[]): number {
  return Math.max(...merged.map(countedForEach));
}
