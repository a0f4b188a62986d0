import type { Change } from '../changes';
import type { Refused } from '../decision';
import type { PullRequestSubmitted } from '../events';
import type { Entry, QueueSnapshot } from '../model';
import { declaredNeeds, needsAtHead, needsCarriedOver } from './needs';
import { followedHead } from './observation';
import { raiseInFlow } from '../flow/accept/requests';
import { nowPending } from '../flow/standing';
import { asAnother } from '../flow/steps/lose-needs';
import { runHolding } from '../policy/line';
import { leaveSearch } from '../policy/search-end';
import { combine, changesOnly, ended, NOTHING, type StepResult, outOfLine } from '../policy/step-result';
import { isConcluded } from '../states';
import { followPullRequest } from '../steps/follow-pull-requests';
import { type Instant, PRIORITIES, URGENT } from '../vocabulary';
import { isFlow } from '../flow-facts/scheduling';

/** Handles a first submission, a new attempt of a concluded entry, or new options for a queued entry. */
export function submit(queue: QueueSnapshot, event: PullRequestSubmitted, now: Instant): StepResult | Refused {
  const known = queue.entries.find((entry) => entry.number === event.facts.number) ?? null;
  const observed: Change = { type: 'pullRequestObserved', facts: event.facts };
  if (known && !isConcluded(known.state)) {
    if (event.dryRun === true && !known.dryRun) return queuedAlready(known);
    return submitQueued(queue, event, known, observed, now);
  }
  const { state, number, head } = event.facts;
  if (state !== 'open')
    return notEnqueueable(`pull request #${number} is ${state}: only an open pull request can be submitted`);
  if (known?.state === 'merged' && known.head === head)
    return notEnqueueable(`pull request #${number} was already merged with this head: push a commit first`);
  return changesOnly(...attempt(queue, event, known, now));
}

/**
 * Sets new options for a queued entry. The submission may itself reveal a push, a new base or a draft, which end the
 * attempt in the queue. Then the submission begins a new attempt, so that it does not cancel its own pull request.
 */
function submitQueued(
  queue: QueueSnapshot,
  event: PullRequestSubmitted,
  known: Entry,
  observed: Change,
  now: Instant,
): StepResult {
  const inEarnest = known.dryRun && event.dryRun !== true ? outOfDryRun(queue, known, now) : NOTHING;
  const raised = event.priority === URGENT && known.priority !== URGENT ? outForTheHead(queue, known, now) : NOTHING;
  const told = declaredNeeds(queue, event.facts);
  const moves = inEarnest.changes.length > 0 ? inEarnest : raised;
  const updated = combine(changesOnly(observed, ...told, prioritised(known, event)), moves);
  if (event.facts.state !== 'open') return updated;
  if (known.state === 'not_ready') return combine(updated, followedHead(queue, known, event.facts, event));
  const left = followPullRequest(queue, { ...known, pullRequest: event.facts }, now, 'somebody');
  if (left.changes.length === 0) return updated;
  return combine(changesOnly(observed), left, changesOnly(...attempt(queue, event, known, now)));
}

/** Begins a new attempt of the entry, and updates the entries that contain an earlier head of this pull request. */
function attempt(
  queue: QueueSnapshot,
  event: PullRequestSubmitted,
  known: Entry | null,
  now: Instant,
): readonly Change[] {
  const entry = newAttempt(queue, event, known, now);
  return [
    { type: 'entrySubmitted', entry, actor: event.actor },
    ...needsCarriedOver(queue, event.facts, event.commits),
  ];
}

/**
 * An entry that becomes urgent while it waits, or while its candidate is being built, leaves its place for the head of
 * the line. An entry in a test keeps its place, even when it must be tested again.
 */
function outForTheHead(queue: QueueSnapshot, entry: Entry, now: Instant): StepResult {
  if (isFlow(queue)) return raiseInFlow(queue, entry, now);
  const run = runHolding(queue, entry);
  if (entry.state !== 'pending' || run?.phase === 'landing') return NOTHING;
  const stopped = run === null ? NOTHING : ended(run, 'skip_the_line_interrupted');
  return combine(stopped, changesOnly(...outOfLine([entry])));
}

