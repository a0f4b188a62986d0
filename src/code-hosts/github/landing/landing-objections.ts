import type { LandRequest, LandRefusal, PullRequestAtHead } from '../../../domain/code-host.port';
import { isOpenFor } from '../../../domain/pull-request-facts';
import { unreadable } from '../client/reading';
import { pullRequestIn } from '../reading/pull-request';
import type { GitHubLandingParts } from './merge-one-by-one';

/**
 * Reads all pull requests anew before the first one lands. After a refusal midway the target would have a tree that nobody
 * tested.
 */
export async function objectionToAny(parts: GitHubLandingParts, request: LandRequest): Promise<LandRefusal | null> {
  for (const pullRequest of request.pullRequests) {
    const objection = await objectionTo(parts, request, pullRequest);
    if (objection !== null) return objection;
  }
  return null;
}

/** GitHub guards only the head: a pull request that was turned to another branch is merged into that one. */
export async function objectionTo(
  { api, clock }: GitHubLandingParts,
  { repository, targetBranch }: LandRequest,
  { number, head }: PullRequestAtHead,
): Promise<LandRefusal | null> {
  const observedAt = clock.now();
  const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';
  const answer = await api.read(repository, route, { pull_number: number });
  if (answer === null) return { type: 'head_moved', number, head: null };
  const seen = pullRequestIn(answer.body, api.host, observedAt);
  if (seen === null) throw unreadable(api.host, `pull request ${number}`);
  if (!isOpenFor(seen, targetBranch)) return { type: 'pull_request_changed', seen };
  return seen.head === head ? null : { type: 'head_moved', number, head: seen.head };
}
