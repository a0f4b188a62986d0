/** An object in the format of `git cat-file --batch`. */
export interface GitObject {
  readonly id: string;
  readonly type: 'commit' | 'tree' | 'blob' | 'tag';
  readonly content: Buffer;
}

export interface Person {
  readonly name: string;
  readonly email: string;
}

export interface CommitDescription {
  readonly author: Person;
  readonly title: string;
  readonly body: string;
}

/** Parses the output of `git cat-file --batch` for `count` names. Null for a name without an object. */
export function parseObjects(output: Buffer, count: number): readonly (GitObject | null)[] {
  const objects: (GitObject | null)[] = [];
  let at = 0;
  while (objects.length < count) {
    const end = output.indexOf('\n', at);
    if (end === -1) throw new Error('The output of git cat-file ended too early');
    const header = output.toString('utf8', at, end);
    const match = /^([0-9a-f]{40,64}) (commit|tree|blob|tag) (\d+)$/.exec(header);
    at = end + 1;
    if (match === null) {
      objects.push(null);
      continue;
    }
    const [, id = '', type, size] = match;
    const content = output.subarray(at, at + Number(size));
    objects.push({ id, type: type as GitObject['type'], content });
    at += Number(size) + 1;
  }
  return objects;
}

/** The tree of a commit object. */
export function treeOf(commit: GitObject): string {
  const line = commit.content.toString('latin1', 0, 'tree '.length + 64);
  const match = /^tree ([0-9a-f]{40,64})\n?/.exec(line);
  if (match?.[1] === undefined) throw new Error(`${commit.id} is not a commit`);
  return match[1];
}

/** The parents of a commit object, the first parent first. */
export function parentsOf(commit: GitObject): readonly string[] {
  const text = commit.content.toString('latin1');
  const headers = text.slice(0, text.indexOf('\n\n'));
  return [...headers.matchAll(/^parent ([0-9a-f]{40,64})$/gm)].map(([, parent]) => parent!);
}

/**
 * The longest name or title that is kept, in characters. A message may have hundreds of megabytes, and code hosts cut
 * names and titles, too.
 */
const LONGEST_LINE = 1_000;
const LONGEST_BODY = 65_536;

/**
 * The author of a commit object, and its message without surrounding white space. Anybody may have written the message,
 * so the time for parsing must grow only linearly with its length.
 */
export function describeCommit(commit: GitObject): CommitDescription {
  const text = commit.content.toString('utf8');
  const split = text.indexOf('\n\n');
  const headers = split === -1 ? text : text.slice(0, split);
  const author = headers.split('\n').find((line) => line.startsWith(AUTHOR));
  const message = split === -1 ? '' : text.slice(split + 2).trim();
  const [title = '', ...rest] = message.split(/\n[ \t]*\n/);
  const titleLines = title.split('\n').map((line) => line.trim());
  return {
    author: personIn(author?.slice(AUTHOR.length) ?? ''),
    title: titleLines
      .filter((line) => line !== '')
      .join(' ')
      .slice(0, LONGEST_LINE),
    body: rest.join('\n\n').trim().slice(0, LONGEST_BODY),
  };
}

const AUTHOR = 'author ';
const DATE = /^> -?\d+ [+-]\d+$/;

/** Parses a person in a commit, such as `Ada <ada@example.com> 1767323045 +0000`. */
function personIn(line: string): Person {
  const [open, close] = [line.indexOf('<'), line.lastIndexOf('>')];
  if (open === -1 || close < open || !DATE.test(line.slice(close))) return { name: '', email: '' };
  const name = line.slice(0, line[open - 1] === ' ' ? open - 1 : open);
  return { name: name.slice(0, LONGEST_LINE), email: line.slice(open + 1, close).slice(0, LONGEST_LINE) };
}

export function committedAt(commit: GitObject): Date {
  const match = /^committer .*> (-?\d+) [+-]\d+$/m.exec(commit.content.toString('utf8'));
  return new Date(Number(match?.[1] ?? 0) * 1000);
}
