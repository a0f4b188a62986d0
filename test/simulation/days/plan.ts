import type { Freeze, QueueSettings, ServiceLimits } from '../../../src/engine/model';
import type { Mergeability, QueueMode, RequestableQueueState, Scheduling } from '../../../src/engine/vocabulary';
import type { ConfigFileDay } from '../../support/engine-host';

/** All random choices of a day, made before it begins. The same plan gives the same day. */
export interface DayPlan {
  readonly seed: number;
  readonly mode: QueueMode;
  readonly settings: QueueSettings;
  readonly limits: ServiceLimits;
  readonly landsWholeRuns: boolean;
  /** The freezes, in the order of their times. */
  readonly freezes: readonly Freeze[];
  /** Whether the same changes in another order make another tree, as they do when they touch the same lines. */
  readonly treeOrder: 'merged' | 'sorted';
  readonly statusesInFile: readonly string[];
  readonly protectedStatuses: readonly string[];
  /** Whether the host records when a head was pushed. */
  readonly recordsPushes: boolean;
  readonly code: CodePlan;
  readonly ci: CiPlan;
  readonly noise: NoisePlan;
  readonly deeds: readonly Deed[];
}

/** How the pull requests of the day affect the result of a tree. */
export interface CodePlan {
  /** Heads (`number@head`) that fail in isolation. */
  readonly bad: readonly string[];
  /** Pairs of pull requests that fail only together. */
  readonly pairs: readonly (readonly [number, number])[];
  /** In each pair, the first pull request repairs the second one. The second one fails without it. */
  readonly mends: readonly (readonly [number, number])[];
  /** Pairs of pull requests that conflict with each other. */
  readonly conflicts: readonly (readonly [number, number])[];
  /** Pairs of pull requests with the same change. After one of the pair has landed, the other one changes nothing. */
  readonly same: readonly (readonly [number, number])[];
  /** Pairs of a pull request and the name of a push to the target that conflicts with the pull request. */
  readonly conflictsWithPushes: readonly (readonly [number, string])[];
}

export interface CiPlan {
  readonly shortestMinutes: number;
  readonly longestMinutes: number;
  /** Names that CI reports both as a commit status and as a check run. */
  readonly reportedTwice: readonly string[];
  /** The number of parts in which CI uploads test results; 0 means no uploads. */
  readonly uploads: number;
}

/**
 * The probability of each mishap for each run, command or host event. Mishaps happen in the middle third of the day
 * only.
 */
export interface NoisePlan {
  readonly redForNothing: number;
  readonly greenForNothing: number;
  readonly redAfterGreen: number;
  readonly greenAfterRed: number;
  readonly neverReported: number;
  /** The probability that CI gives up a required status. */
  readonly cancelled: number;
  /** The probability that CI never reports on the run. */
  readonly silent: number;
  /** The probability that an upload of test results arrives too late, or never. */
  readonly uploadLate: number;
  readonly uploadLost: number;
  /** The probability that a tree fails, but its uploads show only failures of known flaky tests. */
  readonly redLikeFlake: number;
  readonly reportedLate: number;
  readonly reportedTwice: number;
  readonly eventLost: number;
  readonly eventLate: number;
  readonly crashBefore: number;
  readonly crashAfter: number;
  readonly outcomeTwice: number;
  /**
   * The probability that the process dies before it stores a decision. After its restart, the process decides on the
   * event again.
   */
  readonly decisionLost: number;
  readonly baseGone: number;
  readonly givenUp: number;
  /** The probability that the host, or git, refuses the commit of one entry. */
  readonly entryRefused: number;
  readonly treeDiffers: number;
  readonly targetGone: number;
  /**
   * The probability that the host refuses a pull request after it merged other pull requests of the run. This mishap
   * happens only on a host that merges one by one.
   */
  readonly refusedMidway: number;
  /**
   * With `leftOut`, the host leaves out a file of the merge. With `pushedBeneath`, somebody pushes just before the
   * merge. Both mishaps happen only on a host that merges one by one.
   */
  readonly leftOut: number;
  readonly pushedBeneath: number;
  /** The probability that a second process decides, by its own clock. */
  readonly otherProcess: number;
  /** The probability that the host asks the service to retry later. */
  readonly rateLimited: number;
  /**
   * The probability that somebody changes the base branch of a pull request during its landing, without a host event.
   */
  readonly turnedAside: number;
}