/** Tests the entry again, behind the line: no run in the line was built on the dry run. */
function outOfDryRun(queue: QueueSnapshot, entry: Entry, now: Instant): StepResult {
  if (isFlow(queue)) return combine(changesOnly(...asAnother(entry)), nowPending([entry], 'rebuild_required', now));
  if (entry.search !== null)
    return combine(leaveSearch(queue, entry, 'rebuild_required', now), nowPending([entry], 'rebuild_required', now));
  const run = runHolding(queue, entry);
  const stopped = run === null ? NOTHING : ended(run, 'rebuild_required');
  return combine(stopped, nowPending([entry], 'rebuild_required', now), changesOnly(...outOfLine([entry])));
}

function queuedAlready({ number }: Entry): Refused {
  return notEnqueueable(`pull request #${number} is in the queue to be merged: cancel it first, then submit a dry run`);
}

function notEnqueueable(message: string): Refused {
  return { type: 'refused', refusal: { code: 'PR_NOT_ENQUEUEABLE', message } };
}

/** An option that the event does not set keeps its value, but `dryRun` becomes false. */
function prioritised(entry: Entry, event: PullRequestSubmitted): Change {
  const prioritisedAs = event.priority === undefined ? entry : priorityOf(event);
  const { priority, usedDefaultPriority } = prioritisedAs;
  const noBatch = event.noBatch ?? entry.noBatch;
  const dryRun = event.dryRun ?? false;
  const options = { priority, usedDefaultPriority, noBatch, dryRun };
  return { type: 'entryPrioritised', entryId: entry.id, ...options, actor: event.actor };
}

function priorityOf(event: PullRequestSubmitted): Pick<Entry, 'priority' | 'usedDefaultPriority'> {
  const { priority = null, defaultPriority } = event;
  const usedDefaultPriority = priority === null && defaultPriority === undefined;
  return { priority: priority ?? defaultPriority ?? PRIORITIES.medium, usedDefaultPriority };
}

function newAttempt(queue: QueueSnapshot, event: PullRequestSubmitted, known: Entry | null, now: Instant): Entry {
  const { number, head } = event.facts;
  const ofSameHead = known?.head === head ? known : null;
  const { takesOff = ofSameHead?.takesOff ?? [], changedWorkflows = ofSameHead?.changedWorkflows ?? [] } = event;
  const arriving = { number, head, submittedOrder: queue.nextOrder };
  const needs = needsAtHead(queue, arriving, event.facts, event.commits);
  return {
    id: known?.id ?? event.newEntryId,
    number,
    attempt: (known?.attempt ?? 0) + 1,
    state: 'not_ready',
    stateChangedAt: now,
    stateReason: event.via === 'api' ? 'api_requested' : 'user_requested',
    stateActor: event.actor,
    head,
    ...priorityOf(event),
    noBatch: event.noBatch ?? false,
    dryRun: event.dryRun ?? false,
    submittedOrder: queue.nextOrder,
    returnedOrder: 0,
    returnedGroup: 0,
    batchAtMost: null,
    greenRetests: 0,
    testAnew: known?.state === 'failed',
    acquittedAt: known?.acquittedAt ?? null,
    search: null,
    place: null,
    placeIndex: 0,
    urgentInLine: false,
    submittedAt: now,
    pendingSince: null,
    firstPendingAt: null,
    notReadySince: now,
    concludedAt: null,
    evaluatedMode: queue.mode,
    askAgainAt: null,
    timesAsked: 0,
    unreadableConfig: null,
    stateRun: null,
    verifiedByRun: null,
    hasTargets: event.hasTargets,
    redRebuiltAt: null,
    timesLost: 0,
    suspectRun: null,
    ...((isFlow(queue) || known?.generation !== undefined) && { generation: (known?.generation ?? -1) + 1 }),
    ...(needs.length > 0 && { needs }),
    ...(takesOff.length > 0 && { takesOff }),
    ...(changedWorkflows.length > 0 && { changedWorkflows }),
    pullRequest: event.facts,
  };
}
