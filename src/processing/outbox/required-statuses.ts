import type { StatusPin } from '../../domain/code-host.port';
import type { RequiredStatusesSource } from '../../engine/vocabulary';
import {
  configurationPath,
  type Place,
  readConfiguration,
  readLastReadable,
  type UnreadableFile,
} from './tasks/configuration-file';

export type RequiredStatuses = FoundStatuses | NoStatuses | UnreadableFile;

export interface FoundStatuses {
  readonly type: 'found';
  readonly names: readonly string[];
  readonly source: RequiredStatusesSource;
  /** The names whose reports count only from one app, whatever the source of the names. */
  readonly pins: readonly StatusPin[];
}

/** No source names a required status. */
interface NoStatuses {
  readonly type: 'refused';
  readonly reason: 'start_test_run_no_required_statuses';
  readonly details: string;
}

export interface StatusesQuestion {
  /** The required statuses that are set manually on the queue. */
  readonly byHand: readonly string[];
  /**
   * The commit whose configuration file is read: the target's tip without any entry, so that no pull request waives its
   * own tests.
   */
  readonly base: string;
}

/** The statuses that a commit must pass, and their apps. */
export async function requiredStatusesOf(
  place: Place,
  question: StatusesQuestion,
  brand: string,
): Promise<RequiredStatuses> {
  const file = needsFile(place, question) ? await readConfiguration(place, question.base, brand) : NO_NAMES;
  return file.type === 'unreadable' ? file : firstNamed(place, question, file.statuses, brand);
}

/**
 * The statuses that a pull request has to pass if it fixes the configuration file of the base. Null if the file is
 * unreadable in each of the last commits.
 */
export async function lastReadableStatuses(
  place: Place,
  question: StatusesQuestion,
  brand: string,
): Promise<FoundStatuses | null> {
  const file = question.byHand.length > 0 ? NO_NAMES : await readLastReadable(place, question.base, brand);
  if (file?.type !== 'readable') return null;
  const found = await firstNamed(place, question, file.statuses, brand);
  return found.type === 'found' ? found : null;
}

const NO_NAMES = { type: 'readable', statuses: [], targets: null } as const;

/**
 * Whether the configuration file must be read. If statuses are set manually, the file is needed only if the commands in
 * it are run for the host.
 */
export function needsFile({ host }: Place, { byHand }: StatusesQuestion): boolean {
  return byHand.length === 0 || host.checksProblem !== undefined;
}

/**
 * The statuses of the first source that names any: the queue's settings, the configuration file, the branch protection.
 */
async function firstNamed(
  place: Place,
  { byHand }: StatusesQuestion,
  inFile: readonly string[],
  brand: string,
): Promise<FoundStatuses | NoStatuses> {
  const { host, repository, targetBranch } = place;
  if (byHand.length > 0) return found(place, byHand, 'merge_instance');
  if (inFile.length > 0) return found(place, inFile, 'trunk_config');
  const names = await host.readProtectedStatuses(repository, targetBranch);
  if (names.length > 0) return found(place, names, 'repo_provider_branch_protection');
  const details = `Neither the queue, ${configurationPath(brand)} nor the protection of ${targetBranch} names a required status.`;
  return { type: 'refused', reason: 'start_test_run_no_required_statuses', details };
}

async function found(
  { host, repository, targetBranch }: Place,
  names: readonly string[],
  source: RequiredStatusesSource,
): Promise<FoundStatuses> {
  const pins = (await host.readStatusPins?.(repository, targetBranch)) ?? [];
  return { type: 'found', names, source, pins: pins.filter(({ name }) => names.includes(name)) };
}
