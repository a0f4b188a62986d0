import type { Change } from '../changes';
import type { NotStarted, RunOutcome } from '../events';
import { conflictInFlow, eachAloneInFlow } from '../flow/accept/run-refused';
import { isFlow } from '../flow-facts/scheduling';
import { inConflict } from '../wording/words';
import type { Entry, QueueSnapshot, TestRun } from '../model';
import { entriesOf, type Group, lineOf } from '../policy/line';
import { combine, changesOnly, ended, moved, NOTHING, type StepResult, outOfLine } from '../policy/step-result';
import { failToStart } from '../policy/blame';
import { pauseForTarget } from '../policy/partial-landing';
import { placed } from '../policy/places';
import { abandonSearch, endSearch, leaveSearch, membersOf, sendBack, smallerThan } from '../policy/search-end';
import { isControl } from '../policy/slots';
import { assertNever, type Instant, MINUTE, SECOND } from '../vocabulary';
import { observed } from './observation';
import { buildingRun } from './run-outcome';
import { seeTarget } from './target';

type RunNotStarted = Extract<RunOutcome, { type: 'runNotStarted' }>;
type Refused = Extract<NotStarted, { type: 'refused' }>;
type EntryRefused = Extract<NotStarted, { type: 'entry_refused' }>;
type ConfigUnreadable = Extract<NotStarted, { type: 'config_unreadable' }>;
type ConflictFound = Extract<NotStarted, { type: 'conflict' }>;

export function refuseRun(queue: QueueSnapshot, event: RunNotStarted, now: Instant): StepResult {
  const seen = observed(queue, event.seen);
  const run = buildingRun(queue, event.run);
  if (run === null) return seen;
  if (isControl(queue, run) && isUntestable(event.because)) return combine(seen, targetUndecided(run, now));
  return combine(seen, refused(queue, run, event.because, now));
}

function refused(queue: QueueSnapshot, run: TestRun, because: NotStarted, now: Instant): StepResult {
  switch (because.type) {
    case 'conflict':
      if (isFlow(queue)) return conflictInFlow(queue, run, because, now);
      return conflicting(queue, run, ofOwn(run, because), now);
    case 'mergeability_unknown':
      return combine(ended(run, 'start_refused'), askAgain(queue, run, because.numbers, now));
    case 'not_mergeable':
      return combine(
        ended(run, 'readiness_lost'),
        ...named(queue, run, because.numbers).map((entry) => loseReadiness(queue, entry, now)),
      );
    case 'nothing_to_merge':
      return combine(
        ended(run, 'start_refused'),
        ...named(queue, run, because.numbers).map((entry) => nothingToMerge(queue, entry, now)),
      );
    case 'target_moved':
      return combine(ended(run, 'start_refused'), seeTarget(queue, because.tip, because.seenAt));
    case 'pull_request_changed':
    case 'base_gone':
      return ended(run, 'start_refused');
    case 'refused':
      return run.kind === 'target'
        ? combine(ended(run, because.reason), targetUntestable(queue, because.details))
        : combine(ended(run, because.reason), failAll(queue, run, because, now));
    case 'config_unreadable':
      return run.kind === 'target'
        ? combine(ended(run, 'start_refused'), targetUntestable(queue, because.problem))
        : waitForConfig(queue, run, because, now);
    case 'entry_refused':
      return run.kind === 'target'
        ? combine(ended(run, because.reason ?? 'start_test_run_refused'), targetUntestable(queue, because.details))
        : refusedEntry(queue, run, because, now);
    default:
      return assertNever(because);
  }
}

/**
 * The run's own entries that can still fail to start. In a flow queue an entry may have lost its readiness: the run
 * then continues for its other entries.
 */
function startingEntries(queue: QueueSnapshot, run: TestRun): readonly Entry[] {
  return entriesOf(queue, run).filter(({ state }) => state !== 'not_ready');
}

/**
 * If an entry ahead is in conflict, the run's own first entry is treated as in conflict with that entry: it waits until
 * the queue has removed the entry ahead.
 */
function ofOwn({ own, builtOn }: TestRun, found: ConflictFound): ConflictFound {
  const isAhead = builtOn.some(({ number }) => number === found.number);
  return isAhead && own[0] ? { ...found, number: own[0].number, with: found.number } : found;
}