/** Branches with a queue. */
export type BranchName = 'main' | 'release';

/** The queue of the deed; the queue of `main` if absent. */
interface OnQueue {
  readonly queue?: BranchName;
}

export type Deed = { readonly atMinute: number } & (
  | ({
      readonly type: 'submit';
      readonly number: number;
      readonly priority?: number | null;
      readonly noBatch?: boolean;
      readonly dryRun?: true;
      readonly via: 'api' | 'user';
    } & OnQueue)
  /** A person with write access requests the merge in a comment. */
  | { readonly type: 'comment'; readonly number: number }
  | ({ readonly type: 'cancel' | 'restart'; readonly number: number; readonly via: 'api' | 'user' } & OnQueue)
  | { readonly type: 'promote'; readonly number: number }
  /** The owner cancels all entries. */
  | { readonly type: 'cancelAll' }
  /** Somebody makes the branch of this queue the base branch of the pull request. */
  | { readonly type: 'redirect'; readonly number: number; readonly queue: BranchName; readonly isSubmitted: boolean }
  | {
      readonly type: 'push';
      readonly number: number;
      readonly upToDate: boolean;
      /** Whether the author of the push has no write access. If absent, the author does. */
      readonly byStranger?: boolean;
    }
  | {
      readonly type:
        | 'close'
        | 'reopen'
        | 'draft'
        | 'undraft'
        | 'aimElsewhere'
        | 'aimBack'
        | 'mergeByHand'
        | 'mergeElsewhere'
        | 'vanish'
        | 'refuse'
        | 'forbid'
        | 'delay'
        | 'allow'
        | 'withdraw'
        | 'expectCheck'
        | 'approve';
      readonly number: number;
    }
  /** From the beginning, the branch of the pull request starts at the head of another pull request. */
  | { readonly type: 'stack'; readonly number: number; readonly on: number }
  /**
   * Somebody edits the description of the pull request; `on` is null if the description no longer names a dependency.
   */
  | { readonly type: 'depend'; readonly number: number; readonly on: number | null }
  | { readonly type: 'mergeability'; readonly number: number; readonly value: Mergeability }
  | { readonly type: 'targets'; readonly number: number; readonly names: readonly string[] | 'ALL' }
  | { readonly type: 'pushToTarget'; readonly name: string; readonly effect: 'harmless' | 'harmful' | 'repair' }
  | ({ readonly type: 'settings'; readonly settings: Partial<QueueSettings> } & OnQueue)
  | ({ readonly type: 'mode'; readonly mode: QueueMode } & OnQueue)
  /** Switches to flow scheduling together with the mode that flow scheduling needs. */
  | ({ readonly type: 'scheduling'; readonly scheduling: Scheduling } & OnQueue)
  | ({ readonly type: 'state'; readonly state: RequestableQueueState } & OnQueue)
  | ({ readonly type: 'deleteQueue' | 'createQueue' } & OnQueue)
  | { readonly type: 'configFile'; readonly file: ConfigFileDay }
  /** The pull request changes the configuration file from the beginning. */
  | { readonly type: 'changeConfig'; readonly number: number; readonly file: ConfigFileDay }
  | { readonly type: 'hostOutage' | 'stopService'; readonly minutes: number }
);

export const DAY_MINUTES = 24 * 60;
/** Mishaps happen only between this minute and `NOISE_UNTIL`. */
export const NOISE_FROM = DAY_MINUTES / 3;
export const NOISE_UNTIL = (2 * DAY_MINUTES) / 3;
