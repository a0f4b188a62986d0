import { flowRuns, isOwnOf, poolOf } from '../flow/runs';
import { groupSize } from '../flow/next-group';
import { suspectSets } from '../flow/standing';
import type { Entry, QueueSnapshot } from '../model';
import { sizeFor } from '../policy/batches';
import { isBeingLanded, isBuiltOn, lineOf, queuedHeadsOf } from '../policy/line';
import { slotsOf } from '../policy/slots';
import { isConcluded } from '../states';
import { isFlow, standingOf } from '../flow-facts/scheduling';

/**
 * The obstacle that decides how long an entry still takes: a word, for some obstacles with the amount ahead, as in
 * `waits 3`. Entries in one situation take about equally long.
 */
export type Situation = string;

/**
 * Up to this many steps, each step is a situation. Beyond that, there are two situations for each doubling of the
 * number of steps.
 */
const LINEAR_STEPS = 8;
const MOST_GROUPS = 9;
const MOST_SUSPECTS = 8;
/** The number of steps per load. A load is the number of entries that all slots test at once. */
const STEPS_PER_LOAD = 4;

/** An entry that waits for its first test, or for another test. */
export type WaitingEntry = Pick<Entry, 'id' | 'returnedOrder'>;

/**
 * The situations of the entries in progress and of the waiting entries. `waiting`: the waiting entries in order, from
 * the first. An entry is left out if people decide how long it takes: it is not ready, waits for a configuration file,
 * or its queue does not run.
 */
export function situationsOf(queue: QueueSnapshot, waiting: readonly WaitingEntry[]): ReadonlyMap<string, Situation> {
  const situations = new Map<string, Situation>();
  if (queue.state !== 'running') return situations;
  const inProgress = isFlow(queue) ? inFlow(queue) : inOrder(queue);
  for (const entry of queue.entries) {
    if (isConcluded(entry.state) || entry.state === 'not_ready') continue;
    const situation = isPassing(queue, entry) ? 'landing' : inProgress(entry);
    if (situation !== null) situations.set(entry.id, situation);
  }
  const step = loadOf(queue) / STEPS_PER_LOAD;
  for (const [ahead, { id, returnedOrder }] of waiting.entries()) {
    if (!situations.has(id)) situations.set(id, `${returnedOrder > 0 ? 'again' : 'waits'} ${stepsTo(ahead / step)}`);
  }
  return situations;
}

/**
 * The situation of a pull request that is submitted now. `waiting`: the number of entries ahead of it. `inUse`: the
 * number of slots in use.
 */
export function situationOfNew(
  queue: QueueSnapshot,
  { waiting, inUse }: { readonly waiting: number; readonly inUse: number },
): Situation {
  const slots = isFlow(queue) ? poolOf(queue) : slotsOf(queue);
  if (waiting > 0 || inUse >= slots) return `waits ${stepsTo((waiting * STEPS_PER_LOAD) / loadOf(queue))}`;
  if (isFlow(queue)) return 'tested';
  return counted('tested', queue.mode === 'parallel' ? 0 : inUse, MOST_GROUPS);
}

function stepsTo(steps: number): number {
  if (steps < LINEAR_STEPS) return Math.floor(steps);
  return LINEAR_STEPS + Math.floor(2 * Math.log2(steps / LINEAR_STEPS));
}

function isPassing(queue: QueueSnapshot, entry: Entry): boolean {
  return entry.state === 'tests_passed' || isBeingLanded(queue, entry);
}

function counted(word: string, howMany: number, atMost: number): Situation {
  return `${word} ${Math.min(atMost, howMany)}`;
}

function loadOf(queue: QueueSnapshot): number {
  return isFlow(queue) ? poolOf(queue) * groupSize(queue) : slotsOf(queue) * sizeFor(queue, []);
}

/** Returns null for an entry that waits. */
type SituationOf = (entry: Entry) => Situation | null;

function inOrder(queue: QueueSnapshot): SituationOf {
  const line = lineOf(queue);
  const searched = new Map(queue.searches.map((search) => [search.number, search]));
  return ({ state, search, place }) => {
    if (state === 'pending_failure') return 'red';
    if (search !== null) return counted('searched', searched.get(search)?.members.length ?? 1, MOST_SUSPECTS);
    const at = place === null ? -1 : line.findIndex((group) => group.place === place);
    if (at < 0) return null;
    const { run } = line[at]!;
    const ahead = line.slice(0, at).filter((group) => run === null || isBuiltOn(run, queuedHeadsOf(group)));
    return counted('tested', ahead.length, MOST_GROUPS);
  };
}

function inFlow(queue: QueueSnapshot): SituationOf {
  const sizes = new Map(suspectSets(queue).map(({ number, members }) => [number, members.length]));
  return (entry) => {
    const { at, reds, set } = standingOf(entry);
    if (at === 'passed') return 'passed';
    if (at === 'suspect') return reds > 0 ? 'red' : counted('searched', sizes.get(set) ?? 1, MOST_SUSPECTS);
    if (!flowRuns(queue).some((run) => isOwnOf(run, entry))) return null;
    return entry.returnedOrder > 0 ? 'tested_again' : 'tested';
  };
}
