import type { LandRequest, LandRefusal, PullRequestAtHead } from '../../../domain/code-host.port';
import { isOpenFor } from '../../../domain/pull-request-facts';
import type { LandingBy } from '../reading/github-pull-requests';
import type { GitHubLandingParts } from './merge-one-by-one';

/**
 * Reads all pull requests anew before the first one lands. After a refusal midway the target would have a tree that nobody
 * tested.
 */
export async function objectionToAny(
  parts: GitHubLandingParts,
  request: LandRequest,
  landsBy: LandingBy,
): Promise<LandRefusal | null> {
  for (const pullRequest of request.pullRequests) {
    const objection = await objectionToOne(parts, request, pullRequest, landsBy);
    if (objection !== null) return objection;
  }
  return null;
}

/**
 * GitHub guards only the head: a pull request that was turned to another branch is merged into that one. And it does not ask
 * for reviews where the app may bypass the rules, or pushes.
 */
export async function objectionToOne(
  { reader }: GitHubLandingParts,
  { repository, targetBranch }: LandRequest,
  { number, head }: PullRequestAtHead,
  landsBy: LandingBy,
): Promise<LandRefusal | null> {
  const seen = await reader.read(repository, number, targetBranch, landsBy);
  if (seen === null) return { type: 'head_moved', number, head: null };
  if (!isOpenFor(seen, targetBranch)) return { type: 'pull_request_changed', seen };
  if (seen.head !== head) return { type: 'head_moved', number, head: seen.head };
  return seen.unmet === undefined ? null : { type: 'pull_request_changed', seen };
}
