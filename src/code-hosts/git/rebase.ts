import type { GitClone } from './git-clone';
import { mergeTrees, writeCommit, type MergedTree, type Signature } from './commit-objects';
import type { AttributesFolder } from './merge-attributes';

const NOBODY: Signature = { name: 'graft', email: 'graft', date: '0 +0000' };
const FIELDS = ['%m', '%H', '%T', '%P', '%an', '%ae', '%ad', '%B'];

interface ListedCommit {
  /** `-`: in the history of the base, and the parent of a listed one; `=`: the base has the same change already. */
  readonly mark: string;
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Signature;
  readonly message: string;
}

export interface RebaseOrder {
  readonly onto: { readonly commit: string; readonly tree: string };
  readonly head: string;
  readonly committer: Signature;
  readonly attributes: AttributesFolder | null;
}

export type RebaseOutcome =
  | { readonly type: 'rebased'; readonly commit: string; readonly tree: string }
  | { readonly type: 'conflict'; readonly files: readonly string[] };

/**
 * What `git rebase --force-rebase` makes of the head's commits: merges are left out, so are changes that the base has
 * already; a commit that was empty from the start stays. Answers `onto` itself when nothing is left.
 */
export async function rebase(clone: GitClone, order: RebaseOrder): Promise<RebaseOutcome> {
  const listed = await listCommits(clone, order.onto.commit, order.head);
  const trees = new Map(listed.map((commit) => [commit.id, commit.tree]));
  let tip = order.onto;
  for (const commit of listed) {
    const [parent, ...others] = commit.parents;
    if (commit.mark !== '>' || others.length > 0) continue;
    const picked = await pick(clone, { commit, parent, listed, tip, attributes: order.attributes });
    if (picked.type === 'conflict') return picked;
    const isNothingNew = picked.tree === tip.tree;
    const wasEmpty = parent !== undefined && trees.get(parent) === commit.tree;
    if (isNothingNew && !wasEmpty) continue;
    const { author, message } = commit;
    const draft = { tree: picked.tree, parents: [tip.commit], author, committer: order.committer, message };
    tip = { commit: await writeCommit(clone, draft), tree: picked.tree };
  }
  return { type: 'rebased', ...tip };
}

interface Pick {
  readonly commit: ListedCommit;
  readonly parent: string | undefined;
  readonly listed: readonly ListedCommit[];
  readonly tip: { readonly commit: string; readonly tree: string };
  readonly attributes: AttributesFolder | null;
}

/** The tree of the tip with the commit's own change, by as few processes as give it. */
async function pick(clone: GitClone, { commit, parent, listed, tip, attributes }: Pick): Promise<MergedTree> {
  const before = listed.find(({ id }) => id === parent);
  if (before?.tree === tip.tree) return { type: 'merged', tree: commit.tree };
  // The parent is in the tip's history, so it is the merge base of the two by itself.
  if (before?.mark === '-') return mergeTrees(clone, tip.commit, commit.id, attributes);
  // git before 2.40 takes no --merge-base: a commit with the tip's tree on the parent makes the parent the base.
  const parents = parent === undefined ? [] : [parent];
  const graft = { tree: tip.tree, parents, author: NOBODY, committer: NOBODY, message: 'graft\n' };
  return mergeTrees(clone, await writeCommit(clone, graft), commit.id, attributes);
}

/** The head's commits that the base does not have, oldest first, and the parents in the base's history. */
async function listCommits(clone: GitClone, base: string, head: string): Promise<readonly ListedCommit[]> {
  const output = await clone.git.run([
    'log',
    '--reverse',
    '--topo-order',
    '--boundary',
    '--cherry-mark',
    '--right-only',
    '--date=raw',
    '--encoding=UTF-8',
    `--format=tformat:${FIELDS.join('%x00')}%x00`,
    `${base}...${head}`,
  ]);
  const fields = output.toString('utf8').split('\0');
  const commits: ListedCommit[] = [];
  for (let at = 0; at + FIELDS.length <= fields.length; at += FIELDS.length) {
    const [mark = '', id = '', tree = '', parents = '', name = '', email = '', date = '', message = ''] = fields.slice(
      at,
      at + FIELDS.length,
    );
    const author = { name, email, date };
    // Each record after the first begins with the newline that ends the one before it.
    commits.push({ mark: mark.trim(), id, tree, parents: parents.split(' ').filter(Boolean), author, message });
  }
  return commits;
}
