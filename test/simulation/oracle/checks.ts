import type { QueueMode } from '../../../src/engine/vocabulary';
import { share } from './lanes';
import {
  type ChangeName,
  queuedHeadsOf,
  type Entry,
  type Landing,
  type LineRun,
  nameOf,
  type Targets,
  type Tree,
} from './model';
import { mayStartTests, type OracleQueue } from './queue';
import { slotsInUse } from './start';
import { searchSlotsInUse } from './verdict';
import { conflictsWith, isRed } from './world';

/**
 * Checks that every entry is in exactly one place, and that the queue put only changes of merged entries on the target.
 */
export function misplaced(queue: OracleQueue): readonly string[] {
  return [...queue.entries.values()].flatMap((entry) => {
    const inLine = queue.line.filter((run) => run.entries.includes(entry));
    const inSearch = queue.searches.filter((search) => search.members.includes(entry));
    const said: string[] = [];
    if (inLine.length !== Number(entry.where === 'line') || inLine.some((run) => run !== entry.run))
      said.push(`#${entry.number} is ${entry.where} and at ${inLine.length} places of the line`);
    if (inSearch.length !== Number(entry.where === 'search') || inSearch.some((search) => search !== entry.search))
      said.push(`#${entry.number} is ${entry.where} and in ${inSearch.length} searches`);
    if (entry.conclusion !== 'merged' && queue.landedTargets.has(nameOf(entry.number, entry.head)))
      said.push(`#${entry.number} is ${entry.conclusion ?? entry.where} and on the target`);
    return said;
  });
}

export interface StateBefore {
  readonly slotsOfLine: number;
  readonly testsOfSearches: number;
  readonly testsStarted: number;
  readonly wasRunning: boolean;
  readonly wasPaused: boolean;
  readonly landing: Landing | null;
}

export function stateOf(queue: OracleQueue): StateBefore {
  return {
    slotsOfLine: slotsInUse(queue),
    testsOfSearches: searchSlotsInUse(queue),
    testsStarted: queue.testsStarted,
    wasRunning: mayStartTests(queue),
    wasPaused: queue.state === 'paused',
    landing: queue.landing,
  };
}

/**
 * Checks that a queue starts and lands only what its state and its slots allow. With fewer slots, running tests go on.
 */
export function beyondState(queue: OracleQueue, before: StateBefore): readonly string[] {
  const now = stateOf(queue);
  const { concurrency, bisectionConcurrency } = queue.settings;
  const searchSlots = bisectionConcurrency ?? concurrency;
  const said: string[] = [];
  if (now.slotsOfLine > Math.max(concurrency, before.slotsOfLine))
    said.push(`${now.slotsOfLine} tests of the line in ${concurrency} slots`);
  if (now.testsOfSearches > Math.max(searchSlots, before.testsOfSearches))
    said.push(`${now.testsOfSearches} tests of searches in ${searchSlots} slots`);
  if (!before.wasRunning && !now.wasRunning && now.testsStarted > before.testsStarted)
    said.push('a test was started in a queue that may start none');
  if (before.wasPaused && now.wasPaused && now.landing !== null && now.landing !== before.landing)
    said.push('a landing was ordered in a paused queue');
  return said;
}

export interface BeforeLanding {
  readonly mode: QueueMode;
  readonly target: Tree;
}

/**
 * Finds content that a landing brought to the target untested. Called right after the landing, with the state before
 * it.
 */
export function landedUntested(
  queue: OracleQueue,
  { mode, target: before }: BeforeLanding,
  { runs, targets }: Landing,
): readonly string[] {
  const landed = queue.target.slice(before.length);
  const said = landed.filter((name) => before.includes(name)).map((name) => `${name} landed twice`);
  if (mode === 'parallel') return [...said, ...landedBesideUntested(queue, runs, targets)];
  if (!queue.passedTrees.has(queue.target.join(' '))) said.push(`nobody tested [${queue.target.join(' ')}]`);
  return said;
}

function landedBesideUntested(
  queue: OracleQueue,
  runs: readonly LineRun[],
  targets: Landing['targets'],
): readonly string[] {
  const tested = runs.at(-1)?.testedTree ?? [];
  const entries = runs.flatMap((run) => run.entries);
  const fromOutside = queue.target.slice(1).filter((name) => !queue.landedTargets.has(name));
  const untested = queue.target.filter((name) => !tested.includes(name));
  const missing = tested.filter((name) => !queue.target.includes(name));
  const sharing = (names: readonly ChangeName[], own: Targets): readonly ChangeName[] =>
    names.filter((name) => fromOutside.includes(name) || share(targets.get(name) ?? [], own));
  return entries.flatMap((entry) => [
    ...sharing(untested, targets.get(nameOf(entry.number, entry.head)) ?? []).map(
      (name) => `#${entry.number} landed beside ${name}, never tested together`,
    ),
    ...missing.filter((name) => isSharing(queue, name, entry)).map((name) => `#${entry.number} landed without ${name}`),
  ]);
}

function isSharing(queue: OracleQueue, name: ChangeName, entry: Entry): boolean {
  const other = [...queue.entries.values()].find((known) => nameOf(known.number, known.head) === name);
  return other !== undefined && share(other.targets, entry.targets);
}

/**
 * Finds entries that failed because of another entry. An entry did so if it passes or merges when it is tested alone on
 * the target of its verdict.
 */
export function unjust(queue: OracleQueue): readonly string[] {
  return queue.verdicts.flatMap(({ entry, because, target }) => {
    const alone = [...target, ...queuedHeadsOf([entry])];
    if (because === 'red' && !isRed(queue.world, alone))
      return [`#${entry.number} failed and passes on [${target.join(' ')}]`];
    if (because === 'conflict' && !conflictsWith(queue.world, entry.number, target))
      return [`#${entry.number} failed and fits onto [${target.join(' ')}]`];
    return [];
  });
}
