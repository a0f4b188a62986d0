import type { LandedPartly, LandingRefusal } from '../events';
import type { QueueSnapshot, TestRun } from '../model';
import { restInFlow } from '../flow/accept/landing-refused';
import { isFlow } from '../flow-facts/scheduling';
import { entriesOf } from '../policy/line';
import { pauseForWrongTrees } from '../policy/partial-landing';
import { combine, changesOnly, ended, moved, NOTHING, type StepResult, outOfLine } from '../policy/step-result';
import type { Instant, PendingReason } from '../vocabulary';
import { arrived, landedEntries, landedRuns, landingInProgress } from './landing-outcome';
import { seenBy } from './landing-refusal';
import { whyRefused } from '../policy/blame';

/**
 * Ends a run of which the host merged some pull requests and refused the next. Nobody tested the tree that is on the
 * target now, so the queue tests it before anything else starts. The refused pull request fails; the pull requests
 * behind it go back to their place.
 */
export function concludePart(queue: QueueSnapshot, event: LandedPartly, now: Instant): StepResult {
  const landing = landingInProgress(queue, event.landing);
  if (landing === null) return NOTHING;
  const { because, tip, commits, at, wrongTrees = [] } = event;
  const landed = commits.map(({ number }) => number);
  const runs = landedRuns(queue, landing);
  const why = whyStopped(because);
  const all = landing.changes ?? runs.flatMap((run) => run.own);
  const changes = all.filter(({ number }) => landed.includes(number));
  const merged = landedEntries(queue, changes);
  return combine(
    changesOnly({ type: 'landingSettled', landing: landing.number, outcome: 'landed_partly', why }),
    arrived(landing, event, changes, merged, 'merge_graph_merge'),
    ...(isFlow(queue)
      ? [restInFlow(queue, landing, runs, event, now)]
      : runs.map((run) => rest(queue, run, event, now))),
    changesOnly({ type: 'targetMoved', tip, seenAt: at, epochs: isFlow(queue) ? 1 : 0 }),
    wrongTrees.length > 0
      ? pauseForWrongTrees(queue, { landing: landing.number, landed, wrongTrees })
      : changesOnly({ type: 'partLanded', part: { landing: landing.number, landed, why, problem: null } }),
    seenBy({ ...queue, tip }, because, now),
  );
}

function whyAgain({ type }: LandingRefusal): PendingReason {
  return type === 'pull_request_changed' ? 'prerequisite_merge_item_cancelled' : 'rebuild_required';
}

function whyStopped(because: LandingRefusal): string {
  if (because.type === 'pull_request_changed') return `#${because.facts.number} was changed meanwhile`;
  return 'why' in because ? because.why : because.type;
}

function rest(queue: QueueSnapshot, run: TestRun, { commits, because }: LandedPartly, now: Instant): StepResult {
  const landed = new Set(commits.map(({ number }) => number));
  const left = entriesOf(queue, run).filter(({ number }) => !landed.has(number));
  if (left.length === 0) return ended(run, 'landed');
  const isRefused = because.type === 'head_moved' || because.type === 'host_refused';
  const refused = left.filter(({ number }) => isRefused && number === because.number);
  const failed = refused.map((entry) => {
    const details = 'why' in because ? because.why : undefined;
    const reason = because.type === 'host_refused' ? whyRefused(because) : 'pr_updated_at_merge_time';
    return moved(entry, 'failed', reason, now, { details });
  });
  const again = isRefused ? 'prerequisite_merge_item_failed' : whyAgain(because);
  const back = left.filter((entry) => !refused.includes(entry)).map((entry) => moved(entry, 'pending', again, now));
  return combine(ended(run, 'rebuild_required'), changesOnly(...failed, ...outOfLine(refused), ...back));
}
