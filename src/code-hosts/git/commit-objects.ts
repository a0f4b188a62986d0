import type { ConflictingFiles, PullRequestAtHead } from '../../domain/code-host.port';
import type { GitClone } from './git-clone';
import { MERGE_CALL } from './commit-limits';
import { conflictIn } from './conflict-reasons';
import { GitFailed, GitRefused, lastLine } from './git-command';
import type { AttributesFolder } from './merge-attributes';
import type { Committer } from './committer';
import type { Person } from './objects';
import { signCommit } from './signing/sign-commit';
import { withoutSkipWords } from './skip-words';

export interface Signature extends Person {
  /** The date in git's format: `<unix seconds> <zone>`. */
  readonly date: string;
}

export interface CommitterSignature extends Signature, Committer {}

/** The signature for commits that never leave the clone. */
export const NOBODY: CommitterSignature = { name: 'graft', email: 'graft', date: '0 +0000', key: null };

export interface CommitDraft {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Signature;
  /** The commit is signed if the committer has a key. */
  readonly committer: CommitterSignature;
  readonly message: string;
}

/** A draft whose parents may not be written yet. */
interface UnwrittenDraft extends Omit<CommitDraft, 'parents'> {
  readonly parents: readonly (string | Promise<string>)[];
}

export type MergedTree =
  { readonly type: 'merged'; readonly tree: string } | (ConflictingFiles & { readonly type: 'conflict' });

/**
 * Matches git's messages about objects that cannot be merged. Messages about missing objects do not match, because a
 * fetch may bring the object.
 */
const FAULTY = /invalid path|malformed|too long|empty filename|maximum allowed tree depth/i;

/** Merges two commits of the clone, like `git merge` in a work tree. */
export async function mergeTrees(
  clone: GitClone,
  ours: string,
  theirs: string,
  attributes: AttributesFolder | null,
  limits = MERGE_CALL,
): Promise<MergedTree> {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', ours, theirs];
  const call = attributes === null ? limits : { ...limits, cwd: attributes, env: { GIT_WORK_TREE: attributes } };
  const result = await clone.git.ask(args, call);
  const [tree = '', ...said] = result.stdout.toString('utf8').replace(/\n$/, '').split('\0');
  const wrote = /^[0-9a-f]{40}$/.test(tree);
  if (result.code === 0 && wrote) return { type: 'merged', tree };
  // git also ends with 1 if an object is missing, but then it writes no tree.
  if (result.code === 1 && wrote) return { type: 'conflict', ...conflictIn(said) };
  if (/unrelated histories/.test(result.stderr)) return { type: 'conflict', files: [], reasons: UNRELATED };
  if (FAULTY.test(result.stderr)) throw new GitRefused(`git merge-tree: ${lastLine(result.stderr)}`);
  throw new GitFailed('merge-tree', result);
}

const UNRELATED = { '': 'they have no commit in common' };

/** Writes the commit and returns its id. The same draft always gets the same id. */
export async function writeCommit(clone: Pick<GitClone, 'git'>, draft: CommitDraft): Promise<string> {
  const parents = draft.parents.flatMap((parent) => ['-p', parent]);
  const { author, committer } = draft;
  if (committer.key !== null) return writeObject(clone, objectOf(draft), committer);
  const env = {
    GIT_AUTHOR_NAME: nameOf(author),
    GIT_AUTHOR_EMAIL: withoutNul(author.email).slice(0, LONGEST_WHO),
    GIT_AUTHOR_DATE: dateOf(author),
    GIT_COMMITTER_NAME: nameOf(committer),
    GIT_COMMITTER_EMAIL: withoutNul(committer.email).slice(0, LONGEST_WHO),
    GIT_COMMITTER_DATE: dateOf(committer),
  };
  const input = withoutNul(draft.message);
  const output = await clone.git.run(['commit-tree', draft.tree, ...parents, '-F', '-'], { input, env });
  return output.toString('latin1').trim();
}

function objectOf({ tree, parents, author, committer, message }: CommitDraft): Buffer {
  const above = parents.map((parent) => `parent ${parent}`);
  const who = [`author ${gitIdentity(author)}`, `committer ${gitIdentity(committer)}`];
  return Buffer.from(`${[`tree ${tree}`, ...above, ...who].join('\n')}\n\n${withoutNul(message)}`);
}

/** Writes a commit object, signed if its committer has a key, and returns its id. */
export async function writeObject(
  clone: Pick<GitClone, 'git'>,
  object: Buffer,
  { key }: CommitterSignature,
): Promise<string> {
  const input = key === null ? object : signCommit(object, key);
  const output = await clone.git.run(['hash-object', '-t', 'commit', '-w', '--stdin'], { input });
  return output.toString('latin1').trim();
}

/** A person and date in the format of a commit header. */
export function gitIdentity(who: Signature): string {
  const email = withoutNul(who.email)
    .replace(/[<>\n]/g, '')
    .slice(0, LONGEST_WHO);
  return `${nameOf(who).replace(/[<>\n]/g, '')} <${email}> ${dateOf(who).slice(1)}`;
}

/**
 * Like `writeCommit`, for callers that continue while the commit is being written. A failure shows when the promise is
 * awaited.
 */
export function beginCommit(clone: GitClone, draft: UnwrittenDraft): Promise<string> {
  const written = Promise.all(draft.parents.map((parent) => Promise.resolve(parent))).then((parents) =>
    writeCommit(clone, { ...draft, parents }),
  );
  written.catch(() => undefined);
  return written;
}

/** A date in git's format, in whole seconds, because git stores no fractions. */
export function gitDate(at: Date): string {
  return `${Math.floor(at.getTime() / 1000)} +0000`;
}

/** The message of a merge commit, in the format of `git merge` and the code hosts. */
export function mergeMessageOf({ number, title, head, headBranch }: PullRequestAtHead): string {
  return paragraphs([`Merge pull request #${number} from ${oneLine(headBranch ?? head)}`, oneLine(title)]);
}

/**
 * A message of these paragraphs. It ends with a newline, like the messages of `git merge` and `git commit`, so that the
 * commits get the same ids. Words that would skip CI are broken up, because strangers may have written them.
 */
export function paragraphs(texts: readonly string[]): string {
  return withoutSkipWords(unbrokenParagraphs(texts));
}

/** Like `paragraphs`, but keeps words that skip CI. */
export function unbrokenParagraphs(texts: readonly string[]): string {
  return `${texts.filter((text) => text !== '').join('\n\n')}\n`;
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

export function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}

/** The longest name or email address. An environment variable cannot hold more than 128 KiB. */
const LONGEST_WHO = 1_000;

/**
 * The name as git would store it: git removes some characters from names, and refuses a name that has no other
 * characters.
 */
function nameOf({ name }: Person): string {
  const kept = withoutNul(name).slice(0, LONGEST_WHO);
  return /[^\p{Cc} .,:;<>"'\\]/u.test(kept) ? kept : 'unknown';
}

/** The author date, which a rebase keeps. Git can read some dates that it cannot write, and such dates become 1970. */
function dateOf({ date }: Signature): string {
  // Without the @, git would take a small number of seconds for a time of day.
  return `@${/^\d+ [+-]\d{4}$/.test(date) ? date : '0 +0000'}`;
}
