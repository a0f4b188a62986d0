import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ImpactedTargets, LONGEST_TARGET, isStorableText, isWordForAll } from '../../../domain/impacted-targets';
import { GlobSet } from '../../../domain/glob-set';
import { isMapping } from '../../../platform/mapping';

/** The globs of each target in `targets:` of a configuration file. */
export interface FileTargets {
  /** A key that differs if the targets or their globs differ. */
  readonly key: string;
  readonly targets: readonly Target[];
}

interface Target {
  /** The name of the target; null if these files impact every target. */
  readonly name: string | null;
  readonly globs: readonly string[];
}

export type ReadTargets =
  /** `targets`: null if the file has no targets. */
  | { readonly type: 'read'; readonly targets: FileTargets | null }
  /** `problem`: a sentence without the line; `at`: the keys that lead to the error. */
  | { readonly type: 'problem'; readonly problem: string; readonly at: readonly string[] };

const MOST_TARGETS = 500;
/**
 * The maximum number of globs of all targets together, counted after each `**` that stands for folders was expanded.
 */
const MOST_GLOBS = 2_000;
const LONGEST_GLOB = 1_000;
/** The maximum number of `**` for folders in one glob, each of which doubles the number of expanded globs. */
const MOST_FOLDERS = 3;
const FOLDERS = /(?<=^|\/)\*\*\//;
const SHOWN = 80;

/** `section`: the value of `targets` in the file. */
export function readTargets(section: unknown, file: string): ReadTargets {
  if (section === null || section === undefined) return { type: 'read', targets: null };
  const problem = (words: string, ...at: readonly string[]): ReadTargets => ({
    type: 'problem',
    problem: `${['targets', ...at.map(shown)].join('.')} in ${file} ${words}`,
    at: ['targets', ...at],
  });
  if (!isMapping(section)) return problem('must map names of targets to globs');
  const entries = Object.entries(section);
  if (entries.length === 0) return { type: 'read', targets: null };
  if (entries.length > MOST_TARGETS) return problem(`has ${entries.length} targets; it may have ${MOST_TARGETS}`);
  const targets: Target[] = [];
  for (const [name, value] of entries) {
    if (name === '' || name.length > LONGEST_TARGET || !isStorableText(name))
      return problem(`is no name of a target: it must have 1 to ${LONGEST_TARGET} characters`, name);
    const globs: unknown = typeof value === 'string' ? [value] : value;
    if (!Array.isArray(globs) || globs.length === 0) return problem('must be a glob or a list of globs', name);
    const wrong = globs.map(whyNoGlob).find((why) => why !== null);
    if (wrong != null) return problem(wrong, name);
    targets.push({ name: isWordForAll(name) ? null : name, globs: (globs as readonly string[]).flatMap(writtenOut) });
  }
  const count = targets.reduce((sum, { globs }) => sum + globs.length, 0);
  if (count > MOST_GLOBS)
    return problem(`has more than ${MOST_GLOBS} globs; a glob with **/ counts twice for each of them`);
  return { type: 'read', targets: { key: keyOf(targets), targets } };
}

function whyNoGlob(glob: unknown): string | null {
  if (typeof glob !== 'string' || glob.trim() === '') return 'must be a glob or a list of globs';
  if (glob.length > LONGEST_GLOB) return `has a glob of more than ${LONGEST_GLOB} characters`;
  if (glob.startsWith('!')) return `must not exclude files (${shown(glob)}): name the files that belong to the target`;
  if (glob.split(FOLDERS).length - 1 > MOST_FOLDERS)
    return `has a glob with more than ${MOST_FOLDERS} times **/: ${shown(glob)}`;
  return null;
}

// The globs, in the form of `GlobSet`, for which one glob of the file stands: from the root, for a folder with
// everything in it, and for `a/**/b` also `a/b`.
function writtenOut(glob: string): readonly string[] {
  const anchored = glob.replace(/^(\.?\/)+/, '').replace(/\/$/, '/*');
  const parts = anchored.split(FOLDERS);
  return parts
    .slice(1)
    .reduce((begun, part) => begun.flatMap((one) => [`${one}${part}`, `${one}*/${part}`]), [parts[0] ?? '']);
}

/** The number of paths per step. Other work of the process gets its turn between two steps. */
const PATHS_PER_TURN = 500;
/** The effort for one pull request, which is less than a second. Globs that people write need a thousandth of it. */
const EFFORT_AT_MOST = 2_000_000;

export type Impact =
  | { readonly type: 'told'; readonly impacted: ImpactedTargets }
  /** Comparing the globs with the paths takes too long. */
  | { readonly type: 'too_costly' };

/**
 * The targets that changes of these paths impact: all targets with a matching glob, or every target if a path matches
 * no glob.
 */
export async function impactOf({ targets }: FileTargets, paths: readonly string[]): Promise<Impact> {
  const globs = new GlobSet(targets.flatMap((target) => target.globs));
  const owners: readonly (string | null)[] = targets.flatMap((target) => target.globs.map(() => target.name));
  const names = new Set<string>();
  for (const [i, path] of paths.entries()) {
    const matching = globs.matching(path, EFFORT_AT_MOST - globs.effort);
    if (matching === null) return { type: 'too_costly' };
    const found = matching.map((glob) => owners[glob] ?? null);
    if (found.length === 0 || found.includes(null)) return { type: 'told', impacted: { all: true, names: [] } };
    for (const name of found) if (name !== null) names.add(name);
    if (i % PATHS_PER_TURN === PATHS_PER_TURN - 1) await nextTurn();
  }
  return { type: 'told', impacted: { all: false, names: [...names].sort() } };
}

function keyOf(targets: readonly Target[]): string {
  return createHash('sha256').update(JSON.stringify(targets)).digest('hex').slice(0, 40);
}

function shown(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
