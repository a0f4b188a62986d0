import type { CulpritSearch, PrefixResult, QueueSnapshot, TestRun } from '../model';
import { combine, changesOnly, ended, NOTHING, type StepResult } from '../policy/step-result';
import type { Instant } from '../vocabulary';

/** Records a finished test of a bisection, and ends the run, which never lands. */
export function takeSearchResults(queue: QueueSnapshot, _now: Instant): StepResult {
  for (const search of queue.searches) {
    const run = queue.runs.find((other) => other.search === search.number && isFinished(other));
    if (run) return combine(ended(run, 'search_answered', run.failure), advanced(search, resultOf(search, run)));
  }
  return NOTHING;
}

function isFinished({ phase }: TestRun): boolean {
  return phase === 'passed' || phase === 'failed';
}

/**
 * The result of a finished run. A time-out may be the fault of a slow runner, so a prefix that timed out is tested once
 * more before it counts as failed. For a test in isolation, `verdictOn` has its own rule about time-outs.
 */
function resultOf(search: CulpritSearch, { own, number: run, phase, failure }: TestRun): PrefixResult {
  const { length } = own;
  if (phase === 'passed') return { length, run, verdict: 'passed', failure: null };
  const isFirstTimeout =
    search.stage !== 'culprit' &&
    failure?.type === 'timeout' &&
    !search.results.some((result) => result.length === length);
  return { length, run, verdict: isFirstTimeout ? 'timed_out' : 'failed', failure };
}

function advanced(search: CulpritSearch, result: PrefixResult): StepResult {
  const others = search.results.filter((other) => other.length !== result.length);
  return changesOnly({ type: 'searchAdvanced', search: { ...search, results: [...others, result] } });
}
