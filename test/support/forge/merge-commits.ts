import { join } from 'node:path';
import { commitTree, mergedTree, readCommit, type Signature } from './git';
import { runGit } from '../bare-repository';

export type MergeMethod = 'merge' | 'squash' | 'rebase';

export interface MergeInput {
  readonly bare: string;
  readonly base: string;
  readonly head: string;
  /** For a rebase, the commit after which the commits are taken; the base if absent. */
  readonly from?: string;
  readonly method: MergeMethod;
  readonly message: string;
  readonly author: Signature;
  readonly committer: Signature;
}

/** The commit that a merge by one of GitHub's three methods makes; null when the branches conflict. */
export function mergeCommits(input: MergeInput): string | null {
  const { bare, base, head, method, message, author, committer } = input;
  if (method === 'rebase') return rebased(input);
  const tree = mergedTree(bare, base, head);
  if (tree === null) return null;
  return commitTree(bare, tree, method === 'merge' ? [base, head] : [base], message, author, committer);
}

/** Rebases like GitHub: commits get a new committer and a new id even if they are on the base already. */
function rebased({ bare, base, from = base, head, committer }: MergeInput): string | null {
  const range = ['rev-list', '--reverse', '--no-merges', '--topo-order', `${from}..${head}`];
  let tip = base;
  for (const sha of runGit(bare, range).split('\n').filter(Boolean)) {
    const { parents, author, message } = readCommit(bare, sha);
    const tipTree = readCommit(bare, tip).tree;
    const tree = mergedTree(bare, commitTree(bare, tipTree, parents, 'on the tip', author, committer), sha);
    if (tree === null) return null;
    if (tree !== tipTree) tip = commitTree(bare, tree, [tip], message, author, committer);
  }
  return tip;
}

/** Makes a copy of the commit without these files, as if the merge had lost the files. */
export function withoutFiles(bare: string, commit: string, files: readonly string[]): string {
  if (files.length === 0) return commit;
  const index = { GIT_DIR: bare, GIT_WORK_TREE: bare, GIT_INDEX_FILE: join(bare, 'index-of-a-wrong-merge') };
  runGit(bare, ['read-tree', commit], index);
  runGit(bare, ['update-index', '--force-remove', '--', ...files], index);
  const { parents, author, message } = readCommit(bare, commit);
  return commitTree(bare, runGit(bare, ['write-tree'], index), parents, message, author, author);
}
