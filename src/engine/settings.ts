import type { DirectMergeMode, LineDepth, MergeMethod, OptimizationMode, Scheduling } from './vocabulary';

/** The settings of a queue, as the interface names them. */
export interface QueueSettings {
  readonly concurrency: number;
  /** Null: follows `concurrency`. */
  readonly bisectionConcurrency: number | null;
  readonly testingTimeoutMinutes: number;
  /** 0: off. */
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
  /** Empty: none set by hand. */
  readonly requiredStatuses: readonly string[];
  readonly directMergeMode: DirectMergeMode;
  readonly optimizationMode: OptimizationMode;
  readonly mergeMethod: MergeMethod;
  readonly notReadyTimeoutHours: number;
  readonly batchingRules: readonly BatchingRule[];
  readonly retestFlakyFailures: boolean;
  /** Why it is paused or draining; null: nobody said. */
  readonly pauseReason: string | null;
  /** Null: no limit. */
  readonly maxMergesPerHour: number | null;
  /** After the end of CI, for required statuses that only jobs report. Null or absent: off. */
  readonly neverReportedMinutes?: number | null;
  /** The engine acts on `freezes` of the snapshot, which are made of these. */
  readonly freezeWindows: readonly FreezeWindow[];
  /** Absent: `in_order`. */
  readonly scheduling?: Scheduling;
  /** How far tests run ahead of what is decided, scheduled in order. Absent: `full`. */
  readonly lineDepth?: LineDepth;
}

/** Keeps pull requests with such a target out of batches. A type alias, because Prisma takes no interface as JSON. */
export type BatchingRule = { readonly targetPattern: string; readonly policy: 'isolate' };

/**
 * Between these times of day nothing lands. `days`: on which it begins, as lower-case English names; `to` up to 24:00, before `from`:
 * on the next day. A type alias, because Prisma takes no interface as JSON.
 */
export type FreezeWindow = {
  readonly days: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
  /** What has this priority or a better one may land. Null: nothing. */
  readonly exceptPriorityAtMost: number | null;
};
