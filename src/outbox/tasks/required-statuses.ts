import type { StatusPin } from '../../domain/code-host.port';
import type { RequiredStatusesSource, StartFailure } from '../../engine/vocabulary';
import { parseYaml } from '../../platform/yaml';
import type { TaskContext } from '../task';

export type RequiredStatuses = FoundStatuses | Refused;

export interface FoundStatuses {
  readonly type: 'found';
  readonly names: readonly string[];
  readonly source: RequiredStatusesSource;
  /** Those of the names that count only from one app, wherever the names come from. */
  readonly pins: readonly StatusPin[];
}

interface Refused {
  readonly type: 'refused';
  readonly reason: StartFailure;
  readonly details: string;
}

interface StatusesQuestion {
  /** Set by hand on the queue. */
  readonly byHand: readonly string[];
  /** The commit whose file is read: the target's tip without any entry, because no pull request may waive its own tests. */
  readonly base: string;
}

type Place = Pick<TaskContext, 'host' | 'repository' | 'targetBranch'>;

/** The names, and which of them the rules of the branch pin to an app. */
export async function requiredStatusesOf(
  place: Place,
  question: StatusesQuestion,
  brand: string,
): Promise<RequiredStatuses> {
  const found = await namesOf(place, question, brand);
  if (found.type === 'refused') return found;
  const pins = (await place.host.readStatusPins?.(place.repository, place.targetBranch)) ?? [];
  return { ...found, pins: pins.filter(({ name }) => found.names.includes(name)) };
}

type FoundNames = Omit<FoundStatuses, 'pins'> | Refused;

/** The first of these that names any: the queue's settings, the configuration file of the base, the branch protection. */
async function namesOf(
  { host, repository, targetBranch }: Place,
  { byHand, base }: StatusesQuestion,
  brand: string,
): Promise<FoundNames> {
  if (byHand.length > 0) return { type: 'found', names: byHand, source: 'merge_instance' };
  const path = `.${brand}/${brand}.yaml`;
  const file = readFile(await host.readFile(repository, base, path), path);
  if (file.type === 'refused' || file.names.length > 0) return file;
  const names = await host.readProtectedStatuses(repository, targetBranch);
  if (names.length > 0) return { type: 'found', names, source: 'repo_provider_branch_protection' };
  return refused(
    'start_test_run_no_required_statuses',
    `Neither the queue, ${path} nor the protection of ${targetBranch} names a required status.`,
  );
}

function readFile(text: string | null, path: string): FoundNames {
  const none: FoundNames = { type: 'found', names: [], source: 'trunk_config' };
  if (text === null) return none;
  const read = parseYaml(text);
  if (read.type === 'problem') return refused('start_test_run_config_parsing_failure', `${path} ${read.problem}.`);
  const root = read.value;
  if (root === null || root === undefined) return none;
  if (!isMapping(root)) return refused('start_test_run_config_parsing_failure', `${path} is not a mapping.`);
  const merge = root['merge'];
  if (merge === null || merge === undefined) return none;
  if (!isMapping(merge)) return badStatuses(path);
  const statuses = merge['required_statuses'];
  if (statuses === null || statuses === undefined) return none;
  if (!isListOfNames(statuses)) return badStatuses(path);
  return { type: 'found', names: [...new Set(statuses)], source: 'trunk_config' };
}

function badStatuses(path: string): Refused {
  return refused(
    'start_test_run_config_bad_required_statuses',
    `merge.required_statuses in ${path} is not a list of names.`,
  );
}

function refused(reason: StartFailure, details: string): Refused {
  return { type: 'refused', reason, details };
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOfNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && name.trim() !== '');
}
