import type { QueuedHead, CulpritSearch, Entry, PrefixResult, QueueSnapshot } from '../model';
import type { Instant, PendingReason } from '../vocabulary';
import { boundsOf } from './culprit-search';
import { areNeedsAmong } from './needs';
import { baseNow } from './new-run';
import { combine, changesOnly, ended, moved, NOTHING, type StepResult } from './step-result';
import { withoutReds } from './verdict';
import { endSearch, membersOf, runsOf, sendBack, smallerThan } from './search-end';

interface Narrowing {
  readonly ahead: readonly QueuedHead[];
  readonly suspects: readonly QueuedHead[];
  readonly behind: readonly QueuedHead[];
  readonly whyAhead: PendingReason;
  readonly whySuspects: PendingReason;
  readonly whyBehind: PendingReason;
}

/**
 * Continues a bisection with one suspect left. The suspect is tested once more, in isolation on the present target,
 * unless exactly this was just tested. The entries before it go back to the front of the waiting entries as one group,
 * the entries behind it as the next group.
 */
export function foundCulprit(queue: QueueSnapshot, search: CulpritSearch, at: number, now: Instant): StepResult {
  const parts = {
    ...partsOf(search, at, at + 1),
    whyAhead: 'bisection_test_run_passed',
    whySuspects: 'bisection_required',
    whyBehind: 'prerequisite_merge_item_failed',
  } as const;
  return narrowed(queue, search, parts, now, redAlready(queue, search, parts));
}

/** Starts a bisection again with its remaining suspects after a push from outside, which makes the old results void. */
export function pursueSuspects(queue: QueueSnapshot, search: CulpritSearch, now: Instant): StepResult {
  const { passed, failed } = boundsOf({ size: search.members.length, results: search.results });
  const because = 'manual_push_to_target_branch';
  const why = { whyAhead: because, whySuspects: because, whyBehind: because } as const;
  return narrowed(queue, search, { ...partsOf(search, passed, failed), ...why }, now);
}

function partsOf(
  { members }: CulpritSearch,
  from: number,
  to: number,
): Pick<Narrowing, 'ahead' | 'suspects' | 'behind'> {
  return { ahead: members.slice(0, from), suspects: members.slice(from, to), behind: members.slice(to) };
}

function narrowed(
  queue: QueueSnapshot,
  search: CulpritSearch,
  parts: Narrowing,
  now: Instant,
  results: readonly PrefixResult[] = [],
): StepResult {
  const base = baseNow(queue);
  if (base === null) return NOTHING;
  const { ahead, suspects, behind } = parts;
  if (!suspects.every((head, i) => mayBeTestedBehind(queue, head, suspects.slice(0, i))))
    return testedInLine(queue, search, parts, now);
  const order = queue.nextOrder + ahead.length;
  const stage = suspects.length === 1 ? 'culprit' : firstStage(queue);
  const culpritOrder = search.stage === 'culprit' ? search.culpritOrder : order;
  const batchAtMost = smallerThan(search);
  return combine(
    ...runsOf(queue, search).map((run) => ended(run, parts.whySuspects)),
    changesOnly({
      type: 'searchAdvanced',
      search: { ...withoutReds(search), base, stage, members: suspects, results, culpritOrder },
    }),
    backToWaiting(membersOf(queue, suspects), parts.whySuspects, now),
    sendBack([{ entries: membersOf(queue, ahead), because: parts.whyAhead, batchAtMost }], queue.nextOrder, now),
    sendBack([{ entries: membersOf(queue, behind), because: parts.whyBehind, batchAtMost }], order + 1, now),
  );
}

function mayBeTestedBehind(queue: QueueSnapshot, head: QueuedHead, before: readonly QueuedHead[]): boolean {
  return membersOf(queue, [head]).every((entry) => areNeedsAmong(queue, entry, before));
}

/**
 * Ends a bisection in which a suspect depends on an earlier member that passed. The suspects are tested behind that
 * member in the line; a single suspect is tested without others.
 */
function testedInLine(queue: QueueSnapshot, search: CulpritSearch, parts: Narrowing, now: Instant): StepResult {
  const smaller = smallerThan(search);
  const groups = [
    { entries: membersOf(queue, parts.ahead), because: parts.whyAhead, batchAtMost: smaller },
    {
      entries: membersOf(queue, parts.suspects),
      because: parts.whySuspects,
      batchAtMost: parts.suspects.length === 1 ? 1 : smaller,
    },
    { entries: membersOf(queue, parts.behind), because: parts.whyBehind, batchAtMost: smaller },
  ];
  return combine(endSearch(queue, search, 'culprit_found'), sendBack(groups, queue.nextOrder, now));
}

/** The first stage of a bisection: without the optimization, the whole batch is tested again before its prefixes. */
export function firstStage({ settings }: QueueSnapshot): CulpritSearch['stage'] {
  return settings.optimizationMode === 'off' ? 'whole' : 'prefixes';
}

function backToWaiting(entries: readonly Entry[], because: PendingReason, now: Instant): StepResult {
  const tested = entries.filter(({ state }) => state === 'testing' || state === 'pending_failure');
  return changesOnly(...tested.map((entry) => moved(entry, 'pending', because, now)));
}

/**
 * The failed test of the culprit, if it was tested in isolation on the present target and the result was not reused:
 * that test is not repeated. Otherwise empty.
 */
function redAlready(
  queue: QueueSnapshot,
  { base, results }: CulpritSearch,
  { ahead }: Narrowing,
): readonly PrefixResult[] {
  const isPresentTarget = base.epoch === queue.epoch && base.landedSeq === queue.landedSeq;
  if (ahead.length > 0 || !isPresentTarget) return [];
  return results.filter(({ length, verdict, failure }) => length === 1 && verdict === 'failed' && !failure?.reused);
}
