import type { MergedBelow } from '../../domain/code-host.port';
import { mergeTrees, NOBODY, writeCommit } from './commit-objects';
import type { GitClone } from './git-clone';
import { forksOf } from './history';
import type { AttributesFolder } from './merge-attributes';
import { treeOf } from './objects';

interface Tip {
  readonly commit: string;
  readonly tree: string;
}

/**
 * The commit onto which a pull request is merged. If pull requests below it in its stack were squashed or rebased, git
 * would take their commits for changes of this pull request. Then the ground is a commit that never leaves the clone:
 * the tree of the tip, on top of these commits. A pull request below that was reverted is left out, because otherwise a
 * repetition of its changes would be lost.
 */
export async function groundOf(
  clone: GitClone,
  tip: Tip,
  mergedBelow: readonly MergedBelow[],
  attributes: AttributesFolder | null,
): Promise<string> {
  if (mergedBelow.length === 0) return tip.commit;
  const found = await clone.commits(mergedBelow.map(({ commit }) => ({ commit })));
  const parents = new Set([tip.commit]);
  for (const { commit, landed } of mergedBelow.filter((_, index) => found[index] != null)) {
    if (landed === null || !(await wasReverted(clone, tip, landed, attributes))) parents.add(commit);
  }
  return parents.size === 1 ? tip.commit : graft(clone, tip.tree, ...parents);
}

/** Whether the landed change is no longer in the tip, so that undoing the change there changes nothing. */
async function wasReverted(
  clone: GitClone,
  tip: Tip,
  landed: NonNullable<MergedBelow['landed']>,
  attributes: AttributesFolder | null,
): Promise<boolean> {
  const [before, after] = await clone.commits([{ commit: landed.below }, { commit: landed.commit }]);
  if (before == null || after == null) return false;
  const ours = await graft(clone, tip.tree, landed.commit);
  const theirs = await graft(clone, treeOf(before), landed.commit);
  const without = await mergeTrees(clone, ours, theirs, attributes);
  return without.type === 'merged' && without.tree === tip.tree;
}

/** The maximum number of merge bases, each of which costs a merge. No branch has more of them by accident. */
const MOST_FORKS = 8;

interface Emptiness {
  readonly ground: string;
  readonly head: string;
  readonly attributes: AttributesFolder | null;
}

/**
 * Whether the head has the same tree as its merge base with the ground. After merges in both directions there are
 * several merge bases, which git merges into one; so does this function.
 */
export async function wasEmptyFromTheStart(clone: GitClone, { ground, head, attributes }: Emptiness): Promise<boolean> {
  const forks = await forksOf(clone, ground, head, MOST_FORKS);
  if (forks === 'too_many' || forks.length === 0) return false;
  const [begin, ...others] = await clone.commits([...forks, head].map((commit) => ({ commit })));
  const changed = others.pop();
  if (begin == null || changed == null) return false;
  let together: Tip = { commit: forks[0]!, tree: treeOf(begin) };
  for (const fork of forks.slice(1)) {
    const merged = await mergeTrees(clone, together.commit, fork, attributes);
    if (merged.type === 'conflict') return false;
    together = { commit: await graft(clone, merged.tree, together.commit, fork), tree: merged.tree };
  }
  return together.tree === treeOf(changed);
}

function graft(clone: GitClone, tree: string, ...parents: readonly string[]): Promise<string> {
  return writeCommit(clone, { tree, parents, author: NOBODY, committer: NOBODY, message: 'graft\n' });
}
