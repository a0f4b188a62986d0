import type { Change } from '../changes';
import type { LandedPartly, LandingOutcome, LandingRefusal } from '../events';
import type { QueuedHead, Entry, Landing, QueueSnapshot, TestRun } from '../model';
import { afterRefusalInFlow } from '../flow/accept/landing-refused';
import { isFlow } from '../flow-facts/scheduling';
import { entriesOf } from '../policy/line';
import { pauseForWrongTrees } from '../policy/partial-landing';
import { combine, changesOnly, ended, moved, NOTHING, type StepResult, outOfLine } from '../policy/step-result';
import { assertNever, type FailedReason, type Instant, type MergedReason, type PendingReason } from '../vocabulary';
import { seenBy } from './landing-refusal';
import { whyRefused } from '../policy/blame';

type Landed = Extract<LandingOutcome, { type: 'landed' }>;
type LandingRefused = Extract<LandingOutcome, { type: 'landingRefused' }>;

export function concludeLanding(queue: QueueSnapshot, event: Landed): StepResult {
  const landing = landingInProgress(queue, event.landing);
  if (landing === null) return NOTHING;
  const runs = landedRuns(queue, landing);
  const changes = landing.changes ?? runs.flatMap((run) => run.own);
  const entries = landedEntries(queue, changes);
  const isDirect = runs.some((run) => run.kind === 'direct');
  return combine(
    changesOnly({ type: 'landingSettled', landing: landing.number, outcome: 'landed', why: null }),
    arrived(landing, event, changes, entries, isDirect ? 'merge_graph_direct_merge' : 'merge_graph_merge'),
    ...runs.map((run) => ended(run, 'landed')),
    targetAfter(queue, runs, event),
  );
}

export function landedEntries({ entries }: QueueSnapshot, changes: readonly QueuedHead[]): readonly Entry[] {
  return entries.filter(({ id }) => changes.some(({ entryId }) => entryId === id));
}

/**
 * Records the commits that are on the target now. The entries of these commits become merged; an entry with nothing
 * left to merge becomes cancelled.
 */
export function arrived(
  { number: landing, expectedTip }: Landing,
  { tip, commits, at }: Landed | LandedPartly,
  changes: readonly QueuedHead[],
  entries: readonly Entry[],
  because: MergedReason,
): StepResult {
  const landed = changes.map((change): Change => {
    const index = commits.findIndex((commit) => commit.number === change.number);
    const { commit, tree } = commits[index] ?? tip;
    const below = commits[index - 1]?.commit ?? expectedTip.commit;
    return { type: 'changeLanded', landing, change, below, commit, tree, at };
  });
  const nothing = new Set(commits.filter(({ isNothing }) => isNothing).map(({ number }) => number));
  const merged = entries.map((entry) => {
    const run = entry.stateRun ?? undefined;
    return nothing.has(entry.number)
      ? moved(entry, 'cancelled', 'nothing_to_merge', at, { run })
      : moved(entry, 'merged', because, at, { run });
  });
  return changesOnly(...landed, ...merged, ...outOfLine(entries));
}

/**
 * Compares the target with the tested tree. If the target has another tree, no run in flight is on its base. If the
 * host wrote other content, the queue pauses. If somebody pushed in between, the queue tests the target first.
 */
function targetAfter(queue: QueueSnapshot, runs: readonly TestRun[], event: Landed): StepResult {
  const { landing, tip, at, commits, isMixed = false, wrongTrees = [] } = event;
  const expected = runs.at(-1)?.tree ?? null;
  const isOther = queue.mode === 'single' && expected !== null && expected !== tip.tree;
  const differs = isOther || isMixed || wrongTrees.length > 0;
  const moves = changesOnly({ type: 'targetMoved', tip, seenAt: at, epochs: differs ? 1 : 0 });
  if (!differs) return moves;
  const landed = commits.filter(({ isNothing }) => !isNothing).map(({ number }) => number);
  if (wrongTrees.length > 0) return combine(moves, pauseForWrongTrees(queue, { landing, landed, wrongTrees }));
  const why = isMixed ? `somebody pushed to ${queue.branch}` : `${queue.branch} got another tree than was tested`;
  const part = { landing, landed, why, problem: null, isMixed: true } as const;
  return combine(moves, changesOnly({ type: 'partLanded', part }));
}

export function refuseLanding(queue: QueueSnapshot, event: LandingRefused, now: Instant): StepResult {
  const landing = landingInProgress(queue, event.landing);
  if (landing === null) return NOTHING;
  const { because } = event;
  const why = 'why' in because ? because.why : null;
  const settled = changesOnly({ type: 'landingSettled', landing: landing.number, outcome: because.type, why });
  const runs = landedRuns(queue, landing);
  // After a refused direct merge, for any reason, the entry goes through the queue from its present place.
  const direct = runs.filter((run) => run.kind === 'direct').map((run) => ended(run, 'not_direct'));
  const found = seenBy(queue, because, now);
  if (direct.length > 0) return combine(settled, ...direct, found);
  if (isFlow(queue)) return combine(settled, found, afterRefusalInFlow(queue, landing, runs, because, now));
  return combine(settled, found, meant(queue, runs, because, now));
}

function meant(queue: QueueSnapshot, runs: readonly TestRun[], because: LandingRefusal, now: Instant): StepResult {
  switch (because.type) {
    case 'target_moved':
    case 'pull_request_changed':
    case 'not_yet':
    case 'too_late':
      // The runs keep their results: they land as soon as the rules permit.
      return NOTHING;
    case 'not_direct':
    case 'target_gone':
    case 'tree_differs':
      return combine(...runs.map((run) => testAgain(queue, run, 'manual_push_to_target_branch', now)));
    case 'head_moved':
      return failEntry(queue, runs, because.number, 'pr_updated_at_merge_time', null, now);
    case 'host_refused':
      return failEntry(queue, runs, because.number, whyRefused(because), because.why, now);
    default:
      return assertNever(because);
  }
}

function failEntry(
  queue: QueueSnapshot,
  runs: readonly TestRun[],
  number: number,
  because: FailedReason,
  why: string | null,
  now: Instant,
): StepResult {
  const run = runs.find((other) => other.own.some((change) => change.number === number));
  const entry = queue.entries.find((other) => other.number === number);
  if (!run || !entry) return NOTHING;
  const failed = changesOnly(
    moved(entry, 'failed', because, now, { details: why ?? undefined }),
    ...outOfLine([entry]),
  );
  const others = entriesOf(queue, run).filter((other) => other.id !== entry.id);
  const back = others.map((other) => moved(other, 'pending', 'prerequisite_merge_item_failed', now));
  return combine(ended(run, because), failed, changesOnly(...back));
}

function testAgain(queue: QueueSnapshot, run: TestRun, because: PendingReason, now: Instant): StepResult {
  const moves = entriesOf(queue, run).map((entry) => moved(entry, 'pending', because, now));
  return combine(ended(run, because), changesOnly(...moves));
}

export function landingInProgress(queue: QueueSnapshot, number: number): Landing | null {
  return queue.landing?.number === number ? queue.landing : null;
}

export function landedRuns(queue: QueueSnapshot, landing: Landing): readonly TestRun[] {
  return landing.runs.flatMap((number) => queue.runs.filter((run) => run.number === number));
}
