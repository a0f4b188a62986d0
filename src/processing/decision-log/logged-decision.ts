import type { Change } from '../../engine/changes';
import type { QueueEvent } from '../../engine/events';
import type { Entry, PullRequestFacts, QueueSnapshot, QueueSettings, ServiceLimits } from '../../engine/model';
import { isConcluded } from '../../engine/states';
import { HOUR, type Instant, type QueueMode, type QueueState } from '../../engine/vocabulary';
import type { FlowState } from '../../engine/flow-state';

/**
 * The event of a decision, its time and, from time to time, the state of the queue. The first line that the decision
 * adds to the log contains this event, time and state.
 */
export interface LoggedCause {
  readonly at: Instant;
  readonly event: QueueEvent;
  readonly start?: StartingPoint;
}

/** One decision, as the log stores it. */
export interface LoggedDecision extends LoggedCause {
  readonly changes: readonly Change[];
}

/** The event without texts and without names of people and branches: a replay does not need them. */
export function loggedEvent(before: QueueSnapshot, event: QueueEvent): QueueEvent {
  switch (event.type) {
    case 'pullRequestSubmitted':
      return {
        ...decisive(event),
        facts: blank(before, event.facts),
        ...headsAmong(before, event.commits),
        actor: null,
      };
    case 'pullRequestSeen':
      return { ...decisive(event), facts: blank(before, event.facts), ...headsAmong(before, event.commits) };
    case 'runPushed':
    case 'runResultKnown':
      return { ...event, seen: event.seen.map((facts) => blank(before, facts)) };
    case 'runNotStarted': {
      const { because } = event;
      const words = 'details' in because ? { details: '' } : 'problem' in because ? { problem: '' } : {};
      return {
        ...event,
        because: { ...because, ...words } as typeof because,
        seen: event.seen.map((facts) => blank(before, facts)),
      };
    }
    case 'landingRefused': {
      const { because } = event;
      if (because.type !== 'pull_request_changed') return event;
      return { ...event, because: { ...because, facts: blank(before, because.facts) } };
    }
    case 'settingsChanged': {
      const isReasonSaid = event.settings.pauseReason !== undefined;
      return { ...event, settings: { ...event.settings, ...(isReasonSaid && { pauseReason: null }) }, actor: null };
    }
    case 'testingBranchMoved':
      return { ...event, moved: { ...event.moved, by: null } };
    case 'cancelRequested':
    case 'restartRequested':
    case 'promotionRequested':
    case 'allCancelRequested':
      return { ...event, actor: null };
    default:
      return event;
  }
}

/** The state of an empty queue is stored more often, because a replay that begins with an empty queue is exact. */
const NOTED_EVERY = 24 * HOUR;
const EMPTY_NOTED_EVERY = HOUR;

/**
 * The state of the queue before a decision, if the state is due to be stored with the decision. `last`: when a state
 * was last stored; null: never.
 */
export function startToNote(before: QueueSnapshot, last: Instant | null, now: Instant): StartingPoint | null {
  const isEmpty = isEmptyQueue(before);
  const isDue = last === null || now - last >= (isEmpty ? EMPTY_NOTED_EVERY : NOTED_EVERY);
  if (!isDue || before.state === 'switching_modes') return null;
  const { state, mode, limits, tip, epoch, landedSeq } = before;
  // Areas are left out, because they are hashes of names of impacted targets.
  const flow = before.flow ? { ...before.flow, areas: [] } : null;
  const settings = { ...before.settings, pauseReason: null };
  return { isEmpty, state, mode, settings, limits, flow, knowsTip: tip !== null, epoch, landedSeq };
}

function isEmptyQueue(queue: QueueSnapshot): boolean {
  const { entries, runs, searches, landing, partialLanding, moreToLoad, nextDeadlineOutside } = queue;
  const isIdle = runs.length + searches.length === 0 && landing === null && partialLanding === null;
  const isNothingOutside = !moreToLoad.unchecked && !moreToLoad.waiting && nextDeadlineOutside === null;
  return isIdle && isNothingOutside && entries.every(({ state }) => isConcluded(state));
}

/** Removes the fields that only sentences use. */
function decisive<Event extends Pick<Entry, 'takesOff' | 'changedWorkflows'>>({
  takesOff: _said,
  changedWorkflows: _saidToo,
  ...event
}: Event) {
  return event;
}

/** Leaves out commits that are not heads of other entries, because no decision depends on them. */
function headsAmong(
  { entries }: QueueSnapshot,
  commits: readonly string[] | undefined,
): { readonly commits?: readonly string[] } {
  if (commits === undefined) return {};
  const held = new Set(commits);
  return { commits: entries.map(({ head }) => head).filter((head) => held.has(head)) };
}

/** The name that a history has for the target branch (`TARGET`), and the name for every other branch. */
export const TARGET = 'target';
const ELSEWHERE = 'elsewhere';

function blank({ branch }: QueueSnapshot, facts: PullRequestFacts): PullRequestFacts {
  const { number, head, state, draft, mergeability, unmet, dependsOn, stack, seenAt } = facts;
  const base = facts.base === null ? null : facts.base === branch ? TARGET : ELSEWHERE;
  return {
    ...{ number, title: '', author: '', head, headBranch: null, base, state, draft, mergeability, seenAt },
    ...(unmet !== undefined && {
      unmet: unmet.map(({ isPending }) => ({ words: '', ...(isPending && { isPending }) })),
    }),
    ...(dependsOn !== undefined && { dependsOn }),
    ...(stack !== undefined && { stack }),
  };
}

/**
 * The state of a queue when a history begins. `isEmpty`: no entry was in the queue, so a replay that begins there is
 * exact.
 */
export interface StartingPoint {
  readonly isEmpty: boolean;
  readonly state: QueueState;
  readonly mode: QueueMode;
  readonly settings: QueueSettings;
  readonly limits: ServiceLimits;
  readonly flow: FlowState | null;
  /** Whether the queue knew the tip of its target. */
  readonly knowsTip: boolean;
  readonly epoch: number;
  readonly landedSeq: number;
}
