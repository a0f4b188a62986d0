import type { AboveMergedQuestion, CodeHost } from './code-host.port';
import type { HostRepository } from './host-repository';
import type { PullRequestObservation } from './landing.port';

type Landing = Pick<AboveMergedQuestion, 'targetBranch' | 'mergeMethod' | 'mergedBelow'>;

/**
 * The observation of a pull request, changed as if all pull requests below it in its stack were merged. @throws
 * HostUnavailable
 */
export async function seenAboveMerged(
  host: CodeHost,
  repository: HostRepository,
  seen: PullRequestObservation,
  landing: Landing,
): Promise<PullRequestObservation> {
  if (host.examineAboveMerged === undefined || landing.mergedBelow.length === 0 || !mayDiffer(seen, landing))
    return seen;
  const examined = await host.examineAboveMerged(repository, { head: seen.head, ...landing });
  switch (examined) {
    case 'unknown':
      return seen;
    case 'merges':
      return (seen.unmet ?? []).length > 0 ? seen : { ...seen, mergeability: 'mergeable' };
    case 'conflicts':
      return { ...seen, mergeability: 'not_mergeable' };
    default:
      return { ...seen, mergeability: 'not_mergeable', unmet: [...(seen.unmet ?? []), examined] };
  }
}

/**
 * Whether the merged pull requests below may change the mergeability. A merge commit brings in their history, so
 * nothing changes.
 */
function mayDiffer({ state, mergeability }: PullRequestObservation, { mergeMethod }: Landing): boolean {
  const isKnown = mergeability === 'mergeable' || mergeability === 'not_mergeable';
  return state === 'open' && isKnown && mergeMethod !== 'merge_commit';
}
