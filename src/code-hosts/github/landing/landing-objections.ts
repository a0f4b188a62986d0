import type { LandRequest, LandRefusal, PullRequestAtHead, UnmetDemand } from '../../../domain/code-host.port';
import { isOpenFor } from '../../../domain/pull-request-facts';
import type { BranchDemands, DemandedCheck } from '../reading/branch-rules';
import { unmetChecks } from '../reading/head-checks';
import type { KnownOfTarget, LandingBy } from '../reading/aim';
import type { GitHubPullRequests } from '../reading/github-pull-requests';
import { type Layer, readLayers } from '../reading/stacks';

interface Parts {
  readonly reader: GitHubPullRequests;
}

/**
 * Reads all pull requests again before the first lands, because after a refusal midway the target would have an
 * untested tree.
 */
export async function objectionToAny(
  parts: Parts,
  request: LandRequest,
  landsBy: LandingBy,
): Promise<LandRefusal | null> {
  const { reader } = parts;
  const { repository, targetBranch, pullRequests } = request;
  const demands = await reader.readDemands(repository, targetBranch);
  const objection = await objectionToReports(parts, request, demands);
  if (objection !== null) return objection;
  const layers = new Map<number, readonly Layer[]>();
  const mayWrite = new Map<string, boolean>();
  for (const pullRequest of pullRequests) {
    const { stack } = pullRequest;
    if (stack != null && !layers.has(stack)) layers.set(stack, (await readLayers(reader.api, repository, stack)) ?? []);
    const known = { demands, layers: layers.get(stack ?? 0), mayWrite };
    const changed = await objectionToOne(parts, request, pullRequest, landsBy, known);
    if (changed !== null) return changed;
  }
  return null;
}

/**
 * The objection because of checks that the rules demand and for which the queue did not wait. A check that a rule pins
 * to an app counts only from that app. GitHub itself applies no demand to an app that may bypass its rule. If CI does
 * not report a check on tested commits, the report on the head counts, as for the merge button.
 */
async function objectionToReports(
  { reader }: Parts,
  request: LandRequest,
  { checks }: BranchDemands,
): Promise<LandRefusal | null> {
  const { repository, pullRequests, reports } = request;
  if (reports === undefined) return null;
  const pinned = checks.filter(({ name, appId }) => appId !== null && reports.names.includes(name));
  const others = checks.filter(({ name }) => !reports.names.includes(name));
  const bypassed = await reader.bypassedOf(repository, others);
  if (pinned.length + bypassed.length === 0) return null;
  const tested = await reader.readReports(repository, reports.commit, 'as they are');
  const isTested = ({ name }: DemandedCheck): boolean => tested.some((report) => report.name === name);
  const onTested = [...pinned, ...bypassed.filter(isTested)];
  const unmet = unmetChecks(onTested, tested, `the tested commit ${reports.commit.slice(0, 7)}`);
  if (unmet[0] !== undefined) return lacking(request, pullRequests[0]?.number ?? 0, unmet[0]);
  const onHeads = bypassed.filter((check) => !isTested(check));
  for (const { number, head } of onHeads.length === 0 ? [] : pullRequests) {
    const ofHead = await reader.readReports(repository, head, 'as they are');
    const [first] = unmetChecks(onHeads, ofHead, `the head ${head.slice(0, 7)} of #${number}`);
    if (first !== undefined) return lacking(request, number, first);
  }
  return null;
}

function lacking({ targetBranch }: LandRequest, number: number, { words, isPending }: UnmetDemand): LandRefusal {
  const why = `It lacks ${words}, which a rule of ${targetBranch} demands.`;
  return isPending ? { type: 'not_yet', number, why } : { type: 'refused', number, why, byRule: true };
}

/**
 * Reads a pull request again directly before its merge, because GitHub guards only the head: if the base was changed,
 * GitHub merges into the other branch. GitHub also does not check reviews for a push, or if the app may bypass the
 * rules.
 */
export async function objectionToOne(
  { reader }: Parts,
  { repository, targetBranch, mergeMethod }: LandRequest,
  { number, head, stack = null }: PullRequestAtHead,
  landsBy: LandingBy,
  known: KnownOfTarget = {},
): Promise<LandRefusal | null> {
  const seen = await reader.read(repository, number, { targetBranch, landsBy, mergeMethod }, known);
  if (seen === null) return { type: 'head_moved', number, head: null };
  if (!isOpenFor(seen, targetBranch)) return { type: 'pull_request_changed', seen };
  // Heads in a stack are not compared here, because GitHub rewrites them and the queue checks them itself.
  if (seen.head !== head && seen.stack === undefined) return { type: 'head_moved', number, head: seen.head };
  if (seen.head !== head || (seen.stack?.number ?? null) !== stack) return { type: 'pull_request_changed', seen };
  return seen.unmet === undefined ? null : { type: 'pull_request_changed', seen };
}
