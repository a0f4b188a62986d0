import type { LandedPartly, LandingRefusal } from '../../events';
import type { Entry, Landing, QueueSnapshot, TestRun } from '../../model';
import { changesOnly, combine, ended, moved, NOTHING, type StepResult } from '../../policy/step-result';
import type { FailedReason, Instant, PendingReason } from '../../vocabulary';
import { openEntries } from '../heads';
import { nowPending } from '../standing';
import { whyRefused } from '../../policy/blame';

/** One of them fails, or the target was another one than expected: the others have passed beside others. */
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
      // The run has its result still: it lands later, or its own have passed beside others.
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

/** What did not land of a landing that stopped midway. */
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
