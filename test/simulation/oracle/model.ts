import type { QueueSettings } from '../../../src/engine/model';
import type { OptimizationMode, QueueMode } from '../../../src/engine/vocabulary';

/** A pull request at a head, `3@0`, or what somebody pushed past the queue, `hotfix-1`. */
export type ChangeName = string;
/** A tree is the ordered list of changes it holds. */
export type Tree = readonly ChangeName[];
export type Targets = 'ALL' | readonly string[];
export type Minutes = number;

/** The settings that decide what is tested on what. */
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

/** What the queue heard of a pull request; it counts as soon as no landing of it is in hand. */
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
  /** Its turn among those that came back from the line or a culprit search; 0 for the others. */
  returnedOrder: number;
  /** It came back from a culprit search together with these; 0: with nobody. */
  group: number;
  batchAtMost: number;
  /** How often a red batch with it was tested again and passed. */
  timesAcquitted: number;
  /** Until more entries than this have concluded, a red run of it is not rebuilt again; until this many, it is doubted. */
  redRebuiltAt: number | null;
  run: LineRun | null;
  search: Search | null;
  conclusion: Conclusion | null;
}

/** CI at work. Its verdict is known to the world from the start, and to the queue when it is reported. */
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
  /** Raised by every push from outside: nothing built before one is on its base. */
  readonly epoch: number;
  readonly targetLength: number;
}

/** building: it lasts only while the host cannot make its candidate, because somebody moved the target. */
export type Phase = 'queued' | 'building' | 'testing' | 'passed' | 'failed' | 'conflicted' | 'landing';

/** The entries that share a place in the line, and how far their test has come. */
export interface LineRun {
  readonly id: number;
  entries: Entry[];
  readonly isUrgent: boolean;
  /** Where it stands again when its landing comes to nothing. */
  place: number;
  /** When its present test was started, among all that were. */
  startedOrder: number;
  /** A person or the API asked for this test. */
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
  /** Red, which does not count as long as a run behind it proves it. */
  isRedButProven: boolean;
}

/**
 * whole: the red batch is tested again. prefixes: the culprit is looked for. confirmation: it is tested alone, and
 * returns to the line at this turn when it passes.
 */
export type Stage =
  { readonly type: 'whole' | 'prefixes' } | { readonly type: 'confirmation'; readonly turnOnReturn: number };

export interface Search {
  readonly members: Entry[];
  readonly optimizationMode: OptimizationMode;
  base: Base;
  stage: Stage;
  /** Of the batch that failed; 1: one that was red alone in the line. */
  readonly failedSize: number;
  red: RedAlone | null;
  readonly moments: Map<number, RedMoment>;
  /** By length of the prefix. */
  readonly tests: Map<number, CiRun>;
  readonly results: Map<number, 'passed' | 'failed'>;
}

/** A test of the target as it is. Without a test: it cannot be made, because somebody moved the target. */
export interface Control extends Base {
  test: CiRun | null;
}

/** What is remembered of flakes, and of runs that may have been some. */
export interface FlakeMemory {
  readonly health: Health;
  readonly flakeCounts: { yes: number; no: number };
  /** Runs that were blamed, and those of them that have not landed yet. */
  blamed: { readonly open: Set<Entry>; readonly streak: number }[];
}

/** When something was red: so many passes before it, and in which streak. */
export interface RedMoment {
  readonly began: Minutes;
  readonly minute: Minutes;
  readonly passes: number;
  readonly streak: number;
}

/** Red tests of one alone on the target, which it did not fail for yet. */
export interface RedAlone {
  reds: number;
  /** One of them was the first since something had passed. */
  isFirst: boolean;
  readonly streaks: Set<number>;
  /** Not to be tested again before there is a verdict. */
  isAwaiting: boolean;
  /** How many passes there were before the newest of them. */
  after: number;
  /** When that test began. */
  began: Minutes;
  /** Since when it waits for a verdict on that. */
  since: Minutes;
}

/** What is known of whether the tests work. A streak is what was red between two passes. */
export interface Health {
  passes: number;
  streak: number;
  /** All these minutes something was under test that passed. */
  passing: { readonly from: Minutes; readonly until: Minutes } | null;
  /** Of those alone, or of the target. */
  readonly redsIn: Map<number, number>;
  redTarget: { times: number; againAt: Minutes } | null;
}

/** An entry failed: why, and the target that it was held against. */
export interface Verdict {
  readonly entry: Entry;
  readonly because: FailedBecause;
  readonly target: Tree;
}

export type FailedBecause = 'red' | 'conflict' | 'head moved' | 'refused by the host';

export interface Landing {
  readonly runs: readonly LineRun[];
  /** Of all that landed or lands, as they were when it was ordered: what is given later cannot call it back. */
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
