import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { runGit } from '../bare-repository';
import { outputOfProgram, runProgram } from '../small-process';

const CONFLICT = 1;

/** The author and the time of a commit, under the names of git's environment variables. */
export interface Signature {
  readonly name: string;
  readonly email: string;
  /** A date in any form that git can parse. */
  readonly date: string;
}

export const NO_COMMIT = '0'.repeat(40);

/** The commit with this name; null when there is none. */
export function resolveCommit(bare: string, name: string): string | null {
  if (name === '' || name.startsWith('-') || /[\s\0]/.test(name)) return null;
  const question = ['rev-parse', '--verify', '--quiet', `${name}^{commit}`];
  if (known.has(keyOf(bare, question))) return name;
  if (isLooseCommit(bare, name)) return once(bare, question, () => name);
  const { status, stdout } = attempt(bare, question);
  if (status !== 0) return null;
  const id = stdout.trim();
  return id === name ? once(bare, question, () => id) : id;
}

/** Whether git keeps the commit in a file of its own, as after a small push. */
function isLooseCommit(bare: string, id: string): boolean {
  if (!/^[0-9a-f]{40}$/.test(id)) return false;
  try {
    const object = inflateSync(readFileSync(join(bare, 'objects', id.slice(0, 2), id.slice(2))));
    return object.toString('latin1', 0, 'commit '.length) === 'commit ';
  } catch {
    return false;
  }
}

/** git's answers about commits, by repository and question. An answer never changes, and starting git is slow. */
const known = new Map<string, unknown>();

function keyOf(bare: string, question: readonly string[]): string {
  return [bare, ...question].join('\0');
}

function once<Answer>(bare: string, question: readonly string[], ask: () => Answer): Answer {
  const key = keyOf(bare, question);
  if (!known.has(key)) known.set(key, ask());
  return known.get(key) as Answer;
}

export function isAncestor(bare: string, ancestor: string, commit: string): boolean {
  const question = ['merge-base', '--is-ancestor', ancestor, commit];
  if (known.has(keyOf(bare, question))) return once(bare, question, () => false);
  const { status } = attempt(bare, question);
  // An answer about a missing commit is not kept, because the commit may be pushed later.
  return status <= 1 ? once(bare, question, () => status === 0) : false;
}

export function countCommits(bare: string, from: string, to: string): number {
  const question = ['rev-list', '--count', `${from}..${to}`];
  return once(bare, question, () => Number(runGit(bare, question)));
}

/** The number of added and deleted lines in each file. */
export function changesBetween(bare: string, from: string, to: string): readonly (readonly number[])[] {
  const question = ['diff', '--numstat', `${from}...${to}`];
  return once(bare, question, () =>
    attempt(bare, question)
      .stdout.split('\n')
      .filter(Boolean)
      .map((line) => line.split('\t').map((count) => Number.parseInt(count, 10) || 0)),
  );
}

/** The tree of a merge of the two commits; null when they conflict. */
export function mergedTree(bare: string, ours: string, theirs: string): string | null {
  const { status, stdout } = attempt(bare, ['merge-tree', '--write-tree', '--no-messages', ours, theirs]);
  const tree = stdout.split('\n')[0] ?? '';
  if (status === 0) return tree;
  // For an unknown commit git gives the exit code of a conflict, but no tree. For unrelated histories it gives a higher
  // exit code.
  if ((status === CONFLICT && tree !== '') || status > CONFLICT) return null;
  throw new Error(`git merge-tree ${ours} ${theirs} found nothing to merge`);
}

export function commitTree(
  bare: string,
  tree: string,
  parents: readonly string[],
  message: string,
  author: Signature,
  committer: Signature,
): string {
  const text = message.endsWith('\n') ? message : `${message}\n`;
  const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-m', text.slice(0, -1)];
  return runGit(bare, args, {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_AUTHOR_DATE: author.date,
    GIT_COMMITTER_NAME: committer.name,
    GIT_COMMITTER_EMAIL: committer.email,
    GIT_COMMITTER_DATE: committer.date,
  });
}

export interface CommitFacts {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
}

export function readCommit(bare: string, sha: string): CommitFacts {
  return once(bare, ['show', sha], () => askForCommit(bare, sha));
}

function askForCommit(bare: string, sha: string): CommitFacts {
  const format = '%H%x00%T%x00%P%x00%an%x00%ae%x00%aI%x00%cn%x00%ce%x00%cI%x00%B';
  const [id = '', tree = '', parents = '', ...rest] = runGit(bare, ['show', '-s', `--format=${format}`, sha]).split(
    '\0',
  );
  const [an = '', ae = '', ad = '', cn = '', ce = '', cd = '', ...message] = rest;
  return {
    sha: id,
    tree,
    parents: parents.split(' ').filter(Boolean),
    author: { name: an, email: ae, date: ad },
    committer: { name: cn, email: ce, date: cd },
    message: message.join('\0').replace(/\n+$/, ''),
  };
}

export function readBlob(bare: string, sha: string): Buffer {
  return outputOfProgram('git', ['cat-file', 'blob', sha], { cwd: bare });
}

export interface TreeEntry {
  readonly type: string;
  readonly sha: string;
  readonly size: number;
  readonly path: string;
}

/** The entry of a file or folder. If the path ends with a slash, returns the entries in the folder. */
export function treeEntries(bare: string, commit: string, path: string): TreeEntry[] {
  const { status, stdout } = attempt(bare, ['ls-tree', '-z', '-l', commit, '--', path]);
  if (status !== 0) return [];
  return stdout
    .split('\0')
    .filter(Boolean)
    .map((line) => {
      const [facts = '', name = ''] = line.split('\t');
      const [, type = '', sha = '', size = ''] = facts.split(/ +/);
      return { type, sha, size: Number(size) || 0, path: name };
    });
}

export function attempt(bare: string, args: readonly string[]): { status: number; stdout: string } {
  const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  const { status, stdout } = runProgram('git', args, { cwd: bare, env });
  return { status: status ?? -1, stdout: stdout.toString() };
}
