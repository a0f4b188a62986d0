import type { Entry, RunFailure } from '../model';
import { assertNever, type FailedReason, type Instant } from '../vocabulary';
import { combine, changesOnly, moved, NOTHING, type StepResult, outOfLine } from './step-result';
import type { LandingRefusal } from '../events';

/** Fails an entry whose own change makes the tests of the target fail. */
export function failForTests(entry: Entry, run: number, failure: RunFailure, now: Instant): StepResult {
  const told = { run, details: detailsOf(failure) };
  return changesOnly(moved(entry, 'failed', reasonOf(failure), now, told), ...outOfLine([entry]));
}

function reasonOf(failure: RunFailure): FailedReason {
  if (failure.reused) return 'test_run_failed_by_optimization';
  return failure.type === 'timeout' ? 'test_run_timeout' : 'test_run_required_status_failed';
}

function detailsOf(failure: RunFailure): string {
  switch (failure.type) {
    case 'timeout':
      return `not reported in time: ${failure.missing.join(', ')}`;
    case 'lost':
      return `given up by CI too often: ${failure.names.join(', ')}`;
    case 'status':
      if (failure.isDropped) return `taken off the required statuses, and not reported: ${failure.names.join(', ')}`;
      if (failure.insteadReported) return `never reported, although CI is done: ${failure.names.join(', ')}`;
      return `failed: ${failure.names.join(', ')}`;
    default:
      return assertNever(failure);
  }
}

/** Fails an entry whose test cannot start. */
export function failToStart(entry: Entry, because: FailedReason, details: string, now: Instant): StepResult {
  const waits = { ...entry, state: 'pending' } as const;
  return combine(
    entry.state === 'testing' ? changesOnly(moved(entry, waits.state, 'bisection_required', now)) : NOTHING,
    changesOnly(moved(waits, 'failed', because, now, { details }), ...outOfLine([entry])),
  );
}

export function whyRefused({ byRule }: Extract<LandingRefusal, { type: 'host_refused' }>): FailedReason {
  return byRule ? 'host_branch_protection_unmet' : 'host_merge_failed';
}
