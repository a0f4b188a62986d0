import type { AboveMergedQuestion } from '../../domain/code-host.port';
import { mergeTrees, type MergedTree, NOBODY } from './commit-objects';
import { QUICK_MERGE_CALL } from './commit-limits';
import type { GitClone } from './git-clone';
import { GitFailed, GitRefused } from './git-command';
import { groundOf } from './ground';
import { attributesOf, type AttributesFolder } from './merge-attributes';
import { listRefs } from './git-remote';
import { branchRef, isGitBranchName } from './names';
import { treeOf } from './objects';
import { rebase } from './rebase';

/** The merge of a pull request after the stack below it has landed by squash or rebase, without the stack's commits. */
export interface AboveMerged {
  /**
   * Whether the pull request's own changes merge cleanly. Also true if git cannot tell in a short time, because the
   * build of the test run decides then.
   */
  readonly merges: boolean;
  /** Whether a merge that ignores the stack has the same outcome. */
  readonly isPlain: boolean;
  /**
   * Of the merged heads in the history of the pull request, the head that contains all others; null if there is none.
   */
  readonly below: string | null;
}

/** Merges the pull request in both ways and compares; null if a commit is missing. */
export async function lookAboveMerged(clone: GitClone, question: AboveMergedQuestion): Promise<AboveMerged | null> {
  const { head, targetBranch, mergedBelow } = question;
  if (!isGitBranchName(targetBranch)) return null;
  const ref = branchRef(targetBranch);
  const there = (await listRefs(clone.remote, [ref])).get(ref);
  if (there === undefined) return null;
  const [tip, commit] = await clone.commits([{ commit: there, branch: targetBranch }, { commit: head }]);
  if (tip == null || commit == null) return null;
  const tree = treeOf(tip);
  const attributes = await attributesOf(clone, tree);
  const merge = (onto: string): Promise<MergedTree> => mergeTrees(clone, onto, head, attributes, QUICK_MERGE_CALL);
  try {
    const ground = await groundOf(clone, { commit: tip.id, tree }, mergedBelow, attributes);
    const own = await merge(ground);
    const plain = ground === tip.id ? own : await merge(tip.id);
    const onto = { commit: tip.id, tree };
    const asHost = question.mergeMethod === 'rebase' ? await rebasedTree(clone, onto, head, attributes) : plain;
    const isPlain = isSame(own, plain) && isSame(own, asHost);
    return { merges: own.type === 'merged', isPlain, below: await nearestBelow(clone, question) };
  } catch (error) {
    if (error instanceof GitRefused || error instanceof GitFailed) return { merges: true, isPlain: true, below: null };
    throw error;
  }
}

/** The tree that a rebase by the host would give. The host also picks the commits of the stack. */
async function rebasedTree(
  clone: GitClone,
  onto: { readonly commit: string; readonly tree: string },
  head: string,
  attributes: AttributesFolder | null,
): Promise<MergedTree> {
  const rebased = await rebase(clone, { onto, ground: onto.commit, head, committer: NOBODY, attributes });
  return rebased.type === 'conflict' ? rebased : { type: 'merged', tree: rebased.tree };
}

function isSame(one: MergedTree, other: MergedTree): boolean {
  if (one.type === 'conflict') return other.type === 'conflict';
  return other.type === 'merged' && one.tree === other.tree;
}

async function nearestBelow(clone: GitClone, { head, mergedBelow }: AboveMergedQuestion): Promise<string | null> {
  const found = await clone.commits(mergedBelow.map(({ commit }) => ({ commit })));
  let nearest: string | null = null;
  for (const { commit: one } of mergedBelow.filter((_, index) => found[index] != null)) {
    const isBelow = await clone.isAncestor(one, head);
    if (isBelow && (nearest === null || (await clone.isAncestor(nearest, one)))) nearest = one;
  }
  return nearest;
}
