import type { Entry, LineRun, Search } from './model';
import type { OracleQueue } from './queue';

/** Begins the bisection of a failed batch. The batch leaves the sequence, and the bisection uses slots of its own. */
export function beginSearch(queue: OracleQueue, run: LineRun): void {
  queue.line = queue.line.filter((other) => other !== run);
  queue.say(`  search among [${run.entries.map((entry) => entry.number).join(' ')}]`);
  queue.searches.push(searchAmong(queue, run.entries, queue.settings));
}

type Like = { readonly optimizationMode: Search['optimizationMode']; readonly failedSize?: number };

/** With `optimizationMode` off, the whole batch is tested again before any entry is suspected. */
export function searchAmong(queue: OracleQueue, members: readonly Entry[], like: Like): Search {
  const { optimizationMode, failedSize = members.length } = like;
  const search: Search = {
    members: [...members],
    optimizationMode,
    failedSize,
    red: null,
    moments: new Map(),
    base: queue.presentBase(),
    stage: { type: optimizationMode === 'off' ? 'whole' : 'prefixes' },
    tests: new Map(),
    results: new Map(),
  };
  for (const entry of members) Object.assign(entry, { where: 'search', run: null, search } satisfies Partial<Entry>);
  return search;
}

/** Replaces a bisection by its successor in the same position, because the oldest bisection gets slots first. */
export function replaceSearch(queue: OracleQueue, search: Search, by: Search): void {
  queue.searches = queue.searches.map((other) => (other === search ? by : other));
}

export function endSearch(queue: OracleQueue, search: Search): void {
  stopLonger(queue, search, 0);
  queue.searches = queue.searches.filter((other) => other !== search);
}

export function stopLonger(queue: OracleQueue, search: Search, than: number): void {
  for (const length of search.tests.keys()) if (length > than) stopPrefix(queue, search, length);
}

export function stopPrefix(queue: OracleQueue, search: Search, length: number): void {
  const test = search.tests.get(length);
  if (test !== undefined) queue.stopTest(test);
  search.tests.delete(length);
}

/** Tests the culprit once more in isolation. If the test passes, the culprit returns with the turn `turnOnReturn`. */
export function confirm(queue: OracleQueue, search: Search, culprit: Entry, turnOnReturn: number): Search {
  const confirmation = confirmationOf(queue, culprit, turnOnReturn, search);
  replaceSearch(queue, search, confirmation);
  return confirmation;
}

export function confirmationOf(
  queue: OracleQueue,
  culprit: Entry,
  turnOnReturn: number,
  like: Like = queue.settings,
): Search {
  const confirmation = searchAmong(queue, [culprit], like);
  confirmation.stage = { type: 'confirmation', turnOnReturn };
  return confirmation;
}

/**
 * Returns the entries before `from` as one group, and the entries from `to` on as another group. The result is a turn
 * between the two groups, which no other entry gets.
 */
export function returnAround(queue: OracleQueue, search: Search, from: number, to: number): number {
  const { members } = search;
  returnGroup(queue, members.slice(0, from), members.length - 1);
  const turn = queue.nextNumber();
  returnGroup(queue, members.slice(to), members.length - 1);
  return turn;
}

/**
 * Returns the entries to the front of the waiting entries. The entries are tested together again, unless `atMost`
 * demands a smaller batch.
 */
export function returnGroup(queue: OracleQueue, members: readonly Entry[], atMost: number): void {
  const group = queue.nextNumber();
  for (const entry of members) {
    const batchAtMost = Math.min(entry.batchAtMost, Math.max(1, atMost));
    queue.wait(entry, { returnedOrder: queue.nextNumber(), group, batchAtMost });
  }
}
