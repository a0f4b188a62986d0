import type { LandedPartly, LandingRefusal } from '../../events';
import type { Entry, Landing, QueueSnapshot, TestRun } from '../../model';
import { changesOnly, combine, ended, moved, NOTHING, type StepResult } from '../../policy/step-result';
import type { FailedReason, Instant, PendingReason } from '../../vocabulary';
import { openEntries } from '../heads';
import { nowPending } from '../standing';
import { whyRefused } from '../../policy/blame';

/**
 * After a refused landing, the refused entry fails, or the run stays and is decided by later steps, or all its entries
 * are tested again.
 */
export function afterRefusalInFlow(
  queue: QueueSnapshot,
  landing: Landing,
  runs: readonly TestRun[],
  because: LandingRefusal,
  now: Instant,
): StepResult {
  const entries = openEntries(queue, landing.changes ?? []);
  switch (because.type) {
    case 'target_moved':
    case 'pull_request_changed':
    case 'not_yet':
    case 'too_late':
      // The run keeps its result: either it lands later, or `settlePassedRuns` lets its entries await a combined test.
      return NOTHING;
    case 'not_direct':
    case 'target_gone':
    case 'tree_differs':
      return combine(endAll(runs, 'rebuild_required'), nowPending(entries, 'rebuild_required', now));
    case 'head_moved':
      return combine(
        endAll(runs, 'rebuild_required'),
        failed(entries, because.number, 'pr_updated_at_merge_time', now),
      );
    case 'host_refused':
      return combine(
        endAll(runs, 'rebuild_required'),
        failed(entries, because.number, whyRefused(because), now, because.why),
      );
  }
}

/**
 * Handles the entries that did not land when a landing stopped midway: the refused entry fails, the others are tested
 * again.
 */
export function restInFlow(
  queue: QueueSnapshot,
  landing: Landing,
  runs: readonly TestRun[],
  { commits, because }: LandedPartly,
  now: Instant,
): StepResult {
  const landed = new Set(commits.map(({ number }) => number));
  const rest = openEntries(queue, landing.changes ?? []).filter(({ number }) => !landed.has(number));
  const end = endAll(runs, 'rebuild_required');
  if (because.type === 'host_refused')
    return combine(end, failed(rest, because.number, whyRefused(because), now, because.why));
  if (because.type === 'head_moved') return combine(end, failed(rest, because.number, 'pr_updated_at_merge_time', now));
  return combine(end, nowPending(rest, 'rebuild_required', now));
}

function endAll(runs: readonly TestRun[], because: PendingReason): StepResult {
  return combine(NOTHING, ...runs.map((run) => ended(run, because)));
}

function failed(
  entries: readonly Entry[],
  number: number,
  because: FailedReason,
  now: Instant,
  details?: string,
): StepResult {
  const refused = entries.filter((entry) => entry.number === number);
  const others = entries.filter((entry) => entry.number !== number);
  return combine(
    changesOnly(...refused.map((entry) => moved(entry, 'failed', because, now, { details }))),
    nowPending(others, 'prerequisite_merge_item_failed', now),
  );
}
