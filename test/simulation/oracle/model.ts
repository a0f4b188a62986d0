import type { QueueSettings } from '../../../src/engine/model';
import type { OptimizationMode, QueueMode } from '../../../src/engine/vocabulary';

/** A change: a pull request at a head, such as `3@0`, or a push that bypasses the queue, such as `hotfix-1`. */
export type ChangeName = string;
/** A tree: the list of its changes, in order. */
export type Tree = readonly ChangeName[];
export type Targets = 'ALL' | readonly string[];
export type Minutes = number;

/** The settings that determine the runs and their bases. */
export type OracleSettings = Pick<
  QueueSettings,
  | 'concurrency'
  | 'bisectionConcurrency'
  | 'pendingFailureDepth'
  | 'canOptimisticallyMerge'
  | 'batch'
  | 'batchingMinSize'
  | 'batchingMaxWaitTimeMinutes'
  | 'optimizationMode'
>;

export type Conclusion = 'merged' | 'failed' | 'cancelled';

/**
 * The last observation of a pull request. The queue acts on the observation as soon as the pull request is in no
 * landing.
 */
export interface Heard {
  head: number;
  isMerged: boolean;
}

export interface Entry {
  readonly number: number;
  readonly head: number;
  readonly submittedOrder: number;
  readonly heard: Heard;
  priority: number;
  noBatch: boolean;
  targets: Targets;
  where: 'waiting' | 'line' | 'search' | 'out';
  waitingSince: Minutes;
  /** The entry's turn among entries that returned from the sequence or a bisection; 0 if it did not return. */
  returnedOrder: number;
  /** The group of entries that returned together from a bisection; 0 if there is none. */
  group: number;
  batchAtMost: number;
  /** The number of failed batches with this entry that passed when they were tested again. */
  timesAcquitted: number;
  /**
   * A failed run of this entry is not rebuilt again until more entries than this have concluded. The entry is suspect
   * until this many entries have concluded.
   */
  redRebuiltAt: number | null;
  run: LineRun | null;
  search: Search | null;
  conclusion: Conclusion | null;
}

/** A test at CI. The world knows the verdict from the start; the queue learns it from the report. */
export interface CiRun {
  readonly id: number;
  readonly of:
    { readonly line: LineRun } | { readonly search: Search; readonly prefix: number } | { readonly control: Control };
  readonly numbers: readonly number[];
  readonly tree: Tree;
  readonly passes: boolean;
  readonly began: Minutes;
}

export interface Base {
  /** Increases with every push from outside. A run that was built before such a push is off its base. */
  readonly epoch: number;
  readonly targetLength: number;
}

/** A run is `building` only while the host cannot make the candidate, because somebody moved the target. */
export type Phase = 'queued' | 'building' | 'testing' | 'passed' | 'failed' | 'conflicted' | 'landing';

/** Entries that share a place in the sequence, and the progress of their test. */
export interface LineRun {
  readonly id: number;
  entries: Entry[];
  readonly isUrgent: boolean;
  /** The run's place, to which it returns if its landing fails. */
  place: number;
  /** The rank of the run's present test among all started tests. */
  startedOrder: number;
  /** Whether a person or the API requested this test. */
  isAskedFor: boolean;
  phase: Phase;
  phaseBeforeLanding: Phase;
  base: Base;
  builtOn: readonly ChangeName[];
  test: CiRun | null;
  testedTree: Tree;
  testBegan: Minutes;
  failedUnderDepth: number;
  redMoment: RedMoment;
  /** Whether the run failed, but its result does not count because a run behind it proves the entries. */
  isRedButProven: boolean;
}

/**
 * In the stage `whole`, the failed batch is tested again. In the stage `prefixes`, prefixes are tested to find the
 * culprit. In the stage `confirmation`, the culprit is tested in isolation; if it passes, it returns to the sequence
 * with the turn `turnOnReturn`.
 */
export type Stage =
  { readonly type: 'whole' | 'prefixes' } | { readonly type: 'confirmation'; readonly turnOnReturn: number };

export interface Search {
  readonly members: Entry[];
  readonly optimizationMode: OptimizationMode;
  base: Base;
  stage: Stage;
  /** The size of the failed batch; 1 for an entry that failed in isolation. */
  readonly failedSize: number;
  red: RedAlone | null;
  readonly moments: Map<number, RedMoment>;
  /** The running tests of prefixes, by the length of the prefix. */
  readonly tests: Map<number, CiRun>;
  readonly results: Map<number, 'passed' | 'failed'>;
}

/** A test of the target as it is. `test` is null if the test cannot start, because somebody moved the target. */
export interface Control extends Base {
  test: CiRun | null;
}

/** Remembered flakes, and runs that may have been flakes. */
export interface FlakeMemory {
  readonly health: Health;
  readonly flakeCounts: { yes: number; no: number };
  /** Blamed runs. `open` has the entries of a blamed run that have not landed yet. */
  blamed: { readonly open: Set<Entry>; readonly streak: number }[];
}

/** The moment of a failure, with the number of passes before it and the streak to which it belongs. */
export interface RedMoment {
  readonly began: Minutes;
  readonly minute: Minutes;
  readonly passes: number;
  readonly streak: number;
}

/** The failures of one entry in isolation on the target, as long as the entry has not failed for them. */
export interface RedAlone {
  reds: number;
  /** Whether one of the failures was the first failure after a run had passed. */
  isFirst: boolean;
  readonly streaks: Set<number>;
  /** Whether the entry waits for a verdict without a further test. */
  isAwaiting: boolean;
  /** The number of passes before the newest failure. */
  after: number;
  /** The start of the test with the newest failure. */
  began: Minutes;
  /** The start of the wait for a verdict. */
  since: Minutes;
}

/** Evidence of whether the tests work. A streak consists of all failures between two passes. */
export interface Health {
  passes: number;
  streak: number;
  /** The newest period in which, at every minute, some run was under test that passed later; null if there is none. */
  passing: { readonly from: Minutes; readonly until: Minutes } | null;
  /** For each streak, the number of its failures in isolation and failures of the target. */
  readonly redsIn: Map<number, number>;
  redTarget: { times: number; againAt: Minutes } | null;
}

/** The verdict on a failed entry: its reason, and the target on which it was reached. */
export interface Verdict {
  readonly entry: Entry;
  readonly because: FailedBecause;
  readonly target: Tree;
}

export type FailedBecause = 'red' | 'conflict' | 'head moved' | 'refused by the host';

export interface Landing {
  readonly runs: readonly LineRun[];
  /**
   * The targets of all landed and landing changes at the time when the landing was ordered. Targets that are given
   * later do not undo the landing.
   */
  readonly targets: ReadonlyMap<ChangeName, Targets>;
}

export interface ModeSwitch {
  readonly to: QueueMode;
}

export function nameOf(number: number, head: number): ChangeName {
  return `${number}@${head}`;
}

export function queuedHeadsOf(entries: readonly Entry[]): readonly ChangeName[] {
  return entries.map((entry) => nameOf(entry.number, entry.head));
}
