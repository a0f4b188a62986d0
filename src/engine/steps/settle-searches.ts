import type { CulpritSearch, PrefixResult, QueueSnapshot } from '../model';
import { condemned } from '../policy/blame';
import { culpritIn, isPointless } from '../policy/culprit-search';
import { foundCulprit, pursueSuspects } from '../policy/narrow-search';
import { combine, changesOnly, ended, NOTHING, type StepResult } from '../policy/step-result';
import { endSearch, membersOf, runsOf, sendBack, smallerThan } from '../policy/search-end';
import type { Instant } from '../vocabulary';

/** Moves culprit searches on by their results: to the next stage, to their end, or past tests that became useless. */
export function settleSearches(queue: QueueSnapshot, now: Instant): StepResult {
  for (const search of queue.searches) {
    const outcome = settle(queue, search, now);
    if (outcome.changes.length > 0) return outcome;
  }
  return NOTHING;
}

function settle(queue: QueueSnapshot, search: CulpritSearch, now: Instant): StepResult {
  if (search.base.epoch !== queue.epoch) return pursueSuspects(queue, search, now);
  switch (search.stage) {
    case 'whole':
      return settleWhole(queue, search, now);
    case 'prefixes':
      return settlePrefixes(queue, search, now);
    case 'culprit':
      return settleCulprit(queue, search, now);
  }
}

/** Red again: the search begins. Green: the batch goes back; the second time as smaller ones, so that this ends. */
function settleWhole(queue: QueueSnapshot, search: CulpritSearch, now: Instant): StepResult {
  const result = decidedResult(search, search.members.length);
  if (result === null) return NOTHING;
  if (result.verdict === 'failed')
    return changesOnly({ type: 'searchAdvanced', search: { ...search, stage: 'prefixes', results: [] } });
  const entries = membersOf(queue, search.members);
  const greenRetests = Math.max(...entries.map((entry) => entry.greenRetests)) + 1;
  const batchAtMost = greenRetests > 1 ? smallerThan(search) : null;
  const group = { entries, because: 'bisection_test_run_passed', batchAtMost, greenRetests } as const;
  return combine(endSearch(queue, search, 'batch_passed'), sendBack([group], queue.nextOrder, now));
}

function settlePrefixes(queue: QueueSnapshot, search: CulpritSearch, now: Instant): StepResult {
  const state = { size: search.members.length, results: search.results };
  const runs = runsOf(queue, search);
  // Without the optimization every test of a round is finished.
  if (queue.settings.optimizationMode === 'off' && runs.length > 0) return NOTHING;
  const culprit = culpritIn(state);
  if (culprit !== null) return foundCulprit(queue, search, culprit, now);
  return combine(
    ...runs.filter((run) => isPointless(state, run.own.length)).map((run) => ended(run, 'search_answered')),
  );
}

/** The suspect was tested alone on the target. Red: it fails. Green: it is acquitted and goes back behind its prefix. */
function settleCulprit(queue: QueueSnapshot, search: CulpritSearch, now: Instant): StepResult {
  const result = decidedResult(search, 1);
  const [entry] = membersOf(queue, search.members);
  if (result === null || !entry) return NOTHING;
  if (result.verdict === 'failed')
    return combine(endSearch(queue, search, 'culprit_failed'), condemned(entry, result, now));
  const group = { entries: [entry], because: 'bisection_test_run_passed', batchAtMost: 1 } as const;
  return combine(
    endSearch(queue, search, 'culprit_passed'),
    changesOnly({ type: 'entryAcquitted', entryId: entry.id, at: now }),
    sendBack([group], search.culpritOrder, now),
  );
}

function decidedResult({ results }: CulpritSearch, length: number): PrefixResult | null {
  return results.find((result) => result.length === length && result.verdict !== 'timed_out') ?? null;
}
