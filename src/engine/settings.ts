import type { DirectMergeMode, LineDepth, MergeMethod, OptimizationMode, Scheduling } from './vocabulary';

/** The settings of a queue, with their names in the API. */
export interface QueueSettings {
  readonly concurrency: number;
  /** The maximum number of runs for bisections. Null: the same as `concurrency`. */
  readonly bisectionConcurrency: number | null;
  readonly testingTimeoutMinutes: number;
  /** How many pull requests behind a failed run are tested before it is decided; 0: none. */
  readonly pendingFailureDepth: number;
  readonly canOptimisticallyMerge: boolean;
  readonly batch: boolean;
  readonly batchingMaxWaitTimeMinutes: number;
  readonly batchingMinSize: number;
  readonly commentsEnabled: boolean;
  readonly commandsEnabled: boolean;
  readonly createPrsForTestingBranches: boolean;
  readonly statusCheckEnabled: boolean;
  readonly stateLabelsEnabled: boolean;
  /** The required statuses that are set manually; empty: none. */
  readonly requiredStatuses: readonly string[];
  readonly directMergeMode: DirectMergeMode;
  readonly optimizationMode: OptimizationMode;
  readonly mergeMethod: MergeMethod;
  readonly notReadyTimeoutHours: number;
  readonly batchingRules: readonly BatchingRule[];
  readonly retestFlakyFailures: boolean;
  /** Why the queue is paused or draining; null: nobody said. */
  readonly pauseReason: string | null;
  /** The maximum number of pull requests that may land within an hour; null: no limit. */
  readonly maxMergesPerHour: number | null;
  /** Waiting time after the end of CI for required statuses that only jobs report. Null or absent: off. */
  readonly neverReportedMinutes?: number | null;
  /** The engine acts on `freezes` of the snapshot, which the store derives from these windows. */
  readonly freezeWindows: readonly FreezeWindow[];
  /** Absent: `in_order`. */
  readonly scheduling?: Scheduling;
  /** Sequential scheduling: how many tests start on assumptions. Absent: `full`. */
  readonly lineDepth?: LineDepth;
}

/**
 * Keeps pull requests with a target that matches `targetPattern` out of batches. A type alias, because Prisma takes no
 * interface as JSON.
 */
export type BatchingRule = { readonly targetPattern: string; readonly policy: 'isolate' };

/**
 * A daily window without landings. `days`: the days on which the window begins, as lower-case English names. `to`: its
 * end, up to 24:00; on the next day if it is earlier than `from`. A type alias, because Prisma takes no interface as
 * JSON.
 */
export type FreezeWindow = {
  readonly days: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
  /** Entries with this priority or a better priority may land during the window. Null: no entry may. */
  readonly exceptPriorityAtMost: number | null;
};
