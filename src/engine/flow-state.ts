import type { QueuedHead, RunFailure, Stretch } from './test-runs';
import type { Instant, Scheduling } from './vocabulary';

/**
 * What a queue knows beyond its entries and runs: what verdicts rest on, and what `scheduling: flow` goes by. Bounded: figures, and
 * the streaks that a red test in hand was part of.
 */
export interface FlowState {
  /** Counts results of test runs; the moments below are such counts, because two results may share a millisecond. */
  readonly results: number;
  /** The result that last passed, or last was red; 0: none yet. */
  readonly lastPass: number;
  readonly lastRed: number;
  /** Pull requests in test runs that have a result. */
  readonly tested: number;
  /** A streak is what was red between two passes. The present one, and those that a red test in hand was part of. */
  readonly streak: number;
  readonly redsIn: readonly StreakReds[];
  /** Red test runs that may have been flakes: not all that they held is decided. The newest ones. */
  readonly redTests: readonly RedTest[];
  /** The target itself does not pass its tests; null: it does, as far as anybody knows. */
  readonly redTarget: RedTarget | null;
  /** All this time something was under test that passed. In order only. Absent: nothing has passed yet. */
  readonly passing?: Stretch;
  /** When something passed after the target had been red. Results from before that are not taken over. Absent: it never was. */
  readonly outageEndedAt?: Instant;
  /** Results that said neither: a test of the target that timed out, or that CI gave up. The newest, and how many since a pass. */
  readonly lastUndecided: number;
  readonly undecided: number;
  readonly nextSet: number;
  readonly nextPassed: number;
  /** Those that somebody shared last, newest last. */
  readonly areas: readonly AreaCounts[];
  readonly learned: LearnedFigures;
  /** In force until nothing is in flight any more; then the setting is. Absent: the setting is in force. */
  readonly switchingFrom?: Scheduling;
}

/** Of those that were started while they shared an area: how many failed their tests, and how many landed. */
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
  /** So many of those that it held have not landed yet. */
  readonly open: number;
  /** In order: which. Absent: in flow the entries know. */
  readonly entryIds?: readonly string[];
}

interface RedTarget {
  readonly since: Instant;
  /** When it is tested again. */
  readonly againAt: Instant;
  readonly reds: number;
}

/** How often something was so, and how often not, of the last few hundred times. */
export interface LearnedCounts {
  readonly yes: number;
  readonly no: number;
}

export interface LearnedFigures {
  /** A pull request fails its tests. */
  readonly failure: LearnedCounts;
  /** What passed beside others does not fit together with them. */
  readonly misfit: LearnedCounts;
  /** One fails its tests that shared an area with others when it was started, and one that shared none. */
  readonly together: LearnedCounts;
  readonly apart: LearnedCounts;
  /** A test is red although all that it held landed later, unchanged: nothing was wrong with it. No: a test passed. */
  readonly flake: LearnedCounts;
}

/**
 * Where an entry stands in flow, beyond its state. `waiting`: in the order of what waits. `suspect`: a red run had it, and it is in
 * a set of suspects. `passed`: a run with it passed, and could not land; it is in every run from then on.
 */
export interface FlowStanding {
  readonly at: 'waiting' | 'suspect' | 'passed';
  /** The run that it waits in; null: it waits for one. */
  readonly run: number | null;
  /** Its set of suspects, 0 beside one; negative numbers come first. `index`: its place in the set. */
  readonly set: number;
  readonly index: number;
  /** Without the optimization: its set is tested whole before it is divided. */
  readonly isWholeDue: boolean;
  /** Which one it was to pass; 0: it has not. */
  readonly passedAs: number;
  /** It passed beside others before, so a failure may be a misfit. */
  readonly hasPassed: boolean;
  /** Landings since it passed that went without it. */
  readonly rides: number;
  /** Ids of those that had passed, and that the run was built on that made it a suspect. */
  readonly redWith: readonly string[];
  /** Red tests of it alone on the target, and the streaks that they were part of. */
  readonly reds: number;
  readonly streaks: readonly number[];
  /** The newest of them, as long as it may fail for it. */
  readonly redAlone: RedAlone | null;
  /** Numbers of the newest red runs that held it and may have been flakes. */
  readonly redIn: readonly number[];
  /** The areas that it shared with others ahead of it when a run took it up. */
  readonly areas: readonly number[];
  /** Ids of entries that it conflicts with in the text. */
  readonly clashes: readonly string[];
  /** Only of an urgent one: what it was red on and what is still tested. */
  readonly until: readonly QueuedHead[];
}

export interface RedAlone {
  readonly run: number;
  readonly failure: RunFailure;
  /** In counts of results, and of tested pull requests. */
  readonly result: number;
  readonly tested: number;
  readonly streak: number;
}

/** Then some of those that wait may be passed over, so more of them are looked at. */
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
