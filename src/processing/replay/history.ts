import type { LandingRefusal, NotStarted, QueueEvent } from '../../engine/events';
import type { Downtime, PullRequestFacts } from '../../engine/model';
import type { Instant, RunKind } from '../../engine/vocabulary';
import type { StartingPoint } from '../decision-log/logged-decision';

/** A pull request at a head. Equal as `labelOf` says it. */
export interface PastHead {
  readonly number: number;
  readonly head: string;
}

/** `rank`: which decision of the log it led to. Orders what happened at one instant. */
interface Moment {
  readonly at: Instant;
  readonly rank: number;
}

export interface PastDecision extends Moment {
  /** Because of the time alone. */
  readonly isTick: boolean;
}

/** What came from outside, whatever the queue did. */
export type Happening = Moment &
  (
    | { readonly type: 'event'; readonly event: OutsideEvent }
    /** Somebody else pushed to the target. `isTold`: the queue heard of it then; else it found out by itself. */
    | { readonly type: 'targetPushed'; readonly isTold: boolean }
    /** The queue looked at the target and saw nothing new but its tip. */
    | { readonly type: 'targetSeen' }
    /** A pull request changed, and nobody told the queue. */
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

/** What became of the order to start a run. Durations are from the order; `toldAfter`: when the queue heard of it. */
export type PastStart = { readonly toldAfter: Instant; readonly rank: number } & (
  | { readonly type: 'pushed'; readonly pushedAfter: Instant }
  /** It took the result of an earlier run of its tree. */
  | { readonly type: 'reused'; readonly isRed: boolean }
  | { readonly type: 'refused'; readonly because: NotStarted }
);

/** What CI said of a run. `after`: since the queue heard that it was pushed. `isFlaky`: only known flaky tests failed. */
export interface PastReport {
  readonly after: Instant;
  readonly rank: number;
  readonly state: 'passed' | 'failed' | 'lost';
  readonly isFlaky: boolean;
}

export interface PastRun {
  readonly orderedAt: Instant;
  readonly kind: RunKind;
  /** The target that it was built on: how often others had pushed, and what the queue had landed. */
  readonly epoch: number;
  readonly landedSeq: number;
  /** What it held beyond the target, in order; its own are the last ones. */
  readonly holds: readonly PastHead[];
  readonly own: number;
  /** Null: it was stopped before. */
  readonly start: PastStart | null;
  readonly reports: readonly PastReport[];
  /** It ran out of time, or CI never took notice of it. */
  readonly isSilent: boolean;
  /**
   * It was stopped, or the history ended, before it had a result: so long after its push was heard of, or after its order. Null: it
   * has a result.
   */
  readonly stoppedAfter: Instant | null;
  /** It went on when the history ended. */
  readonly isUnderWay?: true;
}

export interface PastLanding {
  readonly orderedAt: Instant;
  readonly holds: readonly PastHead[];
  readonly toldAfter: Instant;
  readonly rank: number;
  /** Null: it landed, or was under way. */
  readonly refused: LandingRefusal | null;
  /** It went on when the history ended: `toldAfter` is later than that. */
  readonly isUnderWay?: true;
}

/** What the queue landed, in order. */
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

/** All that happened to a queue in a stretch of time. It holds no titles, no names of people and no names of branches. */
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
  /** When the queue decided what changed something. */
  readonly decided: readonly PastDecision[];
  readonly downtimes: readonly Downtime[];
}

export function labelOf({ number, head }: PastHead): string {
  return `${number}@${head}`;
}

/** The index of the first that was not before this instant. */
export function firstFrom(decided: readonly PastDecision[], at: Instant): number {
  let [low, high] = [0, decided.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (decided[middle]!.at < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
