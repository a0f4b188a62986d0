import type { Freeze, QueueSettings, ServiceLimits } from '../../../src/engine/model';
import type { Mergeability, QueueMode, RequestableQueueState, Scheduling } from '../../../src/engine/vocabulary';
import type { ConfigFileDay } from '../../support/engine-host';

/** Everything that chance decides about a day before it begins; the same plan is the same day. */
export interface DayPlan {
  readonly seed: number;
  readonly mode: QueueMode;
  readonly settings: QueueSettings;
  readonly limits: ServiceLimits;
  readonly landsWholeRuns: boolean;
  /** By the time of the day. */
  readonly freezes: readonly Freeze[];
  /** Whether the same changes in another order are another tree, as when they touch the same lines. */
  readonly treeOrder: 'merged' | 'sorted';
  readonly statusesInFile: readonly string[];
  readonly protectedStatuses: readonly string[];
  /** The host knows when a head was pushed. */
  readonly recordsPushes: boolean;
  readonly code: CodePlan;
  readonly ci: CiPlan;
  readonly noise: NoisePlan;
  readonly deeds: readonly Deed[];
}

/** What the pull requests of the day do to a tree. */
export interface CodePlan {
  /** Heads (`number@head`) that are red by themselves. */
  readonly bad: readonly string[];
  /** Pull requests that are red only together. */
  readonly pairs: readonly (readonly [number, number])[];
  /** The first one repairs the second one, which is bad by itself. */
  readonly mends: readonly (readonly [number, number])[];
  /** Pull requests that cannot be merged onto each other. */
  readonly conflicts: readonly (readonly [number, number])[];
  /** Pull requests with the same change: once one has landed, nothing is left of the other. */
  readonly same: readonly (readonly [number, number])[];
  /** A pull request that cannot be merged onto what people push, by its name. */
  readonly conflictsWithPushes: readonly (readonly [number, string])[];
}

export interface CiPlan {
  readonly shortestMinutes: number;
  readonly longestMinutes: number;
  /** Names that are reported as commit status and as check run. */
  readonly reportedTwice: readonly string[];
  /** In how many parts CI uploads the results of its tests; 0: not at all. */
  readonly uploads: number;
}

/** How likely each mishap is, per run, command or host event; it happens in the middle third of the day only. */
export interface NoisePlan {
  readonly redForNothing: number;
  readonly greenForNothing: number;
  readonly redAfterGreen: number;
  readonly greenAfterRed: number;
  readonly neverReported: number;
  /** CI gives a status up. */
  readonly cancelled: number;
  /** CI takes no notice of the run. */
  readonly silent: number;
  /** An upload of test results comes too late, or never. */
  readonly uploadLate: number;
  readonly uploadLost: number;
  /** A red tree, of which the uploads show failures of known flaky tests only. */
  readonly redLikeFlake: number;
  readonly reportedLate: number;
  readonly reportedTwice: number;
  readonly eventLost: number;
  readonly eventLate: number;
  readonly crashBefore: number;
  readonly crashAfter: number;
  readonly outcomeTwice: number;
  /** The process dies before a decision is written down; what it was about comes again. */
  readonly decisionLost: number;
  readonly baseGone: number;
  readonly givenUp: number;
  /** The host, or git, refuses the commit of one entry. */
  readonly entryRefused: number;
  readonly treeDiffers: number;
  readonly targetGone: number;
  /** On a host that merges one by one. */
  readonly refusedMidway: number;
  /** On such a host: it leaves a file out of what it merges, or somebody pushes beneath it. */
  readonly leftOut: number;
  readonly pushedBeneath: number;
  /** A second process decides, with a clock of its own. */
  readonly otherProcess: number;
  /** The host wants to be asked again later. */
  readonly rateLimited: number;
  /** Somebody aims a pull request at another branch while its landing is under way, and nobody hears of it. */
  readonly turnedAside: number;
}

/** The branches with a queue. */
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
  /** Somebody who may write asks for a merge at the pull request itself. */
  | { readonly type: 'comment'; readonly number: number }
  | ({ readonly type: 'cancel' | 'restart'; readonly number: number; readonly via: 'api' | 'user' } & OnQueue)
  | { readonly type: 'promote'; readonly number: number }
  /** The owner empties the queue. */
  | { readonly type: 'cancelAll' }
  /** Its base becomes this queue's branch. */
  | { readonly type: 'redirect'; readonly number: number; readonly queue: BranchName; readonly isSubmitted: boolean }
  | {
      readonly type: 'push';
      readonly number: number;
      readonly upToDate: boolean;
      /** Whoever pushes may not write to the repository; absent: may. */
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
  /** Its branch begins at the present head of another one, from the beginning. */
  | { readonly type: 'stack'; readonly number: number; readonly on: number }
  /** Its description is edited; null: it depends on nothing any more. */
  | { readonly type: 'depend'; readonly number: number; readonly on: number | null }
  | { readonly type: 'mergeability'; readonly number: number; readonly value: Mergeability }
  | { readonly type: 'targets'; readonly number: number; readonly names: readonly string[] | 'ALL' }
  | { readonly type: 'pushToTarget'; readonly name: string; readonly effect: 'harmless' | 'harmful' | 'repair' }
  | ({ readonly type: 'settings'; readonly settings: Partial<QueueSettings> } & OnQueue)
  | ({ readonly type: 'mode'; readonly mode: QueueMode } & OnQueue)
  /** To flow together with the mode that it needs. */
  | ({ readonly type: 'scheduling'; readonly scheduling: Scheduling } & OnQueue)
  | ({ readonly type: 'state'; readonly state: RequestableQueueState } & OnQueue)
  | ({ readonly type: 'deleteQueue' | 'createQueue' } & OnQueue)
  | { readonly type: 'configFile'; readonly file: ConfigFileDay }
  /** The pull request changes the configuration file, from the beginning. */
  | { readonly type: 'changeConfig'; readonly number: number; readonly file: ConfigFileDay }
  | { readonly type: 'hostOutage' | 'stopService'; readonly minutes: number }
);

export const DAY_MINUTES = 24 * 60;
/** Mishaps happen between these two. */
export const NOISE_FROM = DAY_MINUTES / 3;
export const NOISE_UNTIL = (2 * DAY_MINUTES) / 3;
