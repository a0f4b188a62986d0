import { MERGE_CALL } from './commit-limits';
import { mergeTrees } from './commit-objects';
import type { GitClone } from './git-clone';
import type { AttributesFolder } from './merge-attributes';

interface OtherTree {
  readonly ground: string;
  readonly head: string;
  readonly attributes: AttributesFolder | null;
  readonly trees: { readonly rebased: string; readonly merged: string };
}

/** The maximum number of merge commits that are looked at, because each is merged again. */
const MOST_MERGES = 50;
const WAY_OUT = 'rebase the branch yourself, or squash.';

/**
 * A sentence about a rebase whose tree would differ from the tree of a merge: the commit that causes it, a file, and
 * the way out.
 */
export async function explainOtherTree(clone: GitClone, difference: OtherTree): Promise<string> {
  const { ground, head, trees } = difference;
  const files = await filesBetween(clone, trees.merged, trees.rebased);
  const merge = await mergeThatChanged(clone, difference, new Set(files));
  if (merge !== null) {
    return `Rebasing would lose what merge commit ${short(merge.commit)} changed in ${quoted(merge.file)}: ${WAY_OUT}`;
  }
  const [file = ''] = files;
  const args = ['log', '-1', '--no-merges', '--format=%H', `${ground}..${head}`, '--', `:(literal)${file}`];
  const commit = (await clone.git.run(args, MERGE_CALL)).toString('latin1').trim();
  const by = commit === '' ? '' : ` by commit ${short(commit)}`;
  return `Rebasing would change ${quoted(file)} otherwise than a merge${by}: ${WAY_OUT}`;
}

/** The newest merge commit of the branch that differs, in one of these files, from git's merge of its parents. */
async function mergeThatChanged(
  clone: GitClone,
  { ground, head, attributes }: OtherTree,
  files: ReadonlySet<string>,
): Promise<{ readonly commit: string; readonly file: string } | null> {
  const args = ['log', '--merges', `--max-count=${MOST_MERGES}`, '--format=%H %T %P', `${ground}..${head}`];
  const lines = (await clone.git.run(args, MERGE_CALL)).toString('latin1').split('\n').filter(Boolean);
  for (const line of lines) {
    const [commit = '', tree = '', ours = '', theirs = '', ...more] = line.split(' ');
    if (more.length > 0) continue;
    const merged = await mergeTrees(clone, ours, theirs, attributes);
    const changed = merged.type === 'conflict' ? merged.files : await filesBetween(clone, merged.tree, tree);
    const file = changed.find((one) => files.has(one));
    if (file !== undefined) return { commit, file };
  }
  return null;
}

export async function filesBetween(clone: GitClone, one: string, other: string): Promise<readonly string[]> {
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', one, other];
  return (await clone.git.run(args, MERGE_CALL)).toString('utf8').split('\0').filter(Boolean);
}

function short(commit: string): string {
  return commit.slice(0, 7);
}

function quoted(file: string): string {
  return `\`${file}\``;
}