/**
 * A conflict with the target fails the entry. An entry in conflict with an entry ahead waits until the entry ahead
 * lands or leaves.
 */
function conflicting(queue: QueueSnapshot, run: TestRun, found: ConflictFound, now: Instant): StepResult {
  const entry = startingEntries(queue, run).find((own) => own.number === found.number);
  if (entry === undefined) return ended(run, 'start_refused');
  const others = [...run.builtOn, ...run.own];
  const other = found.with === 'target' ? undefined : others.find((change) => change.number === found.with);
  if (!other) return conflictingWithTarget(queue, run, entry, found, now);
  if (run.search !== null) return conflictingInSearch(queue, entry, now);
  if (run.own.length > 1) return combine(ended(run, 'start_refused'), behindItsBatch(queue, entry));
  const { files, reasons } = found;
  const conflict = { with: other.number, files, ...(reasons && { reasons }) };
  return changesOnly({ type: 'runConflicted', run: run.number, conflict });
}

function isUntestable({ type }: NotStarted): boolean {
  return type === 'refused' || type === 'config_unreadable' || type === 'entry_refused';
}

/** The target cannot be tested, so the queue does not wait for its result. */
function targetUndecided(run: TestRun, now: Instant): StepResult {
  const failure = { type: 'lost', names: [], depth: 0, reused: false } as const;
  return changesOnly({ type: 'runFailed', run: run.number, kind: run.kind, failure, at: now });
}

function conflictingWithTarget(
  queue: QueueSnapshot,
  run: TestRun,
  entry: Entry,
  found: ConflictFound,
  now: Instant,
): StepResult {
  const details = `conflicts with ${queue.branch}${inConflict(found)}`;
  const failed = failToStart(entry, 'start_test_run_merge_conflict', details, now);
  const left = leaveSearch(queue, entry, 'prerequisite_merge_item_failed', now);
  return combine(ended(run, 'start_test_run_merge_conflict'), left, failed);
}

/** The runs ahead of this run were built and pushed without a refusal, so only its own entries can be to blame. */
function refusedEntry(queue: QueueSnapshot, run: TestRun, refusal: EntryRefused, now: Instant): StepResult {
  const { number, reason = 'start_test_run_refused', details } = refusal;
  const own = startingEntries(queue, run);
  const entry = run.own.length === 1 ? own[0] : own.find((one) => one.number === number);
  // In a flow queue the refused entry may have left: the refusal then says nothing about the other entries.
  const isKnown = number !== null && run.own.some((head) => head.number === number);
  if (entry === undefined && isKnown) return ended(run, 'start_refused');
  if (entry === undefined) return combine(ended(run, 'start_refused'), eachAlone(queue, run, own, now));
  const left = leaveSearch(queue, entry, 'prerequisite_merge_item_failed', now);
  return combine(ended(run, reason), left, failToStart(entry, reason, details, now));
}

/**
 * The entries leave the line and keep their turn. If they are members of a bisection, the bisection ends: its base is
 * fixed and cannot do without them.
 */
function waitForConfig(
  queue: QueueSnapshot,
  run: TestRun,
  { numbers, problem }: ConfigUnreadable,
  now: Instant,
): StepResult {
  const entries = named(queue, run, numbers);
  const config = { commit: run.base.commit, isByHand: run.requiredStatuses.length > 0, problem };
  const search = queue.searches.find((other) => other.number === run.search);
  const found: Change = { type: 'configFoundUnreadable', entryIds: entries.map(({ id }) => id), config };
  return combine(
    search ? abandonSearch(queue, search, 'rebuild_required', now) : ended(run, 'start_refused'),
    changesOnly(found, ...outOfLine(entries)),
  );
}

/** For a host that does not name the refused entry: each entry is tried alone, and then the refused entry fails. */
function eachAlone(queue: QueueSnapshot, run: TestRun, own: readonly Entry[], now: Instant): StepResult {
  if (isFlow(queue)) return eachAloneInFlow(queue, own, now);
  const search = queue.searches.find((other) => other.number === run.search);
  if (search) {
    const members = membersOf(queue, search.members);
    const groups = members.map((entry) => ({ entries: [entry], because: 'rebuild_required', batchAtMost: 1 }) as const);
    return combine(endSearch(queue, search, 'member_left'), sendBack(groups, queue.nextOrder, now));
  }
  const line = lineOf(queue).flatMap((group): readonly Group[] =>
    group.place === run.place ? own.map((entry) => ({ place: 0, entries: [entry], run: null })) : [group],
  );
  return changesOnly({ type: 'entriesPlaced', places: placed(queue, line), because: 'refused' });
}

