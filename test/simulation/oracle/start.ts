import { build } from './build';
import { insertBefore, newRun, takeOut, testAgain } from './line';
import type { Entry, LineRun } from './model';
import { URGENT } from '../../../src/engine/vocabulary';
import { ahead, isBelieved, share, targetsOf } from './lanes';
import { compareTurns, nextGroup, overtaken, waitingInOrder } from './pending';
import { mayStartTests, type OracleQueue } from './queue';

/** An urgent entry that waits goes to the head, behind what is being landed and urgent ones before it. */
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

function isInTest({ phase }: LineRun): boolean {
  return phase === 'building' || phase === 'testing';
}

export function slotsInUse(queue: OracleQueue): number {
  return queue.line.filter(holdsSlot).length;
}

/** In the line the first without a test. In lanes the one with the fewest ahead of it that have not passed, urgent ones first. */
function nextQueued(queue: OracleQueue): LineRun | undefined {
  const queued = queue.line.filter((run) => run.phase === 'queued');
  if (queue.mode === 'single' || queued[0]?.isUrgent) return queued[0];
  return queued.sort((a, b) => openAhead(queue, ahead(queue, a)) - openAhead(queue, ahead(queue, b)))[0];
}

/** Pull requests that are built on and have not passed. */
function openAhead(queue: OracleQueue, runs: readonly LineRun[]): number {
  const open = runs.filter((run) => run.phase !== 'passed' && run.phase !== 'landing' && isBelieved(queue, run));
  return open.flatMap((run) => run.entries).length;
}

function openFor(queue: OracleQueue, entries: readonly Entry[]): number {
  return openAhead(
    queue,
    queue.line.filter((run) => entries.some(({ targets }) => share(targets, targetsOf(run)))),
  );
}

/** In lanes without batches, among equals: the fewest ahead that have not passed. */
function nextToJoin(queue: OracleQueue): readonly Entry[] | null {
  if (queue.mode === 'single' || queue.settings.batch) return nextGroup(queue);
  const waiting = waitingInOrder(queue);
  const free = waiting.filter((one, i) => !waiting.slice(0, i).some((other) => share(other.targets, one.targets)));
  const equals = free.filter((one) => one.priority === free[0]?.priority && isBack(one) === isBack(free[0]));
  const [next] = equals.sort((a, b) => openFor(queue, [a]) - openFor(queue, [b]));
  return next ? [next] : null;
}

function isBack({ returnedOrder }: Entry): boolean {
  return returnedOrder > 0;
}

/**
 * A free slot goes to what stands in the line without a test, in order; else the next that wait join it. One candidate
 * is made at a time.
 */
export function startRuns(queue: OracleQueue): boolean {
  if (!mayStartTests(queue)) return false;
  if (slotsInUse(queue) >= queue.settings.concurrency) return yieldSlot(queue);
  if (queue.line.some((run) => run.phase === 'building')) return false;
  const queued = nextQueued(queue);
  const open = queued === undefined ? Infinity : openAhead(queue, ahead(queue, queued));
  const group = queued !== undefined && (queue.mode === 'single' || queued.isUrgent) ? null : nextToJoin(queue);
  if (queued !== undefined && (group === null || openFor(queue, group) >= open)) {
    build(queue, queued);
    return true;
  }
  if (group === null) return false;
  for (const problem of overtaken(queue, group)) queue.complain(problem);
  queue.line.push(newRun(queue, group, 'in order'));
  return true;
}

/** An urgent entry without a slot gets that of the test that started last; not when it was restarted, though. */
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
