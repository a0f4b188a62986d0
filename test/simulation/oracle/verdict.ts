import { URGENT } from '../../../src/engine/vocabulary';
import type { CiRun, Control, Entry, RedAlone, RedMoment, Search } from './model';
import { isInTest, mayStartTests, type OracleQueue } from './queue';
import { confirmationOf, endSearch } from './search';
import { countFlake, redsDemanded } from './flakes';

/**
 * Handles an entry that failed in isolation. The entry fails if this failure is the first one since a run passed. After
 * a later failure, the entry is held outside the sequence.
 */
export function judgeAlone(queue: OracleQueue, entry: Entry, moment: RedMoment): void {
  const red = withRed(queue, null, moment);
  if (red.isFirst && redsDemanded(queue) <= 1) return queue.fail(entry, 'red');
  const search = confirmationOf(queue, entry, queue.nextNumber());
  search.red = red;
  queue.searches.push(search);
}

/** Handles the failure in isolation of the only suspect in a bisection. */
export function hearRedAlone(queue: OracleQueue, search: Search, moment: RedMoment): void {
  search.red = withRed(queue, search.red, { ...moment, minute: queue.minute });
}

function withRed(queue: OracleQueue, before: RedAlone | null, { began, minute, passes, streak }: RedMoment): RedAlone {
  const isFirst = before?.isFirst || (queue.health.redsIn.get(streak) ?? 0) === 0;
  noteRed(queue, streak);
  return {
    reds: (before?.reds ?? 0) + 1,
    isFirst,
    streaks: new Set([...(before?.streaks ?? []), streak]),
    isAwaiting: true,
    after: passes,
    began,
    since: minute,
  };
}

function noteRed({ health: { redsIn } }: OracleQueue, streak: number): void {
  redsIn.set(streak, (redsIn.get(streak) ?? 0) + 1);
}

export function noteGreen(queue: OracleQueue, { began }: CiRun): void {
  const { health } = queue;
  const { passing } = health;
  const from = passing !== null && began <= passing.until ? Math.min(passing.from, began) : began;
  health.passing = { from, until: queue.minute };
  health.passes++;
  health.streak++;
  health.redTarget = null;
  countFlake(queue, 'no');
}

type Verdict = 'fails' | 'again' | 'waits';

function verdictOn(queue: OracleQueue, { reds, isFirst, streaks, after, began }: RedAlone): Verdict {
  if (reds < redsDemanded(queue)) return 'again';
  if (isFirst) return 'fails';
  if (queue.health.passes === after) return 'waits';
  const { passing } = queue.health;
  return streaks.size > 1 || (passing !== null && passing.from <= began) ? 'fails' : 'again';
}

/** Gives held entries their verdict as soon as one is possible. While the target fails, no entry is blamed. */
export function settleHeld(queue: OracleQueue): boolean {
  return queue.searches.some((search) => {
    const { red } = search;
    const [entry] = search.members;
    if (!red?.isAwaiting || entry === undefined) return false;
    return queue.health.redTarget === null
      ? settleOne(queue, search, red, entry)
      : returnBlameless(queue, search, entry);
  });
}

function settleOne(queue: OracleQueue, search: Search, red: NonNullable<Search['red']>, entry: Entry): boolean {
  const verdict = verdictOn(queue, red);
  if (verdict === 'waits') return false;
  if (verdict === 'again') {
    red.isAwaiting = false;
    return true;
  }
  endSearch(queue, search);
  queue.fail(entry, 'red', queue.target.slice(0, search.base.targetLength));
  return true;
}

function returnBlameless(queue: OracleQueue, search: Search, entry: Entry): boolean {
  if (entry.priority === URGENT) return false;
  endSearch(queue, search);
  const { failedSize } = search;
  const batchAtMost = failedSize > 1 ? Math.min(entry.batchAtMost, failedSize - 1) : entry.batchAtMost;
  queue.wait(entry, { returnedOrder: queue.nextNumber(), group: 0, batchAtMost });
  return true;
}

/**
 * Starts the ordered test of the target as soon as the test is possible. Ends the test when a run has passed, so that
 * no entry needs the result any more.
 */
export function followControl(queue: OracleQueue): boolean {
  const { control } = queue;
  if (control === null) return false;
  const isAwaited = queue.health.redTarget !== null || waitingForWord(queue).length > 0;
  if (control.epoch === queue.epoch && isAwaited) return startControl(queue, control);
  stopControl(queue, control);
  return true;
}

/**
 * Orders a test of the target when an entry needs its result and no other test gives a result in time. While the target
 * fails, orders further tests of it.
 */
export function askTarget(queue: OracleQueue): boolean {
  if (queue.control !== null || !mayStartTests(queue) || searchSlotsInUse(queue) >= searchSlots(queue)) return false;
  if (!isWordNeeded(queue)) return false;
  queue.control = { epoch: queue.epoch, targetLength: queue.target.length, test: null };
  return true;
}

function isWordNeeded(queue: OracleQueue): boolean {
  const { redTarget } = queue.health;
  if (redTarget !== null)
    return queue.minute >= redTarget.againAt && [...queue.entries.values()].some(({ where }) => where !== 'out');
  const waiting = waitingForWord(queue);
  const isOther = queue.line.some(isInTest) || queue.searches.some(({ tests }) => tests.size > 0);
  return isOther ? waiting.some(({ since }) => queue.minute >= since + MINUTES_OF_OTHERS) : waiting.length > 0;
}

const MINUTES_OF_OTHERS = 10;

function waitingForWord(queue: OracleQueue): readonly RedAlone[] {
  const held = queue.searches.flatMap(({ red }) => (red?.isAwaiting ? [red] : []));
  return held.filter((red) => verdictOn(queue, red) === 'waits');
}

function startControl(queue: OracleQueue, control: Control): boolean {
  if (control.test !== null || queue.hostTarget.length !== queue.target.length) return false;
  control.test = queue.startTest({ control }, [], control, []);
  return true;
}

function stopControl(queue: OracleQueue, { test }: Control): void {
  if (test !== null) queue.stopTest(test);
  queue.control = null;
}

export function hearTarget(queue: OracleQueue, result: 'passed' | 'failed'): void {
  queue.control = null;
  if (result === 'passed') return;
  noteRed(queue, queue.health.streak);
  const times = (queue.health.redTarget?.times ?? 0) + 1;
  const pause = times === 1 ? 0 : Math.min(30, 2 ** (times - 2));
  queue.health.redTarget = { times, againAt: queue.minute + pause };
}

export function searchSlots({ settings }: OracleQueue): number {
  return settings.bisectionConcurrency ?? settings.concurrency;
}

export function searchSlotsInUse(queue: OracleQueue): number {
  const tests = queue.searches.reduce((sum, search) => sum + search.tests.size, 0);
  return tests + Number(queue.control !== null);
}
