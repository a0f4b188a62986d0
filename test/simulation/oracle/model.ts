import type { QueueSettings } from '../../../src/engine/model';
import type { OptimizationMode, QueueMode } from '../../../src/engine/vocabulary';

/** A pull request at a head, `3@0`, or a push that bypasses the queue, `hotfix-1`. */
export type ChangeName = string;
/** A tree is the ordered list of its changes. */
export type Tree = readonly ChangeName[];
export type Targets = 'ALL' | readonly string[];
export type Minutes = number;

/** The settings that decide the runs and their bases. */
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

/** An observation of a pull request. It counts as soon as no landing of the pull request is in progress. */
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
  /** Its turn among entries that returned from the sequence or a bisection; 0 for others. */
  returnedOrder: number;
  /** The group of entries that returned together from a bisection; 0: none. */
  group: number;
  batchAtMost: number;
  /** How often a failed batch with it passed on retest. */
  timesAcquitted: number;
  /**
   * Until more entries than this have concluded, a failed run of it is not rebuilt again. Until so many have concluded,
   * it is suspect.
   */
  redRebuiltAt: number | null;
  run: LineRun | null;
  search: Search | null;
  conclusion: Conclusion | null;
}

/** CI at work. The world knows the verdict from the start; the queue learns it from the report. */
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
  /** Raised by every push from outside. A run built before the push is off its base. */
  readonly epoch: number;
  readonly targetLength: number;
}

/** building: lasts only while the host cannot make the candidate, because somebody moved the target. */
export type Phase = 'queued' | 'building' | 'testing' | 'passed' | 'failed' | 'conflicted' | 'landing';

/** Entries that share a place in the sequence, and the progress of their test. */
export interface LineRun {
  readonly id: number;
  entries: Entry[];
  readonly isUrgent: boolean;
  /** Its place after a landing that fails. */
  place: number;
  /** The rank of its present test among all started tests. */
  startedOrder: number;
  /** A person or the API requested this test. */
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
  /** Failed, but the result does not count while a run behind proves the entries. */
  isRedButProven: boolean;
}

/**
 * whole: the failed batch is tested again. prefixes: the culprit is looked for. confirmation: the culprit is tested
 * alone, and returns to the sequence at this turn if it passes.
 */
export type Stage =
  { readonly type: 'whole' | 'prefixes' } | { readonly type: 'confirmation'; readonly turnOnReturn: number };

export interface Search {
  readonly members: Entry[];
  readonly optimizationMode: OptimizationMode;
  base: Base;
  stage: Stage;
  /** The size of the failed batch; 1: an entry that failed in isolation. */
  readonly failedSize: number;
  red: RedAlone | null;
  readonly moments: Map<number, RedMoment>;
  /** By prefix length. */
  readonly tests: Map<number, CiRun>;
  readonly results: Map<number, 'passed' | 'failed'>;
}

/** A test of the target as it is. Without a test: the test cannot start, because somebody moved the target. */
export interface Control extends Base {
  test: CiRun | null;
}

/** Remembered flakes, and runs that may have been flakes. */
export interface FlakeMemory {
  readonly health: Health;
  readonly flakeCounts: { yes: number; no: number };
  /** Blamed runs, with their entries that have not landed yet. */
  blamed: { readonly open: Set<Entry>; readonly streak: number }[];
}

/** The moment of a failure: the number of passes before it, and its streak. */
export interface RedMoment {
  readonly began: Minutes;
  readonly minute: Minutes;
  readonly passes: number;
  readonly streak: number;
}

/** Failures of one entry in isolation on the target, for which it has not failed yet. */
export interface RedAlone {
  reds: number;
  /** One of the failures was the first one since a run had passed. */
  isFirst: boolean;
  readonly streaks: Set<number>;
  /** No further test before a verdict. */
  isAwaiting: boolean;
  /** Number of passes before the newest failure. */
  after: number;
  /** Start of that test. */
  began: Minutes;
  /** Start of the wait for a verdict. */
  since: Minutes;
}

/** Evidence of whether the tests work. A streak is all failures between two passes. */
export interface Health {
  passes: number;
  streak: number;
  /** At every minute of this period a run that later passed was under test. */
  passing: { readonly from: Minutes; readonly until: Minutes } | null;
  /** Counts failures in isolation and failures of the target. */
  readonly redsIn: Map<number, number>;
  redTarget: { times: number; againAt: Minutes } | null;
}

/** A failed entry: the reason, and the target of the verdict. */
export interface Verdict {
  readonly entry: Entry;
  readonly because: FailedBecause;
  readonly target: Tree;
}

export type FailedBecause = 'red' | 'conflict' | 'head moved' | 'refused by the host';

export interface Landing {
  readonly runs: readonly LineRun[];
  /**
   * The targets of all landed and landing changes at the time of the order. Targets given later cannot undo the
   * landing.
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
