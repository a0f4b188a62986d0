import type { GitClone } from './git-clone';
import {
  beginCommit,
  type CommitterSignature,
  gitIdentity,
  mergeTrees,
  NOBODY,
  writeCommit,
  writeObject,
  type MergedTree,
  type Signature,
} from './commit-objects';
import { MERGE_CALL, MOST_COMMITS_TO_REBASE } from './commit-limits';
import { GitRefused } from './git-command';
import type { AttributesFolder } from './merge-attributes';
import { withoutSkipWords } from './skip-words';

const FIELDS = ['%m', '%H', '%T', '%P', '%e', '%an', '%ae', '%ad', '%B'];
const NOT_UTF_8 = '\ufffd';

interface ListedCommit {
  /** `>`: a commit to pick. `-`: a parent of a picked commit, which is in the base's history. */
  readonly mark: string;
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Signature;
  readonly message: string;
  /** Whether the text of the commit is not UTF-8, or declares another encoding. */
  readonly isEncoded: boolean;
}

export interface RebaseRequest {
  readonly onto: { readonly commit: string; readonly tree: string };
  /** Commits in the history of this commit are not picked. It is `onto` itself, or has the tree of `onto`. */
  readonly ground: string;
  readonly head: string;
  readonly committer: CommitterSignature;
  readonly attributes: AttributesFolder | null;
}

export type RebaseOutcome =
  /** The new tip, whose commit may still be being written. */
  | { readonly type: 'rebased'; readonly commit: Promise<string>; readonly tree: string }
  | Extract<MergedTree, { type: 'conflict' }>;

/**
 * Does the same as `git rebase --force-rebase --reapply-cherry-picks`. Merge commits are left out, and so are commits
 * that change nothing on top of the commits below. A change that was reverted on the target is applied again. Commits
 * that were empty from the start are kept. Words in messages that skip CI are broken up. The result is `onto` itself if
 * no commit is left.
 */
export async function rebase(clone: GitClone, request: RebaseRequest): Promise<RebaseOutcome> {
  const listed = await listCommits(clone, request.ground, request.head);
  const picks = listed.filter(({ mark, parents }) => mark === '>' && parents.length < 2).length;
  if (picks > MOST_COMMITS_TO_REBASE) {
    throw new GitRefused(
      `It has ${picks} commits, and at most ${MOST_COMMITS_TO_REBASE} are rebased. Squash or merge it.`,
    );
  }
  const trees = new Map(listed.map((commit) => [commit.id, commit.tree]));
  let tip: Tip = request.onto;
  for (const commit of listed) {
    const [parent, ...others] = commit.parents;
    if (commit.mark !== '>' || others.length > 0) continue;
    const picked = await pick(clone, { commit, parent, listed, tip, request });
    if (picked.type === 'conflict') return picked;
    const isNothingNew = picked.tree === tip.tree;
    const wasEmpty = parent !== undefined && trees.get(parent) === commit.tree;
    if (isNothingNew && !wasEmpty) continue;
    // The next change, which needs only the tree, is merged while this commit is being written.
    tip = { commit: beginPicked(clone, commit, { tip, tree: picked.tree, request }), tree: picked.tree };
  }
  return { type: 'rebased', commit: Promise.resolve(tip.commit), tree: tip.tree };
}

interface Picked {
  readonly tip: Tip;
  readonly tree: string;
  readonly request: RebaseRequest;
}

function beginPicked(clone: GitClone, commit: ListedCommit, { tip, tree, request }: Picked): Promise<string> {
  const { committer } = request;
  if (commit.isEncoded) {
    const written = writeEncoded(clone, { from: commit.id, tree, parent: tip.commit, committer });
    written.catch(() => undefined);
    return written;
  }
  const message = withoutSkipWords(commit.message);
  return beginCommit(clone, { tree, parents: [tip.commit], author: commit.author, committer, message });
}

