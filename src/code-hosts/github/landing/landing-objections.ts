import type { LandRequest, LandRefusal, PullRequestAtHead } from '../../../domain/code-host.port';
import { isOpenFor } from '../../../domain/pull-request-facts';
import { unmetChecks } from '../reading/head-checks';
import type { GitHubPullRequests, LandingBy } from '../reading/github-pull-requests';

interface Parts {
  readonly reader: GitHubPullRequests;
}

/**
 * Reads all pull requests anew before the first one lands. After a refusal midway the target would have a tree that nobody
 * tested.
 */
export async function objectionToAny(
  parts: Parts,
  request: LandRequest,
  landsBy: LandingBy,
): Promise<LandRefusal | null> {
  const objection = await objectionToReports(parts, request);
  if (objection !== null) return objection;
  for (const pullRequest of request.pullRequests) {
    const changed = await objectionToOne(parts, request, pullRequest, landsBy);
    if (changed !== null) return changed;
  }
  return null;
}

/** Anybody who may report can use any name. What a rule pins to an app counts for the tested commit only from that app. */
async function objectionToReports(
  { reader }: Parts,
  { repository, targetBranch, pullRequests, testedCommit, reportedStatuses = [] }: LandRequest,
): Promise<LandRefusal | null> {
  if (testedCommit === null || reportedStatuses.length === 0) return null;
  const { checks } = await reader.readDemands(repository, targetBranch);
  const pinned = checks.filter(({ name, appId }) => appId !== null && reportedStatuses.includes(name));
  if (pinned.length === 0) return null;
  const reports = await reader.readReports(repository, testedCommit);
  const [unmet] = unmetChecks(pinned, reports, `the tested commit ${testedCommit.slice(0, 7)}, by the app of its rule`);
  if (unmet === undefined) return null;
  const refusal = { number: pullRequests[0]?.number ?? 0, why: `It lacks ${unmet.words}` };
  return unmet.isPending ? { type: 'not_yet', ...refusal } : { type: 'refused', ...refusal, byRule: true };
}

/**
 * GitHub guards only the head: a pull request that was turned to another branch is merged into that one. And it does not ask
 * for reviews where the app may bypass the rules, or pushes.
 */
export async function objectionToOne(
  { reader }: Parts,
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
