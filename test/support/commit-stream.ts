/** The time of the commits, which is the same in other test commits. */
const WHEN_RAW = '1767323045 +0000';

/** The new content of a file, or null to remove the file. */
export type FileChange =
  | string
  | Buffer
  | null
  | { readonly symlink: string }
  | { readonly executable: string }
  | { readonly renamedTo: string };

export type FileChanges = Readonly<Record<string, FileChange>>;

export interface CommitOptions {
  readonly title?: string;
  readonly body?: string;
  readonly author?: string;
  readonly email?: string;
  /** The parent commit; the present tip of `main` if absent. */
  readonly from?: string;
  /** If false, the ref moves only if the new commit contains its present commit, as in an ordinary push. */
  readonly isForced?: boolean;
}

/** Input for `git fast-import` that makes the commit and prints its id. */
export function commitStream(
  ref: string,
  parent: string | null,
  files: FileChanges,
  { title = 'a change', body = '', author = 'Ada', email = 'ada@example.com' }: CommitOptions,
): Buffer {
  const message = body === '' ? `${title}\n` : `${title}\n\n${body}\n`;
  return Buffer.concat([
    text(
      `commit ${ref}\nmark :1\nauthor ${author} <${email}> ${WHEN_RAW}\ncommitter Ada <ada@example.com> ${WHEN_RAW}\n`,
    ),
    data(message),
    text(parent === null ? '' : `from ${parent}\n`),
    ...Object.entries(files).map(([path, change]) => fileCommand(path, change)),
    text('\nget-mark :1\n'),
  ]);
}

function fileCommand(path: string, change: FileChange): Buffer {
  if (change === null) return text(`D ${quoted(path)}\n`);
  if (typeof change === 'string' || Buffer.isBuffer(change)) return file('100644', path, change);
  if ('symlink' in change) return file('120000', path, change.symlink);
  if ('renamedTo' in change) return text(`R ${quoted(path)} ${quoted(change.renamedTo)}\n`);
  return file('100755', path, change.executable);
}

function file(mode: string, path: string, content: string | Buffer): Buffer {
  return Buffer.concat([text(`M ${mode} inline ${quoted(path)}\n`), data(content)]);
}

function data(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([text(`data ${bytes.length}\n`), bytes, text('\n')]);
}

function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

function text(content: string): Buffer {
  return Buffer.from(content);
}
