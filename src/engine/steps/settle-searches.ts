import type { CulpritSearch, Entry, PrefixResult, QueueSnapshot, RunFailure } from '../model';
import { failForTests } from '../policy/blame';
import { culpritIn, isPointless } from '../policy/culprit-search';
import { foundCulprit, pursueSuspects } from '../policy/narrow-search';
import { combine, changesOnly, ended, moved, NOTHING, type StepResult } from '../policy/step-result';
import { endSearch, membersOf, runsOf, sendBack, smallerThan } from '../policy/search-end';
import { isTargetRed, redAloneFound, verdictOn, withRed } from '../policy/verdict';
import { type Instant, URGENT } from '../vocabulary';

/**
 * Advances bisections by their results: moves them to the next stage, ends them, or stops tests that became useless.
 */
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

/**
 * Uses the result of the whole batch. If the batch failed again, its prefixes are tested. If it passed, it goes back to
 * the line, the second time in smaller batches, so that this does not repeat for ever.
 */
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
  // Without the optimization, no test of a round is stopped early.
  if (queue.settings.optimizationMode === 'off' && runs.length > 0) return NOTHING;
  const culprit = culpritIn(state);
  if (culprit !== null) return foundCulprit(queue, search, culprit, now);
  return combine(
    ...runs.filter((run) => isPointless(state, run.own.length)).map((run) => ended(run, 'search_answered')),
  );
}

/**
 * Uses the result of the suspect's test in isolation on the target. If the test failed and the failure counts, the
 * entry fails. If it passed, the entry is acquitted and goes back behind its prefix.
 */
function settleCulprit(queue: QueueSnapshot, search: CulpritSearch, now: Instant): StepResult {
  const [entry] = membersOf(queue, search.members);
  const [result] = search.results;
  if (!entry || !result) return NOTHING;
  if (result.failure !== null) return settleRed(queue, search, { entry, result, failure: result.failure }, now);
  const group = { entries: [entry], because: 'bisection_test_run_passed', batchAtMost: 1 } as const;
  return combine(
    endSearch(queue, search, 'culprit_passed'),
    changesOnly({ type: 'entryAcquitted', entryId: entry.id, at: now }),
    sendBack([group], search.culpritOrder, now),
  );
}

interface Red {
  readonly entry: Entry;
  readonly result: PrefixResult;
  readonly failure: RunFailure;
}

function settleRed(queue: QueueSnapshot, search: CulpritSearch, red: Red, now: Instant): StepResult {
  const { entry, result, failure } = red;
  const { alone } = search;
  if (alone?.run !== result.run) return noted(queue, search, red, now);
  if (isTargetRed(queue)) return blameless(queue, search, entry, now);
  switch (verdictOn(queue, entry, alone, failure)) {
    case 'fails':
      return combine(endSearch(queue, search, 'culprit_failed'), failForTests(entry, result.run, failure, now));
    case 'tested_again':
      return combine(
        changesOnly({ type: 'searchAdvanced', search: { ...search, results: [] } }),
        changesOnly(moved(entry, 'pending', 'bisection_required', now, { run: result.run })),
      );
    case 'waits':
      return NOTHING;
  }
}

/** Counts the failure and shows it in the state of the entry. The verdict follows in the next round of steps. */
function noted(queue: QueueSnapshot, search: CulpritSearch, { entry, result, failure }: Red, now: Instant): StepResult {
  const { run } = result;
  const alone = withRed(queue, search.alone, run, failure);
  return changesOnly(
    ...redAloneFound(entry, alone, failure),
    { type: 'searchAdvanced', search: { ...search, alone } },
    moved(entry, 'pending_failure', null, now, { run }),
  );
}

/**
 * Sends the entry back, because the target itself fails: it is tested as if for the first time. An urgent entry would
 * be tested over and over, so it stays in the bisection and waits.
 */
function blameless(queue: QueueSnapshot, search: CulpritSearch, entry: Entry, now: Instant): StepResult {
  if (entry.priority === URGENT) return NOTHING;
  const batchAtMost = search.failedSize > 1 ? smallerThan(search) : null;
  const group = { entries: [entry], batchedWith: 'any', because: 'rebuild_required', batchAtMost } as const;
  return combine(endSearch(queue, search, 'target_red'), sendBack([group], queue.nextOrder, now));
}

function decidedResult({ results }: CulpritSearch, length: number): PrefixResult | null {
  return results.find((result) => result.length === length && result.verdict !== 'timed_out') ?? null;
}
