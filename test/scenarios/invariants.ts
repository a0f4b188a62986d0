import type { EntryState, QueueMode } from '../../src/engine/vocabulary';
import type { Targets } from './notation';
import { type Moment, type SeenEntry, type SeenRun, type Sight } from './stage';

const MINUTE_MS = 60_000;

/** Facts that the story records itself, without asking the queue. */
export interface Known {
  readonly mode: QueueMode;
  readonly submitted: ReadonlySet<number>;
  readonly targets: ReadonlyMap<number, Targets>;
  /** The newest report of each status, by run number. */
  readonly reports: ReadonlyMap<number, ReadonlyMap<string, 'running' | 'passed' | 'failed' | 'cancelled'>>;
  /** Heads with their own passed statuses, which may be merged directly. */
  readonly passedHeads: ReadonlySet<string>;
  /** Runs for which CI has reported a failure at any time. */
  readonly everRed: ReadonlySet<number>;
}

/** The invariants that the story violates, in the order of the conformance rules. Checked after every deed. */
export function violationsIn(sight: Sight, known: Known): readonly string[] {
  return [
    ...sight.problems,
    ...landedTrees(sight, known),
    ...nothingTwice(sight),
    ...nobodyLost(sight, known),
    ...oneRunPerSet(sight),
    ...onlyTheRedFail(sight, known),
    ...(sight.entries ?? []).flatMap(statesExplained),
  ];
}

/**
 * In single mode, every content of the target must have passed as exactly that tree. In parallel mode, each change must
 * have passed together with every landed change that shares a target with it.
 */
function landedTrees({ moves, runs }: Sight, known: Known): readonly string[] {
  const passed = runs.filter((run) => hasPassed(run, known)).map((run) => [...run.base, ...run.adds]);
  const proven = [...passed, ...[...known.passedHeads].map((head) => [head])];
  return moves.flatMap(({ before, after }) => {
    if (known.mode === 'single') {
      const isTested = proven.some((tree) => sameTree(tree, after));
      return isTested ? [] : [`the target was moved to ${after.join(' ')}, which nobody tested`];
    }
    const landed = after.filter((name) => !before.includes(name));
    return landed.flatMap((name) => {
      const needed = sharing(name, after, known);
      const isTested = proven.some((tree) => needed.every((other) => tree.includes(other)));
      return isTested ? [] : [`${name} landed and was never tested together with ${needed.join(' ')}`];
    });
  });
}

/**
 * The change itself, and earlier changes on the target that share an impacted target with it, directly or through other
 * changes.
 */
function sharing(name: string, target: readonly string[], { targets }: Known): readonly string[] {
  const reached = [name];
  for (const other of reached) {
    const ahead = target.slice(0, target.indexOf(name));
    reached.push(...ahead.filter((one) => !reached.includes(one) && shares(targetsOf(one), targetsOf(other))));
  }
  return reached;

  function targetsOf(one: string): Targets {
    return targets.get(Number(one.split('@')[0])) ?? [];
  }
}

function shares(a: Targets, b: Targets): boolean {
  if (a.length === 0 || b.length === 0) return false;
  return a === 'ALL' || b === 'ALL' || a.some((target) => b.includes(target));
}

function nothingTwice({ target }: Sight): readonly string[] {
  const numbers = target.map((name) => name.split('@')[0]);
  const twice = numbers.filter((number, i) => numbers.indexOf(number) !== i);
  return twice.map((number) => `${number} is on the target twice`);
}

function nobodyLost({ entries }: Sight, { submitted }: Known): readonly string[] {
  if (entries === null) return [];
  const lost = [...submitted].filter((number) => !entries.some((entry) => entry.number === number));
  const unexplained = entries.filter((entry) => !isConcluded(entry) && !entry.waitingFor);
  return [
    ...lost.map((number) => `#${number} was submitted and is nowhere`),
    ...unexplained.map((entry) => `#${entry.number} is ${entry.state} and nothing says why`),
  ];
}

function oneRunPerSet({ runs }: Sight): readonly string[] {
  const live = runs
    .filter((run) => run.standing === 'awaited' && run.kind === 'line')
    .map((run) => [...run.base, ...run.adds].join(' '));
  return live.filter((tree, i) => live.indexOf(tree) !== i).map((tree) => `two live runs test ${tree}`);
}

/** A pull request fails for tests only if a run that contains it failed in CI or ran out of time. */
function onlyTheRedFail({ entries, runs, now }: Sight, { everRed }: Known): readonly string[] {
  const isRed = (run: SeenRun): boolean =>
    everRed.has(run.number) || now >= run.pushedAt + run.timeoutMinutes * MINUTE_MS;
  return (entries ?? []).flatMap(({ number, state, reason }) => {
    if (state !== 'failed' || !reason?.startsWith('test_run_')) return [];
    const red = runs.some((run) => isRed(run) && run.adds.some((name) => name.startsWith(`${number}@`)));
    return red ? [] : [`#${number} failed (${reason}) and no red run holds it`];
  });
}

/** Every change of state has a time and a reason or a test run, and each state may follow the state before it. */
function statesExplained({ number, state, reason, timeline }: SeenEntry): readonly string[] {
  const last = timeline.at(-1);
  if (!last) return [`#${number} has no history`];
  if (last.state !== state || last.reason !== reason)
    return [`#${number} is ${state} (${reason}), its history ends with ${last.state} (${last.reason})`];
  return timeline.flatMap((moment, i) => unexplained(number, moment, timeline[i - 1]));
}

/**
 * The states that may follow each state of an entry. An open entry may also be cancelled or merged manually. A
 * concluded entry may only be submitted again.
 */
const NEXT: Readonly<Record<EntryState, readonly EntryState[]>> = {
  not_ready: ['pending'],
  pending: ['testing', 'tests_passed', 'pending_failure', 'not_ready', 'failed', 'pending'],
  testing: ['tests_passed', 'pending_failure', 'pending', 'testing'],
  tests_passed: ['pending', 'testing', 'pending_failure', 'failed'],
  pending_failure: ['tests_passed', 'pending', 'failed'],
  merged: [],
  failed: [],
  cancelled: [],
};

function mayFollow(before: EntryState, state: EntryState): boolean {
  const isOver = NEXT[before].length === 0;
  if (isOver) return state === 'not_ready';
  return state === 'cancelled' || state === 'merged' || NEXT[before].includes(state);
}

function unexplained(number: number, moment: Moment, before: Moment | undefined): readonly string[] {
  const { state, reason, hasRun, at } = moment;
  const saysRun = state === 'testing' || state === 'pending_failure';
  if (saysRun ? !hasRun : reason === null) return [`#${number} became ${state} and nothing says why`];
  if (before && !mayFollow(before.state, state)) return [`#${number} became ${state} when it was ${before.state}`];
  if (before && before.at > at) return [`#${number} became ${state} before it became ${before.state}`];
  return [];
}

function hasPassed({ number, requiredStatuses }: SeenRun, { reports }: Known): boolean {
  const newest = reports.get(number);
  return requiredStatuses.length > 0 && requiredStatuses.every((name) => newest?.get(name) === 'passed');
}

/** Whether two trees have the same changes. The order of merging makes no difference. */
function sameTree(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name) => b.includes(name));
}

function isConcluded({ state }: SeenEntry): boolean {
  return state === 'merged' || state === 'failed' || state === 'cancelled';
}
