import type { TooLarge } from '../../../domain/code-host.port';
import type { StartFailure } from '../../../engine/vocabulary';
import { MOST_YAML_BYTES, parseYaml, TOO_LARGE_YAML } from '../../../platform/yaml';
import type { TaskContext } from '../task';
import { type FileTargets, readTargets } from './targets-of-file';
import { isMapping } from '../../../platform/mapping';

/** A repository at its host, and its target branch. */
export type Place = Pick<TaskContext, 'host' | 'repository' | 'targetBranch'>;

export type ConfigurationFile = ReadableFile | UnreadableFile;

/** The content of the configuration file. A missing file has no statuses and no targets. */
interface ReadableFile {
  readonly type: 'readable';
  /** The required statuses in the file; empty if it names none. */
  readonly statuses: readonly string[];
  /** The targets in the file; null if it has none. */
  readonly targets: FileTargets | null;
}

export interface UnreadableFile {
  readonly type: 'unreadable';
  readonly reason: Extract<StartFailure, `start_test_run_config_${string}`>;
  /** A sentence that names the file and, if known, the line. */
  readonly problem: string;
}

/** The maximum length of the error text, which may quote any part of the file. */
const LONGEST_PROBLEM = 500;

export function configurationPath(brand: string): string {
  return `.${brand}/${brand}.yaml`;
}

export async function readConfiguration(place: Place, commit: string, brand: string): Promise<ConfigurationFile> {
  const path = configurationPath(brand);
  const text = await place.host.readFile(place.repository, commit, path, MOST_YAML_BYTES);
  return understood(place, path, text);
}

/**
 * The content of the configuration file in the newest of the target's last 100 commits in which the file is readable.
 * Null if it is readable in none of them.
 */
export async function readLastReadable(place: Place, commit: string, brand: string): Promise<ConfigurationFile | null> {
  const { host, repository } = place;
  const path = configurationPath(brand);
  const asked = { repository, commit, path, mostCommits: 100, maxBytes: MOST_YAML_BYTES };
  const versions = (await host.readFileVersions?.(asked)) ?? [];
  for (const text of versions) {
    const file = understood(place, path, text);
    if (file.type === 'readable') return file;
  }
  return null;
}

function understood({ host }: Place, path: string, text: string | null | TooLarge): ConfigurationFile {
  const none: ReadableFile = { type: 'readable', statuses: [], targets: null };
  if (text === null) return none;
  const read = typeof text === 'string' ? parseYaml(text) : TOO_LARGE_YAML;
  if (read.type === 'problem') return cannotBeParsed(`${path} ${read.problem}.`);
  const root = read.value;
  if (root === null || root === undefined) return none;
  if (!isMapping(root)) return cannotBeParsed(`${path} is not a mapping (line ${read.lineOf()}).`);
  const checks = typeof text === 'string' ? host.checksProblem?.(text) : null;
  if (checks) return cannotBeParsed(`${path}: ${checks}`);
  const section = readTargets(root.targets, path);
  if (section.type === 'problem') return cannotBeParsed(`${section.problem} (line ${read.lineOf(...section.at)}).`);
  const withTargets = { ...none, targets: section.targets };
  const { merge } = root;
  if (merge === null || merge === undefined) return withTargets;
  const statuses = isMapping(merge) ? merge['required_statuses'] : merge;
  if (isMapping(merge) && (statuses === null || statuses === undefined)) return withTargets;
  if (isMapping(merge) && isListOfNames(statuses)) return { ...withTargets, statuses: [...new Set(statuses)] };
  const line = read.lineOf('merge', 'required_statuses');
  const problem = `merge.required_statuses in ${path} is not a list of names (line ${line}).`;
  return { type: 'unreadable', reason: 'start_test_run_config_bad_required_statuses', problem };
}

function cannotBeParsed(problem: string): UnreadableFile {
  return {
    type: 'unreadable',
    reason: 'start_test_run_config_parsing_failure',
    problem: problem.slice(0, LONGEST_PROBLEM),
  };
}

function isListOfNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && name.trim() !== '');
}
