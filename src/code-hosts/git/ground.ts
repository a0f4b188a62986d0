import type { PullRequestAtHead } from '../../domain/code-host.port';
import { NOBODY, writeCommit } from './commit-objects';
import type { GitClone } from './git-clone';

/**
 * What a pull request is merged onto. Where pull requests below it in its stack were squashed or rebased, git would take their
 * commits for changes of its own: then it is a commit that never leaves the clone, with the tree of the tip, on top of their heads.
 */
export async function groundOf(
  clone: GitClone,
  tip: { readonly commit: string; readonly tree: string },
  { mergedHeads = [] }: PullRequestAtHead,
): Promise<string> {
  if (mergedHeads.length === 0) return tip.commit;
  const found = await clone.commits(mergedHeads.map((commit) => ({ commit })));
  const known = mergedHeads.filter((_, index) => found[index] != null);
  if (known.length === 0) return tip.commit;
  const parents = [tip.commit, ...known];
  return writeCommit(clone, { tree: tip.tree, parents, author: NOBODY, committer: NOBODY, message: 'ground\n' });
}