/** Moves the entry out of the batch, to the place directly behind it. */
function behindItsBatch(queue: QueueSnapshot, entry: Entry): StepResult {
  const line = lineOf(queue).flatMap((group): readonly Group[] => {
    if (group.place !== entry.place) return [group];
    const others = group.entries.filter((other) => other.id !== entry.id);
    return [
      { ...group, entries: others, run: null },
      { place: 0, entries: [entry], run: null },
    ];
  });
  return changesOnly({ type: 'entriesPlaced', places: placed(queue, line), because: 'conflict' });
}

/** The members of a bisection have been built together before, but on another base they may have a conflict. */
function conflictingInSearch(queue: QueueSnapshot, entry: Entry, now: Instant): StepResult {
  const search = queue.searches.find((other) => other.number === entry.search);
  const alone = { entries: [entry], because: 'rebuild_required', batchAtMost: 1 } as const;
  const order = queue.nextOrder + (search?.members.length ?? 0);
  return combine(leaveSearch(queue, entry, 'rebuild_required', now), sendBack([alone], order, now));
}

/**
 * None of the run's entries can be tested. In a bisection, the members behind the entries of the run go back to the
 * line.
 */
function failAll(queue: QueueSnapshot, run: TestRun, { reason, details }: Refused, now: Instant): StepResult {
  const failed = startingEntries(queue, run).map((entry) => failToStart(entry, reason, details, now));
  const search = queue.searches.find((other) => other.number === run.search);
  if (!search) return combine(...failed);
  const rest = membersOf(queue, search.members.slice(run.own.length));
  const because = 'prerequisite_merge_item_failed';
  const group = { entries: rest, because, batchAtMost: smallerThan(search) } as const;
  return combine(endSearch(queue, search, 'member_left'), ...failed, sendBack([group], queue.nextOrder, now));
}

/** The target cannot be tested after a partial landing: the queue pauses so that people look at it. */
function targetUntestable(queue: QueueSnapshot, details: string): StepResult {
  return queue.partialLanding === null ? NOTHING : pauseForTarget(queue, queue.partialLanding, details);
}

function loseReadiness(queue: QueueSnapshot, entry: Entry, now: Instant): StepResult {
  const lost = changesOnly(moved(entry, 'not_ready', 'readiness_lost', now), ...outOfLine([entry]));
  return combine(leaveSearch(queue, entry, 'prerequisite_merge_item_cancelled', now), lost);
}

function nothingToMerge(queue: QueueSnapshot, entry: Entry, now: Instant): StepResult {
  const left = changesOnly(moved(entry, 'cancelled', 'nothing_to_merge', now), ...outOfLine([entry]));
  return combine(leaveSearch(queue, entry, 'prerequisite_merge_item_cancelled', now), left);
}

const FIRST_ASK_AGAIN = 5 * SECOND;
const LAST_ASK_AGAIN = 5 * MINUTE;

/**
 * If the host does not know yet whether an entry can be merged, the entry leaves the line and keeps its turn. The host
 * is asked again later.
 */
function askAgain(queue: QueueSnapshot, run: TestRun, numbers: readonly number[], now: Instant): StepResult {
  const entries = named(queue, run, numbers);
  const asked = entries.map((entry): Change => {
    const wait = Math.min(FIRST_ASK_AGAIN * 2 ** entry.timesAsked, LAST_ASK_AGAIN);
    return { type: 'readinessAsked', entryId: entry.id, askAgainAt: now + wait, timesAsked: entry.timesAsked + 1 };
  });
  return changesOnly(...asked, ...outOfLine(entries));
}

function named(queue: QueueSnapshot, run: TestRun, numbers: readonly number[]): readonly Entry[] {
  return startingEntries(queue, run).filter((entry) => numbers.includes(entry.number));
}
