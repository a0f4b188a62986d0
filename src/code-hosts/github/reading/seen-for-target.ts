import type { HostRepository, PullRequestObservation, UnmetDemand } from '../../../domain/code-host.port';
import type { GitHost } from '../../git/git-host';
import type { SeenInStack } from './aim';

/**
 * GitHub's mergeability is for the pull request's own base. For another branch, git checks whether it merges, and
 * whether it is on top of its stack.
 */
export async function seenForTarget(
  git: GitHost,
  repository: HostRepository,
  { headBelow, ...seen }: SeenInStack,
  targetBranch: string,
): Promise<PullRequestObservation> {
  const { number, head, base, state, stack, unmet = [] } = seen;
  if (state !== 'open' || (base === targetBranch && headBelow === undefined)) return seen;
  const byTarget = await git.readPullRequest(repository, number, targetBranch);
  const isOnTop = headBelow === undefined || (await git.containsCommit(repository, head, headBelow));
  const all = isOnTop ? unmet : [...unmet, rebaseOnto(stack?.below.at(-1))];
  if (all.length > 0) return { ...seen, mergeability: 'not_mergeable', unmet: all };
  return { ...seen, mergeability: byTarget?.mergeability ?? 'unspecified' };
}

/** GitHub rewrites a stack layer by layer, so the rebase may come automatically. */
function rebaseOnto(number: number | undefined): UnmetDemand {
  return { words: `a rebase onto #${number} below it in its stack`, isPending: true };
}
