import type { QueuedHead, RunFailure, Stretch } from './test-runs';
import type { Instant, Scheduling } from './vocabulary';

/**
 * The knowledge of a queue beyond its entries and runs: verdicts and `scheduling: flow` rest on it. Bounded: it holds
 * figures, and the streaks of failed tests that still matter.
 */
export interface FlowState {
  /** Counts results of test runs; the moments below are such counts, because two results may share a millisecond. */
  readonly results: number;
  /** The results of the last passed and the last failed test; 0: none yet. */
  readonly lastPass: number;
  readonly lastRed: number;
  /** Number of pull requests in the test runs that have a result. */
  readonly tested: number;
  /**
   * A streak is a series of failed tests between two passed ones. These are the present streak, and earlier ones with
   * failed tests that still matter.
   */
  readonly streak: number;
  readonly redsIn: readonly StreakReds[];
  /** Failed test runs that may have been flakes, because some of their entries are undecided. The newest ones. */
  readonly redTests: readonly RedTest[];
  /** Set while the target itself fails its tests; null: it passes them, as far as anybody knows. */
  readonly redTarget: RedTarget | null;
  /**
   * Sequential scheduling: during this time there was always a test under way that passed. Absent: no test has passed
   * yet.
   */
  readonly passing?: Stretch;
  /**
   * When a test first passed after the target had failed. Earlier results are not reused. Absent: the target never
   * failed.
   */
  readonly outageEndedAt?: Instant;
  /**
   * Undecided results: tests of the target that timed out or that CI gave up. The newest one, and their number since a
   * pass.
   */
  readonly lastUndecided: number;
  readonly undecided: number;
  readonly nextSet: number;
  readonly nextPassed: number;
  /** The areas that entries shared most recently, newest last. */
  readonly areas: readonly AreaCounts[];
  readonly learned: LearnedFigures;
  /** In force until nothing is in flight any more; then the setting is. Absent: the setting is in force. */
  readonly switchingFrom?: Scheduling;
}

/**
 * Outcomes of the entries that shared an area when their test started: how many failed their tests, how many landed.
 */
export interface AreaCounts extends LearnedCounts {
  readonly area: number;
}

interface StreakReds {
  readonly streak: number;
  readonly reds: number;
}

export interface RedTest {
  readonly run: number;
  readonly streak: number;
  /** How many entries of the run have not landed yet. */
  readonly open: number;
  /** Sequential scheduling: their ids. Absent: in flow queues the entries know. */
  readonly entryIds?: readonly string[];
}

interface RedTarget {
  readonly since: Instant;
  /** The time of the next test. */
  readonly againAt: Instant;
  readonly reds: number;
}

/** How often something was true and false, out of the last few hundred times. */
export interface LearnedCounts {
  readonly yes: number;
  readonly no: number;
}

export interface LearnedFigures {
  /** A pull request fails its tests. */
  readonly failure: LearnedCounts;
  /** An entry that passed, awaiting a combined test, is in semantic conflict with others like it. */
  readonly misfit: LearnedCounts;
  /** An entry fails its tests: one that shared an area with others when it was started, and one that shared none. */
  readonly together: LearnedCounts;
  readonly apart: LearnedCounts;
  /** A test fails by a flake: all its entries landed later, unchanged. `no`: a test passed. */
  readonly flake: LearnedCounts;
}

/**
 * The position of an entry in flow scheduling, beyond its state. `waiting`: in the order of the backlog. `suspect`: in
 * a suspect set, after a failed run. `passed`: a run with the entry passed and could not land; every later run includes
 * the entry.
 */
export interface FlowStanding {
  readonly at: 'waiting' | 'suspect' | 'passed';
  /** The run in which the entry waits; null: it waits for a run. */
  readonly run: number | null;
  /** The suspect set of the entry, 0: none; negative numbers come first. `index`: the position in the set. */
  readonly set: number;
  readonly index: number;
  /** Without the optimization: the whole set is tested before it is divided. */
  readonly isWholeDue: boolean;
  /** The sequence number of its pass; 0: it has not passed. */
  readonly passedAs: number;
  /** Whether the entry passed before, awaiting a combined test: a failure may be a semantic conflict. */
  readonly hasPassed: boolean;
  /** Landings since its pass that did not include it. */
  readonly rides: number;
  /** Ids of the passed entries in the base of the run that made this entry a suspect. */
  readonly redWith: readonly string[];
  /** Failed tests of the entry in isolation on the target, and the streaks of these failures. */
  readonly reds: number;
  readonly streaks: readonly number[];
  /** The newest of them, as long as the entry may fail for it. */
  readonly redAlone: RedAlone | null;
  /** Numbers of the newest failed runs that included the entry and may have been flakes. */
  readonly redIn: readonly number[];
  /** The areas that the entry shared with others ahead of it when its run started. */
  readonly areas: readonly number[];
  /** Ids of the entries with which this one has a text conflict. */
  readonly clashes: readonly string[];
  /** Urgent entries only: the undecided changes in the base of its failed run. */
  readonly until: readonly QueuedHead[];
}

export interface RedAlone {
  readonly run: number;
  readonly failure: RunFailure;
  /** Counted in results and in tested pull requests. */
  readonly result: number;
  readonly tested: number;
  readonly streak: number;
}

/** Shared areas may let an entry wait while later ones start, so a decision loads more of the waiting entries. */
export function isAnyAreaShared({ learned }: FlowState): boolean {
  return learned.together.yes + learned.together.no > 0;
}

const NOTHING_YET: LearnedCounts = { yes: 0, no: 0 };

export const FLOW_AT_START: FlowState = {
  results: 0,
  lastPass: 0,
  lastRed: 0,
  tested: 0,
  streak: 1,
  redsIn: [],
  redTests: [],
  redTarget: null,
  lastUndecided: 0,
  undecided: 0,
  nextSet: 1,
  nextPassed: 1,
  areas: [],
  learned: {
    failure: NOTHING_YET,
    misfit: NOTHING_YET,
    together: NOTHING_YET,
    apart: NOTHING_YET,
    flake: NOTHING_YET,
  },
};

export const JUST_WAITING: FlowStanding = {
  at: 'waiting',
  run: null,
  set: 0,
  index: 0,
  isWholeDue: false,
  passedAs: 0,
  hasPassed: false,
  rides: 0,
  redWith: [],
  reds: 0,
  streaks: [],
  redAlone: null,
  redIn: [],
  areas: [],
  clashes: [],
  until: [],
};
