import type { StartTestRun } from '../../../engine/commands';
import type { NotStarted } from '../../../engine/events';
import type { QueuedHead } from '../../../engine/model';
import { MOST_YAML_BYTES } from '../../../platform/yaml';
import type { TaskContext } from '../task';
import { configurationPath, readConfiguration, type UnreadableFile } from './configuration-file';
import {
  lastReadableStatuses,
  type FoundStatuses,
  needsFile,
  requiredStatusesOf,
  type StatusesQuestion,
} from '../required-statuses';

/**
 * The statuses that a run has to pass. While the configuration file of its base is unreadable, only pull requests that
 * change the file are tested, with the statuses of its last readable version. The other pull requests wait.
 */
export async function statusesToPass(
  task: TaskContext<StartTestRun>,
  brand: string,
): Promise<FoundStatuses | NotStarted> {
  const question = questionOf(task);
  const found = await requiredStatusesOf(task, question, brand);
  if (found.type !== 'unreadable') return found;
  const { own } = task.command;
  const changing = await thoseChangingFile(task, brand);
  const others = own.filter((change) => !changing.includes(change));
  if (others.length > 0) return waits(others, found.problem);
  const last = await lastReadableStatuses(task, question, brand);
  if (last !== null) return last;
  if (own.length === 0) return { type: 'refused', reason: found.reason, details: found.problem };
  return waits(
    own,
    `${found.problem} No version of this file in the last 100 commits of ${task.targetBranch} names statuses.`,
  );
}

/** Why the run cannot start with the configuration file of its candidate; null if it can. */
export async function objectionToFile(
  task: TaskContext<StartTestRun>,
  candidate: string,
  brand: string,
): Promise<NotStarted | null> {
  const question = questionOf(task);
  if (!needsFile(task, question)) return null;
  const built = await readConfiguration(task, candidate, brand);
  if (built.type === 'readable') return null;
  const changing = await thoseChangingFile(task, brand);
  const base = await readConfiguration(task, question.base, brand);
  if (base.type === 'readable') return refusal(changing, built);
  const breaking: QueuedHead[] = [];
  for (const change of changing)
    if ((await readConfiguration(task, change.head, brand)).type === 'unreadable') breaking.push(change);
  // The pull requests change other lines of the file, so the error of the target remains.
  if (breaking.length === 0 && changing.length > 0) return waits(changing, built.problem);
  return refusal(breaking, built);
}

/**
 * The refusal of the guilty pull request. Null if no own pull request is guilty, because the error comes from the
 * entries ahead.
 */
function refusal(guilty: readonly QueuedHead[], { reason, problem: details }: UnreadableFile): NotStarted | null {
  const [one] = guilty;
  if (one === undefined) return null;
  return { type: 'entry_refused', number: guilty.length === 1 ? one.number : null, reason, details };
}

function waits(changes: readonly QueuedHead[], problem: string): NotStarted {
  return { type: 'config_unreadable', numbers: changes.map(({ number }) => number), problem };
}

async function thoseChangingFile(task: TaskContext<StartTestRun>, brand: string): Promise<readonly QueuedHead[]> {
  const changing: QueuedHead[] = [];
  for (const change of task.command.own) if (await changesFile(task, change.head, brand)) changing.push(change);
  return changing;
}

async function changesFile(
  { host, repository, command }: TaskContext<StartTestRun>,
  head: string,
  brand: string,
): Promise<boolean> {
  const [base, path] = [command.target.commit, configurationPath(brand)];
  if (host.changesFile) return host.changesFile(repository, { base, head, path });
  const read = (commit: string) => host.readFile(repository, commit, path, MOST_YAML_BYTES);
  return JSON.stringify(await read(base)) !== JSON.stringify(await read(head));
}

function questionOf({ command }: TaskContext<StartTestRun>): StatusesQuestion {
  return { byHand: command.requiredStatuses, base: command.target.commit };
}
