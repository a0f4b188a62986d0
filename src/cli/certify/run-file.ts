import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';

export type MadeKind = 'organization' | 'user' | 'repository';

/** Something that a run made at the code host, or was about to make when it ended. */
export interface MadeThing {
  readonly kind: MadeKind;
  /** `owner/name` of a repository. */
  readonly name: string;
  /** The host's own number; null: the run ended before the answer came. */
  readonly number: number | null;
  /** Further names that it may have by now. */
  readonly otherNames: readonly string[];
}

export interface RunFacts {
  /** Part of every name that the run gives. */
  readonly run: string;
  readonly kind: string;
  readonly url: string;
}

type Line =
  | ({ readonly type: 'run' } & RunFacts)
  | { readonly type: 'intended' | 'gone'; readonly kind: MadeKind; readonly name: string }
  | { readonly type: 'made'; readonly kind: MadeKind; readonly name: string; readonly number: number }
  | { readonly type: 'renaming'; readonly kind: MadeKind; readonly name: string; readonly to: string }
  | { readonly type: 'finished' };

/** The content of a run file. */
export interface ReadRunFile {
  readonly facts: RunFacts;
  /** Things that may still be at the host, in the order in which they were made. */
  readonly left: readonly MadeThing[];
  readonly isFinished: boolean;
}

/** The file is no run file, or cannot be read. */
export class RunFileUnreadable extends Error {
  override readonly name = 'RunFileUnreadable';
}

/**
 * Everything that a run made, one line of JSON after another. Each line is on the disk before the method returns: the name of a thing before the
 * request that makes it, and its number directly after the answer. A run that is killed at any line leaves a file that names everything.
 */
export class RunFile {
  private constructor(
    readonly path: string,
    readonly facts: RunFacts,
  ) {}

  /** A file that is there is replaced. */
  static begin(path: string, facts: RunFacts): RunFile {
    const file = new RunFile(path, facts);
    file.write('w', { type: 'run', ...facts });
    return file;
  }

  /** To go on with the removal of what a run left. A line that broke off is cut. */
  static resume(path: string, { facts }: ReadRunFile): RunFile {
    const content = readFileSync(path);
    truncateSync(path, content.lastIndexOf('\n') + 1);
    return new RunFile(path, facts);
  }

  intends(kind: MadeKind, name: string): void {
    this.append({ type: 'intended', kind, name });
  }

  made(kind: MadeKind, name: string, number: number): void {
    this.append({ type: 'made', kind, name, number });
  }

  /** Before the request that renames it. */
  renames(kind: MadeKind, name: string, to: string): void {
    this.append({ type: 'renaming', kind, name, to });
  }

  /** `name`: the first one that it had. */
  isGone(kind: MadeKind, name: string): void {
    this.append({ type: 'gone', kind, name });
  }

  finish(): void {
    this.append({ type: 'finished' });
  }

  private append(line: Line): void {
    this.write('a', line);
  }

  private write(flag: 'a' | 'w', line: Line): void {
    const file = openSync(this.path, flag, 0o600);
    try {
      writeSync(file, `${JSON.stringify(line)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }
}

/** Null: there is none. Throws RunFileUnreadable. */
export function readRunFile(path: string): ReadRunFile | null {
  if (!existsSync(path)) return null;
  const lines = linesIn(path);
  const [first] = lines;
  if (first?.type !== 'run') throw new RunFileUnreadable(`${path} is no run file of certify.`);
  const { run, kind, url } = first;
  const things = new Map<string, MadeThing>();
  for (const line of lines) {
    if (line.type === 'run' || line.type === 'finished') continue;
    const key = `${line.kind} ${line.name}`;
    const known = things.get(key) ?? { kind: line.kind, name: line.name, number: null, otherNames: [] };
    if (line.type === 'gone') things.delete(key);
    else if (line.type === 'made') things.set(key, { ...known, number: line.number });
    else if (line.type === 'renaming') things.set(key, { ...known, otherNames: [...known.otherNames, line.to] });
    else things.set(key, known);
  }
  const isFinished = lines.some(({ type }) => type === 'finished');
  return { facts: { run, kind, url }, left: [...things.values()], isFinished };
}

/** The last line may have broken off: what it names was not asked for yet, or its number alone is missing. */
function linesIn(path: string): readonly Line[] {
  const texts = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  try {
    return texts.map((text) => JSON.parse(text) as Line);
  } catch {
    throw new RunFileUnreadable(`${path} is no run file of certify.`);
  }
}
