import type { CiRun, Search } from './model';
import { suspectsOf } from './prefixes';
import type { OracleQueue } from './queue';
import { hearRedAlone } from './verdict';
import { confirm, endSearch, returnAround, returnGroup, stopPrefix } from './search';

export function hearPrefix(
  queue: OracleQueue,
  { search, prefix }: { readonly search: Search; readonly prefix: number },
  { passes, began }: CiRun,
): void {
  const result = passes ? 'passed' : 'failed';
  const moment = queue.presentMoment(began);
  search.tests.delete(prefix);
  search.results.set(prefix, result);
  search.moments.set(prefix, moment);
  const { stage } = search;
  switch (stage.type) {
    case 'whole':
      return evaluateWhole(queue, search, result);
    case 'prefixes':
      return evaluatePrefixes(queue, search);
    case 'confirmation':
      return result === 'failed' ? hearRedAlone(queue, search, moment) : acquit(queue, search, stage.turnOnReturn);
  }
}

/**
 * Evaluates the retest of the whole batch. If the retest passes, the batch returns as it was; after the second such
 * retest, it returns smaller.
 */
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

/**
 * Evaluates the results of prefixes. With `optimizationMode` off, waits for all tests of a round first. Otherwise stops
 * a test at once when it cannot add information.
 */
export function evaluatePrefixes(queue: OracleQueue, search: Search): void {
  if (search.optimizationMode === 'off' && search.tests.size > 0) return;
  const { passed, failed } = suspectsOf(search);
  const isPointless = (length: number): boolean => length <= passed || length >= failed;
  for (const length of [...search.tests.keys()].filter(isPointless)) stopPrefix(queue, search, length);
  if (failed - passed === 1) blameMember(queue, search, passed);
}

/**
 * Confirms the culprit in isolation. If the culprit has just failed in isolation on the present target, another test is
 * not needed.
 */
function blameMember(queue: OracleQueue, search: Search, at: number): void {
  const culprit = search.members[at];
  if (culprit === undefined) throw new Error(`no member ${at} in a search among ${search.members.length}`);
  const wasAlone = at === 0 && search.base.targetLength === queue.target.length;
  const turn = returnAround(queue, search, at, at + 1);
  const confirmation = confirm(queue, search, culprit, turn);
  const moment = search.moments.get(1);
  if (wasAlone && moment) hearRedAlone(queue, confirmation, moment);
}

function acquit(queue: OracleQueue, search: Search, turn: number): void {
  endSearch(queue, search);
  for (const entry of search.members)
    queue.wait(entry, { returnedOrder: turn, group: queue.nextNumber(), batchAtMost: 1 });
}
