import type { QueuedHead, RunFailure, Stretch } from './test-runs';
import type { Instant, Scheduling } from './vocabulary';

/**
 * Facts about a queue beyond its entries and runs, on which verdicts and `scheduling: flow` rest. The size of these
 * facts is limited: they are counts, chances and the newest failure streaks.
 */
export interface FlowState {
  /**
   * The number of results of test runs. Moments such as `lastPass` are numbers of results, because two results may come
   * in the same millisecond.
   */
  readonly results: number;
  /** The numbers of the last result that passed and the last result that failed; 0: none yet. */
  readonly lastPass: number;
  readonly lastRed: number;
  /** The number of pull requests in all test runs that have a result. */
  readonly tested: number;
  /**
   * A streak is a series of failed tests between two passed tests. `streak`: the number of the present streak.
   * `redsIn`: the failures in the newest streaks.
   */
  readonly streak: number;
  readonly redsIn: readonly StreakReds[];
  /** The newest failed test runs that may turn out to be flakes, because some of their entries are undecided. */
  readonly redTests: readonly RedTest[];
  /** Set while the target itself fails its tests; null while no failure of the target is known. */
  readonly redTarget: RedTarget | null;
  /**
   * Sequential scheduling: the newest stretch of time during which a test that passed was always under way. Absent: no
   * test has passed yet.
   */
  readonly passing?: Stretch;
  /**
   * The time at which a test first passed after the target had failed. Results from before are not reused. Absent: the
   * target has never failed.
   */
  readonly outageEndedAt?: Instant;
  /**
   * Tests of the target that timed out, or that CI gave up, are undecided. `lastUndecided`: the number of the newest
   * undecided result. `undecided`: how many there were since a test passed.
   */
  readonly lastUndecided: number;
  readonly undecided: number;
  readonly nextSet: number;
  readonly nextPassed: number;
  /** The areas that entries shared most recently, newest last. */
  readonly areas: readonly AreaCounts[];
  readonly learned: LearnedFigures;
  /**
   * The scheduling in force during a switch, until nothing is in flight any more. Absent: the scheduling of the
   * settings is in force.
   */
  readonly switchingFrom?: Scheduling;
}

/** The outcomes of entries that shared an area when their test started. `yes`: failed their tests; `no`: landed. */
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
  /**
   * Sequential scheduling: the ids of these entries. Absent in flow queues, where `redIn` of each entry names the run.
   */
  readonly entryIds?: readonly string[];
}

interface RedTarget {
  readonly since: Instant;
  /** The time of the target's next test. */
  readonly againAt: Instant;
  readonly reds: number;
}

/** How often something was true (`yes`) and false (`no`). Older times count half. */
export interface LearnedCounts {
  readonly yes: number;
  readonly no: number;
}

export interface LearnedFigures {
  /** How often a pull request fails its tests. */
  readonly failure: LearnedCounts;
  /** How often an entry that awaits a combined test is in semantic conflict with other such entries. */
  readonly misfit: LearnedCounts;
  /**
   * How often an entry fails its tests. `together`: entries that shared an area with an entry ahead when their test
   * started; `apart`: all other entries.
   */
  readonly together: LearnedCounts;
  readonly apart: LearnedCounts;
  /**
   * How often a test fails by a flake. `yes`: it failed, and later all its entries landed unchanged; `no`: a test
   * passed.
   */
  readonly flake: LearnedCounts;
}

/**
 * The position of an entry in flow scheduling, beyond its state. `waiting`: the entry waits in the backlog. `suspect`:
 * it is in a suspect set, after a failed run. `passed`: a run with the entry passed, but could not land, so every later
 * run includes the entry.
 */
export interface FlowStanding {
  readonly at: 'waiting' | 'suspect' | 'passed';
  /** The run that tests the entry as one of its own; null if there is none. */
  readonly run: number | null;
  /**
   * The number of the entry's suspect set; 0: none. Sets are tested in the order of their numbers, negative numbers
   * first. `index`: the position in the set.
   */
  readonly set: number;
  readonly index: number;
  /** Bisection without optimization: the whole suspect set is to be tested once more before it is divided. */
  readonly isWholeDue: boolean;
  /** The entries that await a combined test are ordered by this number; 0: the entry has not passed. */
  readonly passedAs: number;
  /** Whether the entry has ever passed and awaited a combined test: a later failure may be a semantic conflict. */
  readonly hasPassed: boolean;
  /** The number of landings since the entry passed that did not include it. */
  readonly rides: number;
  /** Ids of the passed entries in the base of the run that made this entry a suspect. */
  readonly redWith: readonly string[];
  /** The number of times that the entry failed in isolation on the target, and the streaks of these failures. */
  readonly reds: number;
  readonly streaks: readonly number[];
  /** The newest failure in isolation, as long as the entry may fail because of it. */
  readonly redAlone: RedAlone | null;
  /** Numbers of the newest failed runs that included the entry and may have been flakes. */
  readonly redIn: readonly number[];
  /** The areas that the entry shared with others ahead of it when its run started. */
  readonly areas: readonly number[];
  /** Ids of the entries with which this one has a text conflict. */
  readonly clashes: readonly string[];
  /** Urgent entries only: the undecided changes in the base of the run that failed. */
  readonly until: readonly QueuedHead[];
}

export interface RedAlone {
  readonly run: number;
  readonly failure: RunFailure;
  /** The values of `FlowState.results` and `FlowState.tested` at the failure. */
  readonly result: number;
  readonly tested: number;
  readonly streak: number;
}

/**
 * Because of a shared area, an entry may wait while later entries start, so a decision loads more of the waiting
 * entries.
 */
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
