import { evaluatePrefixes } from './evaluate-search';
import { queuedHeadsOf, type Entry, type Search } from './model';
import { nextPrefixes, suspectsOf } from './prefixes';
import { lookAt, mayStartTests, type OracleQueue } from './queue';
import {
  confirm,
  endSearch,
  replaceSearch,
  returnAround,
  returnGroup,
  searchAmong,
  stopLonger,
  stopPrefix,
} from './search';
import { searchSlots, searchSlotsInUse } from './verdict';
import { conflictsWith } from './world';

/**
 * Takes a leaving entry out of a bisection. If the entry is behind the shortest failed prefix, the bisection goes on.
 * Otherwise the bisection ends, because its results are about another batch.
 */
export function leaveSearch(queue: OracleQueue, search: Search, leaving: Entry): void {
  const { members, results } = search;
  const { passed, failed } = suspectsOf(search);
  const at = members.indexOf(leaving);
  if (at >= failed) {
    members.splice(at, 1);
    stopLonger(queue, search, at);
    for (const length of results.keys()) if (length > at) results.delete(length);
    return evaluatePrefixes(queue, search);
  }
  endSearch(queue, search);
  const kept = Math.min(passed, at);
  const rest = members.slice(kept).filter((entry) => entry !== leaving);
  returnGroup(queue, members.slice(0, kept), members.length - 1);
  returnGroup(queue, rest, members.length - 1);
}

/** Restarts a bisection with the remaining suspects on the new target, after somebody else moved the target. */
export function restartSearches(queue: OracleQueue): boolean {
  const search = queue.searches.find((other) => other.base.epoch !== queue.epoch);
  if (search === undefined) return false;
  stopLonger(queue, search, 0);
  if (search.stage.type === 'confirmation') {
    search.base = queue.presentBase();
    search.red = null;
    search.results.clear();
    return true;
  }
  const { passed, failed } = suspectsOf(search);
  const suspects = search.members.slice(passed, failed);
  const turn = returnAround(queue, search, passed, failed);
  if (suspects.length === 1 && suspects[0]) confirm(queue, search, suspects[0], turn);
  else replaceSearch(queue, search, searchAmong(queue, suspects, search));
  return true;
}

/** Fills the bisection slots, the oldest bisection first. Returns true if an entry cannot be tested and leaves. */
export function startPrefixes(queue: OracleQueue): boolean {
  if (!mayStartTests(queue) || queue.health.redTarget !== null) return false;
  let free = searchSlots(queue) - searchSlotsInUse(queue);
  for (const search of queue.searches) {
    if (search.red?.isAwaiting) continue;
    if (search.stage.type === 'confirmation' && queue.hostTarget.length !== queue.target.length) {
      // A build on a target that the queue does not know yet cannot succeed, but takes its slot.
      free -= Number(search.tests.size === 0);
      continue;
    }
    for (let next = nextPrefixes(search, free); next.length > 0; next = nextPrefixes(search, free)) {
      if (next.some((length) => startPrefix(queue, search, length) === 'refused')) return true;
      free -= next.length;
    }
  }
  return false;
}

/** All prefixes of a bisection share one base. A confirmation uses the present target. */
function startPrefix(queue: OracleQueue, search: Search, prefix: number): 'started' | 'refused' {
  const members = search.members.slice(0, prefix);
  if (search.stage.type === 'confirmation') search.base = queue.presentBase();
  if (lookAt(queue, members) === 'changed') return 'refused';
  const base = queue.target.slice(0, search.base.targetLength);
  const unfit = members.find((entry) => conflictsWith(queue.world, entry.number, base));
  if (unfit !== undefined) {
    leaveSearch(queue, search, unfit);
    queue.fail(unfit, 'conflict');
    return 'refused';
  }
  search.tests.set(prefix, queue.startTest({ search, prefix }, members, search.base, queuedHeadsOf(members)));
  return 'started';
}

/** Restarts the test of the shortest prefix that contains the entry. */
export function restartPrefix(queue: OracleQueue, search: Search, entry: Entry): void {
  if (search.red?.isAwaiting) {
    search.red = null;
    search.results.clear();
    return;
  }
  const lengths = [...search.tests.keys()].filter((length) => search.members.indexOf(entry) < length);
  if (lengths.length === 0) return;
  stopPrefix(queue, search, Math.min(...lengths));
  if (search.stage.type === 'prefixes') evaluatePrefixes(queue, search);
}
