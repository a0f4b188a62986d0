import type { LandingRefusal, NotStarted, QueueEvent } from '../../engine/events';
import type { Downtime, PullRequestFacts } from '../../engine/model';
import type { Instant, RunKind } from '../../engine/vocabulary';
import type { StartingPoint } from '../decision-log/logged-decision';

/** A pull request at a head. Two values are equal if their `labelOf` is equal. */
export interface PastHead {
  readonly number: number;
  readonly head: string;
}

/**
 * A moment in a history. `rank`: the index, in the log, of the decision that followed. The rank orders what happened at
 * the same instant.
 */
interface Moment {
  readonly at: Instant;
  readonly rank: number;
}

export interface PastDecision extends Moment {
  /** Whether the decision was made only because of the time. */
  readonly isTick: boolean;
}

/** An event from outside, independent of the queue's decisions. */
export type Happening = Moment &
  (
    | { readonly type: 'event'; readonly event: OutsideEvent }
    /**
     * Somebody else pushed to the target. `isTold`: whether an event told the queue at that time; otherwise the queue
     * found out later.
     */
    | { readonly type: 'targetPushed'; readonly isTold: boolean }
    /** The queue looked at the target and saw nothing new but its tip. */
    | { readonly type: 'targetSeen' }
    /** A pull request changed without an event for the queue. */
    | { readonly type: 'pullRequestChanged'; readonly facts: PullRequestFacts }
    | {
        readonly type: 'targetsGiven';
        readonly number: number;
        readonly head: string;
        readonly targets: 'ALL' | readonly string[];
      }
  );

export type OutsideEvent = Extract<
  QueueEvent,
  {
    type:
      | 'pullRequestSubmitted'
      | 'pullRequestSeen'
      | 'pullRequestGone'
      | 'cancelRequested'
      | 'restartRequested'
      | 'promotionRequested'
      | 'allCancelRequested'
      | 'targetsGiven'
      | 'targetsComputed'
      | 'settingsChanged';
  }
>;

/**
 * The result of a task that starts a run. Durations are counted from the task. `toldAfter`: until the queue learned of
 * the result.
 */
export type PastStart = { readonly toldAfter: Instant; readonly rank: number } & (
  | { readonly type: 'pushed'; readonly pushedAfter: Instant }
  /** The run reused the result of an earlier run of its tree. */
  | { readonly type: 'reused'; readonly isRed: boolean }
  | { readonly type: 'refused'; readonly because: NotStarted }
);

/**
 * A report of CI about a run. `after`: counted from when the queue learned of the push. `isFlaky`: whether only known
 * flaky tests failed.
 */
export interface PastReport {
  readonly after: Instant;
  readonly rank: number;
  readonly state: 'passed' | 'failed' | 'lost';
  readonly isFlaky: boolean;
}

export interface PastRun {
  readonly orderedAt: Instant;
  readonly kind: RunKind;
  /**
   * The target on which the run was built: the number of pushes by others (`epoch`), and of landings by the queue
   * (`landedSeq`).
   */
  readonly epoch: number;
  readonly landedSeq: number;
  /** The heads on top of the target, in order. The run's own heads come last. */
  readonly holds: readonly PastHead[];
  readonly own: number;
  /** The result of the task that starts the run; null if the run was stopped before. */
  readonly start: PastStart | null;
  readonly reports: readonly PastReport[];
  /** Whether the run timed out, or CI never noticed it. */
  readonly isSilent: boolean;
  /**
   * How long after the push (or after the task, if nothing was pushed) the run was stopped, or the history ended,
   * without a result. Null if the run has a result.
   */
  readonly stoppedAfter: Instant | null;
  /** Set if the run was still in progress when the history ended. */
  readonly isUnderWay?: true;
}

export interface PastLanding {
  readonly orderedAt: Instant;
  readonly holds: readonly PastHead[];
  readonly toldAfter: Instant;
  readonly rank: number;
  /** Why the landing was refused; null if it landed, or was still in progress. */
  readonly refused: LandingRefusal | null;
  /**
   * Set if the landing was in progress when the history ended, so that `toldAfter` lies behind the end of the history.
   */
  readonly isUnderWay?: true;
}

/** A change that the queue landed. */
export interface PastLanded extends PastHead {
  readonly seq: number;
  readonly epoch: number;
}

export interface PastEnd extends PastHead {
  readonly submittedAt: Instant;
  readonly endedAt: Instant;
  readonly end: 'merged' | 'failed' | 'cancelled';
  readonly reason: string | null;
}

/** Everything that happened to a queue in a period, without titles, names of people and names of branches. */
export interface QueueHistory {
  readonly version: 1;
  readonly from: Instant;
  readonly until: Instant;
  readonly start: StartingPoint;
  readonly happenings: readonly Happening[];
  readonly runs: readonly PastRun[];
  readonly landings: readonly PastLanding[];
  readonly landed: readonly PastLanded[];
  readonly ends: readonly PastEnd[];
  /** The times of decisions that changed something. */
  readonly decided: readonly PastDecision[];
  readonly downtimes: readonly Downtime[];
}

export function labelOf({ number, head }: PastHead): string {
  return `${number}@${head}`;
}

/** The index of the first decision at this instant or later. */
export function firstFrom(decided: readonly PastDecision[], at: Instant): number {
  let [low, high] = [0, decided.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (decided[middle]!.at < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
