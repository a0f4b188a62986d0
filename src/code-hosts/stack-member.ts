import type { PullRequestAtHead } from '../domain/code-host.port';

/**
 * The pull requests from index `from` on that the host merges by one operation: layers of one of the host's stacks, or
 * a single pull request.
 */
export function memberAt(pullRequests: readonly PullRequestAtHead[], from: number): readonly PullRequestAtHead[] {
  let to = from + 1;
  while (isAboveInStack(pullRequests[to - 1], pullRequests[to])) to++;
  return pullRequests.slice(from, to);
}

/** The pull requests that the host merges by one operation up to pull request `number`, which comes last. */
export function memberUpTo(pullRequests: readonly PullRequestAtHead[], number: number): readonly PullRequestAtHead[] {
  const at = pullRequests.findIndex((one) => one.number === number);
  let from = at;
  while (isAboveInStack(pullRequests[from - 1], pullRequests[from])) from--;
  return pullRequests.slice(from, at + 1);
}

export function isAboveInStack(below: PullRequestAtHead | undefined, one: PullRequestAtHead | undefined): boolean {
  return below?.stack != null && below.stack === one?.stack;
}
