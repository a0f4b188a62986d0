import { blameRuns } from './blame';
import { makeCandidate } from './build';
import { restartSearches, startPrefixes } from './change-search';
import { landRuns } from './landing';
import { isProven } from './lanes';
import { failUnproven, rebuildRuns, takeOut, testAgain } from './line';
import type { Entry } from './model';
import type { OracleQueue } from './queue';
import { endSearch, returnGroup } from './search';
import { placeUrgent, startRuns } from './start';
import { askTarget, followControl, settleHeld } from './verdict';

type Step = (queue: OracleQueue) => boolean;

/**
 * The steps in which the queue draws consequences from facts. When a step changes something, all steps are taken again
 * from the first one.
 */
const STEPS: readonly Step[] = [
  followNews,
  failUnproven,
  restartSearches,
  settleHeld,
  rebuildRuns,
  blameRuns,
  followControl,
  landRuns,
  switchMode,
  placeUrgent,
  startRuns,
  askTarget,
];

const MOST_ROUNDS = 5_000;

export function settle(queue: OracleQueue): void {
  queue.noticeTarget();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (![...STEPS, makeCandidate, startPrefixes].some((step) => step(queue))) return;
  }
  queue.complain('the steps do not come to rest');
}

/** Applies observations of pull requests that are in no landing. An observed merge counts before an observed push. */
function followNews(queue: OracleQueue): boolean {
  const isFree = (entry: Entry): boolean => entry.where !== 'out' && entry.run?.phase !== 'landing';
  return [...queue.entries.values()].filter(isFree).some((entry) => follow(queue, entry));
}

function follow(queue: OracleQueue, entry: Entry): boolean {
  const { heard } = entry;
  if (!heard.isMerged && heard.head === entry.head) return false;
  takeOut(queue, entry);
  queue.leave(entry, heard.isMerged ? 'merged' : 'cancelled', heard.isMerged ? 'by hand' : 'pushed to');
  return true;
}

/**
 * Completes a mode switch as soon as no run is landing or waiting to land. All open entries then wait again, in their
 * old order, under the new mode.
 */
function switchMode(queue: OracleQueue): boolean {
  if (queue.modeSwitch === null || queue.landing !== null || isAnythingTested(queue)) return false;
  for (const run of queue.line)
    for (const entry of run.entries) queue.wait(entry, { returnedOrder: queue.nextNumber(), group: 0 });
  for (const run of queue.line) testAgain(queue, run);
  queue.line = [];
  for (const search of queue.searches) {
    endSearch(queue, search);
    returnGroup(queue, search.members, search.members.length - 1);
  }
  queue.mode = queue.modeSwitch.to;
  queue.modeSwitch = null;
  return true;
}

/**
 * Whether a test is in progress that is still needed. The test of a run that another run proves is not needed any more.
 */
function isAnythingTested(queue: OracleQueue): boolean {
  return [...queue.tests.values()].some(({ of }) => !('line' in of) || !isProven(queue, of.line));
}
