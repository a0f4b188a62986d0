import { build } from './build';
import { insertBefore, newRun, takeOut, testAgain } from './line';
import type { Entry, LineRun } from './model';
import { URGENT } from '../../../src/engine/vocabulary';
import { ahead, isAssumedToPass, isBuiltOn, isDistrusted, share, targetsOf } from './lanes';
import { compareTurns, nextGroup, overtaken, rank, waitingInOrder } from './pending';
import { isInTest, mayStartTests, type OracleQueue } from './queue';

/**
 * Moves a waiting urgent entry to the front of the sequence, behind runs that are landing and behind earlier urgent
 * entries.
 */
export function placeUrgent(queue: OracleQueue): boolean {
  if (!mayStartTests(queue)) return false;
  const [urgent] = [...queue.entries.values()].filter(isWaitingUrgent).sort(compareTurns);
  if (urgent === undefined) return false;
  takeOut(queue, urgent);
  const ahead = queue.line.findLastIndex((run) => run.phase === 'landing' || run.isUrgent);
  insertBefore(queue, ahead + 1, newRun(queue, [urgent], 'urgent'));
  return true;
}

function isWaitingUrgent(entry: Entry): boolean {
  return entry.priority === URGENT && entry.where === 'waiting';
}

function holdsSlot(run: LineRun): boolean {
  return isInTest(run) || (run.phase === 'landing' && run.phaseBeforeLanding === 'testing');
}

export function slotsInUse(queue: OracleQueue): number {
  return queue.line.filter(holdsSlot).length;
}

/**
 * The next run without a test. In single mode this is the first run without a test, and in parallel mode the run
 * without a test that has the earliest turn. Urgent runs come first.
 */
function nextQueued(queue: OracleQueue): LineRun | undefined {
  const queued = queue.line.filter((run) => run.phase === 'queued');
  if (queue.mode === 'single' || queued[0]?.isUrgent) return queued[0];
  return queued
    .filter((run) => !isToBeOvertaken(queue, run))
    .sort((a, b) => turnInLine(queue, a) - turnInLine(queue, b))[0];
}

/** Whether the run failed, and a later run that was built without it is about to land. */
function isToBeOvertaken(queue: OracleQueue, run: LineRun): boolean {
  const onTheirWay = queue.line.filter((other) => other.place > run.place && WAYS_TO_LAND.includes(other.phase));
  const isPast = (other: LineRun): boolean => share(targetsOf(other), targetsOf(run)) && !isBuiltOn(other, run);
  return isDistrusted(queue, run) && onTheirWay.some(isPast);
}

const WAYS_TO_LAND: readonly LineRun['phase'][] = ['building', 'testing', 'passed', 'landing'];

function turnInLine(queue: OracleQueue, run: LineRun): number {
  return turnOf(queue, run.entries, openAhead(queue, ahead(queue, run)));
}

/**
 * The turn of a group. Each undecided entry ahead makes the turn one place per slot later, and each entry that waits
 * behind makes it two fifths of a place per slot earlier.
 */
function turnOf(queue: OracleQueue, entries: readonly Entry[], open: number): number {
  const orders = entries.map(({ submittedOrder }) => submittedOrder);
  const later = [...queue.entries.values()].filter(
    (other) =>
      other.submittedOrder > Math.max(...orders) &&
      (other.where === 'waiting' ||
        (other.where === 'line' && other.run?.phase !== 'passed' && other.run?.phase !== 'landing')) &&
      entries.some(({ targets }) => share(targets, other.targets)),
  );
  return Math.min(...orders) + queue.settings.concurrency * (open - 0.4 * later.length);
}

function compareRanks(some: readonly Entry[], others: readonly Entry[]): number {
  const best = (entries: readonly Entry[], figure: (entry: Entry) => number): number =>
    Math.min(...entries.map(figure));
  const byPriority = best(some, ({ priority }) => priority) - best(others, ({ priority }) => priority);
  return best(some, rank) - best(others, rank) || byPriority;
}

/** The number of pull requests in these runs that have not passed yet but are assumed to pass. */
function openAhead(queue: OracleQueue, runs: readonly LineRun[]): number {
  const open = runs.filter((run) => run.phase !== 'passed' && run.phase !== 'landing' && isAssumedToPass(queue, run));
  return open.flatMap((run) => run.entries).length;
}

function openFor(queue: OracleQueue, entries: readonly Entry[]): number {
  return openAhead(
    queue,
    queue.line.filter((run) => entries.some(({ targets }) => share(targets, targetsOf(run)))),
  );
}

/**
 * The next entries to join the sequence. In parallel mode without batches, the entry with the earliest turn is chosen
 * among entries of equal rank.
 */
function nextToJoin(queue: OracleQueue): readonly Entry[] | null {
  if (queue.mode === 'single' || queue.settings.batch) return nextGroup(queue);
  const waiting = waitingInOrder(queue);
  const free = waiting.filter((one, i) => !waiting.slice(0, i).some((other) => share(other.targets, one.targets)));
  const equals = free.filter((one) => compareRanks([one], free.slice(0, 1)) === 0);
  const turn = (one: Entry): number => turnOf(queue, [one], openFor(queue, [one]));
  const [next] = equals.sort((a, b) => turn(a) - turn(b));
  return next ? [next] : null;
}

/**
 * Fills a free slot with the next run without a test, or else with the next waiting entries. Only one candidate is made
 * at a time.
 */
export function startRuns(queue: OracleQueue): boolean {
  if (!mayStartTests(queue)) return false;
  if (slotsInUse(queue) >= queue.settings.concurrency) return yieldSlot(queue);
  if (queue.line.some((run) => run.phase === 'building')) return false;
  const queued = nextQueued(queue);
  if (queue.health.redTarget !== null && !queued?.isUrgent) return false;
  const group = queued !== undefined && (queue.mode === 'single' || queued.isUrgent) ? null : nextToJoin(queue);
  if (queued !== undefined && (group === null || isLater(queue, group, queued))) {
    build(queue, queued);
    return true;
  }
  if (group === null) return false;
  for (const problem of overtaken(queue, group)) queue.complain(problem);
  queue.line.push(newRun(queue, group, 'in order'));
  return true;
}

function isLater(queue: OracleQueue, group: readonly Entry[], queued: LineRun): boolean {
  if (compareRanks(group, queued.entries) > 0) return true;
  return turnOf(queue, group, openFor(queue, group)) >= turnInLine(queue, queued);
}

/**
 * Gives an urgent run without a slot the slot of the ordinary test that started last. An urgent run whose restart was
 * requested does not get one.
 */
function yieldSlot(queue: OracleQueue): boolean {
  const urgent = queue.line.find((run) => run.phase === 'queued' && run.isUrgent && !run.isAskedFor);
  const ordinary = queue.line.filter((run) => isInTest(run) && !run.isUrgent);
  const [last] = ordinary.sort((a, b) => b.startedOrder - a.startedOrder);
  if (urgent === undefined || last === undefined) return false;
  if (queue.line.some((run) => run.phase === 'building' && run !== last)) return false;
  testAgain(queue, last);
  build(queue, urgent);
  return true;
}
