import type { CulpritSearch, QueueSnapshot } from '../model';
import { nextPrefixes } from '../policy/culprit-search';
import { baseNow, newRun, startOrder } from '../policy/new-run';
import { combine, NOTHING, type StepResult } from '../policy/step-result';
import { mayBeTried } from '../policy/order';
import { membersOf, runsOf } from '../policy/search-end';
import { mayStartTests, searchSlotsInUse, searchSlotsOf } from '../policy/slots';
import { isHeldRed, isTargetRed } from '../policy/verdict';
import type { Instant } from '../vocabulary';

/** Fills the slots of bisections, the oldest bisection first, in parallel to the line. */
export function startSearchRuns(queue: QueueSnapshot, now: Instant): StepResult {
  const free = searchSlotsOf(queue) - searchSlotsInUse(queue);
  if (!mayStartTests(queue) || free <= 0 || isTargetRed(queue)) return NOTHING;
  for (const search of queue.searches) {
    const lengths = nextLengths(queue, search, free).filter((length) => mayBeAsked(queue, search, length, now));
    if (lengths.length > 0) return combine(...lengths.map((length, i) => start(queue, search, length, i, now)));
  }
  return NOTHING;
}

function nextLengths(queue: QueueSnapshot, search: CulpritSearch, free: number): readonly number[] {
  const size = search.members.length;
  const inFlight = runsOf(queue, search).map((run) => run.own.length);
  if (isHeldRed(search)) return [];
  const inRounds = search.stage !== 'prefixes' || queue.settings.optimizationMode === 'off';
  if (inRounds && inFlight.length > 0) return [];
  if (search.stage !== 'prefixes') return [size];
  return nextPrefixes({ size, results: search.results }, inFlight, free);
}

/**
 * Whether the host may be asked about the first `length` members. False for some time after the host could not say yet
 * whether one of these members can be merged.
 */
function mayBeAsked(queue: QueueSnapshot, search: CulpritSearch, length: number, now: Instant): boolean {
  const entries = membersOf(queue, search.members.slice(0, length));
  return entries.every((entry) => mayBeTried(queue, entry, now));
}

function start(queue: QueueSnapshot, search: CulpritSearch, length: number, nth: number, now: Instant): StepResult {
  // A culprit is tested on the present target, and a prefix on the base of its bisection.
  const base = search.stage === 'culprit' ? (baseNow(queue) ?? search.base) : search.base;
  const kind = search.stage === 'prefixes' ? 'search' : 'verify';
  const own = search.members.slice(0, length);
  const particulars = { kind, place: 0, search: search.number, base, builtOn: [], own } as const;
  const run = { ...newRun(queue, particulars, now), number: queue.nextRun + nth };
  return { changes: [{ type: 'runStarted', run }], commands: [startOrder(queue, run, now)] };
}
