import type { HostRepository, PullRequestObservation, UnmetDemand } from '../../../domain/code-host.port';
import type { GitHost } from '../../git/git-host';
import type { SeenInStack } from './aim';

/**
 * The observation for the target branch. GitHub's mergeability is for the pull request's own base. If that base is
 * another branch, git checks whether the pull request merges into the target, and whether it is on top of its stack.
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

/** The demand that the pull request is rebased. It needs no action, because GitHub rewrites a stack layer by layer. */
function rebaseOnto(number: number | undefined): UnmetDemand {
  return { words: `a rebase onto #${number} below it in its stack`, isPending: true };
}
