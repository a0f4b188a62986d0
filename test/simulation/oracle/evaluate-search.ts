import type { Search } from './model';
import { suspectsOf } from './prefixes';
import type { OracleQueue } from './queue';
import { confirm, endSearch, returnAround, returnGroup, stopPrefix } from './search';

export function hearPrefix(queue: OracleQueue, search: Search, prefix: number, result: 'passed' | 'failed'): void {
  search.tests.delete(prefix);
  search.results.set(prefix, result);
  const { stage } = search;
  switch (stage.type) {
    case 'whole':
      return evaluateWhole(queue, search, result);
    case 'prefixes':
      return evaluatePrefixes(queue, search);
    case 'confirmation':
      return evaluateCulprit(queue, search, stage.turnOnReturn, result);
  }
}

/** Red once and green once: it goes back as it was, and the second time smaller. */
function evaluateWhole(queue: OracleQueue, search: Search, result: 'passed' | 'failed'): void {
  if (result === 'failed') {
    search.stage = { type: 'prefixes' };
    return;
  }
  endSearch(queue, search);
  const size = search.members.length;
  for (const entry of search.members) {
    entry.timesAcquitted++;
    if (entry.timesAcquitted > 1) entry.batchAtMost = Math.min(entry.batchAtMost, Math.max(1, size - 1));
  }
  returnGroup(queue, search.members, size);
}

/** Off: a round is evaluated once all its tests have finished. Skip: what cannot tell anything any more is stopped at once. */
export function evaluatePrefixes(queue: OracleQueue, search: Search): void {
  if (search.optimizationMode === 'off' && search.tests.size > 0) return;
  const { passed, failed } = suspectsOf(search);
  const isPointless = (length: number): boolean => length <= passed || length >= failed;
  for (const length of [...search.tests.keys()].filter(isPointless)) stopPrefix(queue, search, length);
  if (failed - passed === 1) blameMember(queue, search, passed);
}

/** The culprit is not tested once more when it is what just failed, alone and on this very target. */
function blameMember(queue: OracleQueue, search: Search, at: number): void {
  const culprit = search.members[at];
  if (culprit === undefined) throw new Error(`no member ${at} in a search among ${search.members.length}`);
  const wasAlone = at === 0 && search.base.targetLength === queue.target.length;
  const turn = returnAround(queue, search, at, at + 1);
  if (!wasAlone) return confirm(queue, search, culprit, turn);
  endSearch(queue, search);
  queue.fail(culprit, 'red');
}

function evaluateCulprit(queue: OracleQueue, search: Search, turn: number, result: 'passed' | 'failed'): void {
  endSearch(queue, search);
  for (const entry of search.members) {
    if (result === 'failed') queue.fail(entry, 'red', queue.target.slice(0, search.base.targetLength));
    else queue.wait(entry, { returnedOrder: turn, group: queue.nextNumber(), batchAtMost: 1 });
  }
}
