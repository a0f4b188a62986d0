import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';

export type MadeKind = 'organization' | 'user' | 'repository';

/** A thing that a run created at the code host, or was about to create when it ended. */
export interface MadeThing {
  readonly kind: MadeKind;
  /** `owner/name` of a repository. */
  readonly name: string;
  /** The number at the code host; null: the run ended before the answer arrived. */
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
  /** Things that may still be at the code host, in the order of their creation. */
  readonly left: readonly MadeThing[];
  readonly isFinished: boolean;
}

/** The file is not a run file, or cannot be read. */
export class RunFileUnreadable extends Error {
  override readonly name = 'RunFileUnreadable';
}

/**
 * Everything that a run creates, one line of JSON each. Each line is on the disk before the method returns: the name of
 * a thing before the request that creates it, and its number directly after the answer. A run that is killed at any
 * point leaves a file that names everything.
 */
export class RunFile {
  private constructor(
    readonly path: string,
    readonly facts: RunFacts,
  ) {}

  /** Replaces an existing file. */
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

  /** Call it before the request that renames the thing. */
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

/** The last line may be broken: either its thing was not requested yet, or only its number is missing. */
function linesIn(path: string): readonly Line[] {
  const texts = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  try {
    return texts.map((text) => JSON.parse(text) as Line);
  } catch {
    throw new RunFileUnreadable(`${path} is no run file of certify.`);
  }
}
