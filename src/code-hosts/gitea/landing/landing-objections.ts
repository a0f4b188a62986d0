import type { LandRequest, LandRefusal, PullRequestAtHead, UnmetDemand } from '../../../domain/code-host.port';
import { isOpenFor } from '../../../domain/pull-request-facts';
import { matchesGlob } from '../../../domain/glob-set';
import type { ProtectionDemands } from '../reading/branch-demands';
import type { GiteaPullRequests, LandingMeans } from '../reading/gitea-pull-requests';
import { isPattern, unmetContexts } from '../reading/status-patterns';

/** Reads all pull requests of a run again before the first lands, because a push does not check reviews or statuses. */
export async function objectionToRun(
  reader: GiteaPullRequests,
  request: LandRequest,
  landsBy: LandingMeans,
): Promise<LandRefusal | null> {
  const demands = await reader.readDemands(request.repository, request.targetBranch);
  const objection = landsBy === 'push' ? await objectionToReports(reader, request, demands) : null;
  if (objection !== null) return objection;
  for (const pullRequest of request.pullRequests) {
    const changed = await objectionToPullRequest(reader, request, pullRequest, landsBy, demands);
    if (changed !== null) return changed;
  }
  return null;
}

export async function objectionToPullRequest(
  reader: GiteaPullRequests,
  { repository, targetBranch, expectedTip }: LandRequest,
  { number, head }: PullRequestAtHead,
  landsBy: LandingMeans,
  demands?: ProtectionDemands,
): Promise<LandRefusal | null> {
  // The demands are read again here, because a shared read may have begun before this landing.
  const now = demands ?? (await reader.readDemands(repository, targetBranch));
  const seen = await reader.read(repository, number, targetBranch, landsBy, now);
  if (seen === null) return { type: 'head_moved', number, head: null };
  // In a landing that changes nothing, an earlier attempt has marked the pull request as merged.
  if (seen.mergedAs === expectedTip && seen.base === targetBranch) return null;
  if (!isOpenFor(seen, targetBranch)) return { type: 'pull_request_changed', seen };
  if (seen.head !== head) return { type: 'head_moved', number, head: seen.head };
  return seen.unmet === undefined ? null : { type: 'pull_request_changed', seen };
}

/**
 * The objection because of statuses that the branch demands and for which the queue did not wait. If CI reports these
 * statuses on tested commits, the reports on the tested commit count. Otherwise the reports on the heads count, as in
 * the host's own merge.
 */
async function objectionToReports(
  reader: GiteaPullRequests,
  request: LandRequest,
  { contexts }: ProtectionDemands,
): Promise<LandRefusal | null> {
  const { repository, pullRequests, reports } = request;
  if (reports === undefined) return null;
  const others = contexts.filter((context) => !reports.names.includes(context));
  if (others.length === 0) return null;
  const tested = await reader.readReports(repository, reports.commit);
  const isReported = (context: string): boolean =>
    tested.some(({ name }) => (isPattern(context) ? matchesGlob(context, name, 'gitea') : name === context));
  const onTested = others.filter(isReported);
  const commit = `the tested commit ${reports.commit.slice(0, 7)}`;
  const [unmet] = unmetContexts(onTested, tested, commit);
  if (unmet !== undefined) return lacking(request, pullRequests[0]?.number ?? 0, unmet);
  const onHeads = others.filter((context) => !isReported(context));
  for (const { number, head } of onHeads.length === 0 ? [] : pullRequests) {
    const ofHead = await reader.readReports(repository, head);
    const [first] = unmetContexts(onHeads, ofHead, `the head ${head.slice(0, 7)} of #${number}`);
    if (first !== undefined) return lacking(request, number, first);
  }
  return null;
}

function lacking({ targetBranch }: LandRequest, number: number, { words, isPending }: UnmetDemand): LandRefusal {
  const why = `It lacks ${words}, which the protection of ${targetBranch} demands.`;
  return isPending ? { type: 'not_yet', number, why } : { type: 'refused', number, why, byRule: true };
}