interface Tip {
  readonly commit: string | Promise<string>;
  readonly tree: string;
}

interface Pick {
  readonly commit: ListedCommit;
  readonly parent: string | undefined;
  readonly listed: readonly ListedCommit[];
  readonly tip: Tip;
  readonly request: RebaseRequest;
}

/** The tree of the tip with the change of one commit, made with as few processes as possible. */
async function pick(clone: GitClone, { commit, parent, listed, tip, request }: Pick): Promise<MergedTree> {
  const { attributes, ground, onto } = request;
  const before = listed.find(({ id }) => id === parent);
  if (before?.tree === tip.tree) return { type: 'merged', tree: commit.tree };
  // The parent is in the tip's history, so git uses the parent as the merge base anyway.
  if (before?.mark === '-' && ground === onto.commit) return mergeTrees(clone, await tip.commit, commit.id, attributes);
  // git before 2.40 has no --merge-base. So the tip's tree is written as a commit on top of the parent, and git then
  // finds the parent as the merge base.
  const parents = parent === undefined ? [] : [parent];
  const graft = { tree: tip.tree, parents, author: NOBODY, committer: NOBODY, message: 'graft\n' };
  return mergeTrees(clone, await writeCommit(clone, graft), commit.id, attributes);
}

/** The commits of the head that the base does not have, oldest first, and their parents in the base's history. */
async function listCommits(clone: GitClone, base: string, head: string): Promise<readonly ListedCommit[]> {
  const args = [
    'log',
    '--reverse',
    '--topo-order',
    '--boundary',
    '--right-only',
    '--date=raw',
    '--encoding=UTF-8',
    `--format=tformat:${FIELDS.join('%x00')}%x00`,
    `${base}...${head}`,
  ];
  const output = await clone.git.run(args, MERGE_CALL);
  const fields = output.toString('utf8').split('\0');
  const commits: ListedCommit[] = [];
  for (let at = 0; at + FIELDS.length <= fields.length; at += FIELDS.length) {
    const record = fields.slice(at, at + FIELDS.length);
    const [mark = '', id = '', tree = '', parents = '', encoding = ''] = record;
    const [name = '', email = '', date = '', message = ''] = record.slice(5);
    const isEncoded = !/^(utf-?8)?$/i.test(encoding) || [name, email, message].some((text) => text.includes(NOT_UTF_8));
    commits.push({
      // The newline that ends a record is at the beginning of the next record.
      ...{ mark: mark.trim(), id, tree, parents: parents.split(' ').filter(Boolean) },
      ...{ author: { name, email, date }, message, isEncoded },
    });
  }
  return commits;
}

interface Repick {
  /** The commit whose author, encoding and message are copied byte by byte. */
  readonly from: string;
  readonly tree: string;
  readonly parent: string | Promise<string>;
  readonly committer: CommitterSignature;
}

/**
 * Writes a commit whose text is not UTF-8. A JavaScript string would lose bytes, and the declared encoding would no
 * longer fit.
 */
async function writeEncoded(clone: GitClone, { from, tree, parent, committer }: Repick): Promise<string> {
  const [commit] = await clone.commits([{ commit: from }]);
  if (commit == null) throw new Error(`${from} is not in the clone`);
  const text = commit.content.toString('latin1');
  const split = text.indexOf('\n\n');
  const headers = (split < 0 ? text : text.slice(0, split)).split('\n');
  const kept = (name: string): string[] => headers.filter((line) => line.startsWith(`${name} `)).slice(0, 1);
  const who = Buffer.from(gitIdentity(committer)).toString('latin1');
  const lines = [`tree ${tree}`, `parent ${await parent}`, ...kept('author'), `committer ${who}`, ...kept('encoding')];
  const message = split < 0 ? '' : withoutSkipWords(text.slice(split + 2));
  return writeObject(clone, Buffer.from(`${lines.join('\n')}\n\n${message}`, 'latin1'), committer);
}
