import type { PullRequestAtHead } from '../../domain/code-host.port';
import { LISTING_CALL } from './commit-limits';
import { oneLine, unbrokenParagraphs, withoutNul } from './commit-objects';
import type { GitClone } from './git-clone';
import type { Person } from './objects';
import { withoutSkipWords } from './skip-words';

/** A commit of a pull request. */
interface SquashedCommit {
  readonly author: Person;
  readonly subject: string;
  /** The trailers of the commit, each on one line: `Name: value`. */
  readonly trailers: readonly string[];
}

export interface Squash {
  /** The author of the first commit; null if there is none. */
  readonly author: Person | null;
  readonly message: string;
  /** Whether the text has words that would skip CI, which are broken up in the message. */
  readonly hasSkipWords: boolean;
}

/** In a longer branch, only this number of newest commits counts. */
const MOST_COMMITS = 1_000;
const MOST_TITLES = 100;
const FIELDS = ['%an', '%ae', '%s', '%(trailers:only=true,unfold=true)'];
const TRAILER = /^[A-Za-z0-9][A-Za-z0-9-]*:\s+\S/;
/** Prefixes of titles that `git rebase --autosquash` removes. */
const FIXUP = /^(fixup|squash|amend)! /;
const CO_AUTHOR = 'Co-authored-by';

/**
 * The message for the one commit of a pull request: its title and description, then the titles of its commits, then
 * their trailers and authors. `ground`: a commit whose history is not part of the pull request.
 */
export async function squashOf(clone: GitClone, ground: string, pullRequest: PullRequestAtHead): Promise<Squash> {
  const commits = await listCommits(clone, ground, pullRequest.head);
  const author = commits[0]?.author ?? null;
  const written = messageOf(pullRequest, commits, author);
  const message = withoutSkipWords(written);
  return { author, message, hasSkipWords: message !== written };
}

async function listCommits(clone: GitClone, ground: string, head: string): Promise<readonly SquashedCommit[]> {
  const format = `--format=tformat:${FIELDS.join('%x00')}%x00`;
  const limits = ['--no-merges', '--topo-order', `--max-count=${MOST_COMMITS}`];
  const args = ['log', ...limits, '--encoding=UTF-8', format, `${ground}..${head}`];
  const fields = (await clone.git.run(args, LISTING_CALL)).toString('utf8').split('\0');
  const commits: SquashedCommit[] = [];
  for (let at = 0; at + FIELDS.length <= fields.length; at += FIELDS.length) {
    const [name = '', email = '', subject = '', trailers = ''] = fields.slice(at, at + FIELDS.length);
    // The newline that ends a record is at the beginning of the next record.
    const author = { name: name.replace(/^\n/, ''), email };
    commits.unshift({ author, subject: oneLine(subject), trailers: trailers.split('\n').filter(Boolean) });
  }
  return commits;
}

function messageOf(pullRequest: PullRequestAtHead, commits: readonly SquashedCommit[], author: Person | null): string {
  const title = oneLine(pullRequest.title);
  const { text, trailers } = withoutTrailers(withoutNul(pullRequest.body).replace(/\r\n?/g, '\n').trim());
  return unbrokenParagraphs([
    `${title} (#${pullRequest.number})`.trim(),
    text,
    titlesOf(commits, title).join('\n'),
    [...new Set([...trailers, ...commits.flatMap((commit) => commit.trailers), ...coAuthors(commits, author)])]
      .filter(isFirstOfItsKind)
      .join('\n'),
  ]);
}

function titlesOf(commits: readonly SquashedCommit[], title: string): readonly string[] {
  const subjects = new Set(commits.map(({ subject }) => subject).filter((subject) => !FIXUP.test(subject)));
  subjects.delete(title);
  subjects.delete('');
  const listed = [...subjects].slice(0, MOST_TITLES).map((subject) => `* ${subject}`);
  const more = subjects.size - listed.length;
  return more > 0 ? [...listed, `* and ${more} more`] : listed;
}

/** Separates the last paragraph from the text if every line of it is a trailer. */
function withoutTrailers(text: string): { readonly text: string; readonly trailers: readonly string[] } {
  const split = text.lastIndexOf('\n\n');
  const last = text.slice(split < 0 ? 0 : split + 2).split('\n');
  if (!last.every((line) => TRAILER.test(line))) return { text, trailers: [] };
  return { text: split < 0 ? '' : text.slice(0, split).trim(), trailers: last.map((line) => line.trim()) };
}

function coAuthors(commits: readonly SquashedCommit[], author: Person | null): readonly string[] {
  return commits
    .filter((commit) => author !== null && keyOf(commit.author) !== keyOf(author))
    .map((commit) => `${CO_AUTHOR}: ${commit.author.name} <${commit.author.email}>`);
}

function keyOf({ name, email }: Person): string {
  return email === '' ? name : email.toLowerCase();
}

/**
 * Whether no earlier trailer says the same. Persons are compared by email address, because a name may be written in
 * several ways.
 */
function isFirstOfItsKind(trailer: string, at: number, all: readonly string[]): boolean {
  return all.findIndex((other) => kindOf(other) === kindOf(trailer)) === at;
}

function kindOf(trailer: string): string {
  const [name = '', value = ''] = trailer.split(/:\s+(.*)/s);
  const address = name.toLowerCase() === CO_AUTHOR.toLowerCase() ? /<([^>]+)>/.exec(value)?.[1] : undefined;
  return `${name.toLowerCase()}: ${(address ?? value).toLowerCase()}`;
}
