import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';

export type MadeKind = 'organization' | 'user' | 'repository';

/** A repository, user or organization that a run created, or was about to create when the run ended. */
export interface MadeThing {
  readonly kind: MadeKind;
  /** The name of the thing: `owner/name` for a repository. */
  readonly name: string;
  /** The number at the code host; null: the run ended before the answer arrived. */
  readonly number: number | null;
  /** Further names that the thing may have by now. */
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
  /** Things that may still be at the code host, in the order of their creation. */
  readonly left: readonly MadeThing[];
  readonly isFinished: boolean;
}

/** The file is not a run file, or cannot be read. */
export class RunFileUnreadable extends Error {
  override readonly name = 'RunFileUnreadable';
}

/**
 * A file with one line of JSON for each thing that a run creates. Each line is on the disk before the method returns:
 * the name of a thing before the request that creates the thing, and its number directly after the answer. If a run is
 * killed, its file still names everything that it created.
 */
export class RunFile {
  private constructor(
    readonly path: string,
    readonly facts: RunFacts,
  ) {}

  /** Begins a run file, and replaces an existing file. */
  static begin(path: string, facts: RunFacts): RunFile {
    const file = new RunFile(path, facts);
    file.write('w', { type: 'run', ...facts });
    return file;
  }

  /** Continues the file of an earlier run, to remove its leftovers. A broken last line is cut off. */
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

  /** Call this method before the request that renames the thing. */
  renames(kind: MadeKind, name: string, to: string): void {
    this.append({ type: 'renaming', kind, name, to });
  }

  /** `name`: the first name of the thing. */
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

/** Null: no file. Throws RunFileUnreadable. */
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

/**
 * A broken last line is ignored: either the request for its thing was not sent yet, or only the number of the thing is
 * missing.
 */
function linesIn(path: string): readonly Line[] {
  const texts = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  try {
    return texts.map((text) => JSON.parse(text) as Line);
  } catch {
    throw new RunFileUnreadable(`${path} is no run file of certify.`);
  }
}
