import type { Freeze, QueueSettings, ServiceLimits } from '../../../src/engine/model';
import type { Mergeability, QueueMode, RequestableQueueState, Scheduling } from '../../../src/engine/vocabulary';
import type { ConfigFileDay } from '../../support/engine-host';

/** All random choices for a day, made before it begins. The same plan gives the same day. */
export interface DayPlan {
  readonly seed: number;
  readonly mode: QueueMode;
  readonly settings: QueueSettings;
  readonly limits: ServiceLimits;
  readonly landsWholeRuns: boolean;
  /** Sorted by time of day. */
  readonly freezes: readonly Freeze[];
  /** Whether the same changes in another order make another tree, as when they touch the same lines. */
  readonly treeOrder: 'merged' | 'sorted';
  readonly statusesInFile: readonly string[];
  readonly protectedStatuses: readonly string[];
  /** The host records when a head was pushed. */
  readonly recordsPushes: boolean;
  readonly code: CodePlan;
  readonly ci: CiPlan;
  readonly noise: NoisePlan;
  readonly deeds: readonly Deed[];
}

/** Effects of the day's pull requests on a tree. */
export interface CodePlan {
  /** Heads (`number@head`) that fail alone. */
  readonly bad: readonly string[];
  /** Pull requests that fail only together. */
  readonly pairs: readonly (readonly [number, number])[];
  /** The first one repairs the second one, which fails alone. */
  readonly mends: readonly (readonly [number, number])[];
  /** Pull requests that conflict with each other. */
  readonly conflicts: readonly (readonly [number, number])[];
  /** Pull requests with the same change: after one has landed, the other one changes nothing. */
  readonly same: readonly (readonly [number, number])[];
  /** A pull request that conflicts with a push to the target, by the name of the push. */
  readonly conflictsWithPushes: readonly (readonly [number, string])[];
}

export interface CiPlan {
  readonly shortestMinutes: number;
  readonly longestMinutes: number;
  /** Names reported both as commit status and as check run. */
  readonly reportedTwice: readonly string[];
  /** Number of parts in which CI uploads test results; 0: no uploads. */
  readonly uploads: number;
}

/** Probability of each mishap, per run, command or host event. Mishaps happen in the middle third of the day only. */
export interface NoisePlan {
  readonly redForNothing: number;
  readonly greenForNothing: number;
  readonly redAfterGreen: number;
  readonly greenAfterRed: number;
  readonly neverReported: number;
  /** CI gives up a status. */
  readonly cancelled: number;
  /** CI ignores the run. */
  readonly silent: number;
  /** An upload of test results arrives too late, or never. */
  readonly uploadLate: number;
  readonly uploadLost: number;
  /** A tree that fails, with uploads that show failures of known flaky tests only. */
  readonly redLikeFlake: number;
  readonly reportedLate: number;
  readonly reportedTwice: number;
  readonly eventLost: number;
  readonly eventLate: number;
  readonly crashBefore: number;
  readonly crashAfter: number;
  readonly outcomeTwice: number;
  /** The process dies before it stores a decision. The event comes again. */
  readonly decisionLost: number;
  readonly baseGone: number;
  readonly givenUp: number;
  /** The host, or git, refuses the commit of one entry. */
  readonly entryRefused: number;
  readonly treeDiffers: number;
  readonly targetGone: number;
  /** Only on a host that merges one by one. */
  readonly refusedMidway: number;
  /** Only on such a host: it leaves out a file of the merge, or somebody pushes beneath the merge. */
  readonly leftOut: number;
  readonly pushedBeneath: number;
  /** A second process decides, with its own clock. */
  readonly otherProcess: number;
  /** The host asks for a retry later. */
  readonly rateLimited: number;
  /** Somebody changes the base branch of a pull request during its landing, without a host event. */
  readonly turnedAside: number;
}

/** Branches with a queue. */
export type BranchName = 'main' | 'release';

/** Absent: the queue of `main`. */
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
  /** A person with write access comments a merge request. */
  | { readonly type: 'comment'; readonly number: number }
  | ({ readonly type: 'cancel' | 'restart'; readonly number: number; readonly via: 'api' | 'user' } & OnQueue)
  | { readonly type: 'promote'; readonly number: number }
  /** The owner cancels all entries. */
  | { readonly type: 'cancelAll' }
  /** The pull request's base branch becomes the branch of this queue. */
  | { readonly type: 'redirect'; readonly number: number; readonly queue: BranchName; readonly isSubmitted: boolean }
  | {
      readonly type: 'push';
      readonly number: number;
      readonly upToDate: boolean;
      /** The author of the push has no write access; absent: has write access. */
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
  /** From the beginning, its branch starts at the present head of another pull request. */
  | { readonly type: 'stack'; readonly number: number; readonly on: number }
  /** The description is edited; null: it names no dependency any more. */
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
  /** From the beginning, the pull request changes the configuration file. */
  | { readonly type: 'changeConfig'; readonly number: number; readonly file: ConfigFileDay }
  | { readonly type: 'hostOutage' | 'stopService'; readonly minutes: number }
);

export const DAY_MINUTES = 24 * 60;
/** Mishaps happen between these two minutes. */
export const NOISE_FROM = DAY_MINUTES / 3;
export const NOISE_UNTIL = (2 * DAY_MINUTES) / 3;
