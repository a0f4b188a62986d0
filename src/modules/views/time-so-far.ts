import type { EntryState, StateReason } from '../../engine/vocabulary';
import type { LostTime, TimeSoFar } from './story.dto';

/** A move of an entry into a state. */
export interface Move {
  readonly at: number;
  readonly to: EntryState;
  readonly reason: StateReason | null;
  /** The number of the entry's test run in this state; null: no test run. */
  readonly run: number | null;
  readonly becauseOf: readonly number[];
  /** The time of the test run's result; null: no result. */
  readonly resultAt: number | null;
}

type Part = Exclude<keyof TimeSoFar, 'lost'>;

interface Test {
  readonly run: number | null;
  ms: number;
}

const PART_OF: Readonly<Partial<Record<EntryState, Part>>> = {
  not_ready: 'notReadyMs',
  pending: 'waitingMs',
  testing: 'testedMs',
  tests_passed: 'decidedMs',
  pending_failure: 'decidedMs',
};

/**
 * The time of one attempt by phase. `moves`: the moves of this attempt, oldest first. A test was wasted if the entry
 * returned to waiting after it, unless the result still counts because the entry passed in a bisection.
 */
export function timeSoFar(moves: readonly Move[], now: number): TimeSoFar {
  const time = { notReadyMs: 0, waitingMs: 0, testedMs: 0, lostMs: 0, decidedMs: 0 };
  const lost: LostTime[] = [];
  let test = null as Test | null;
  for (const [i, move] of moves.entries()) {
    const isBack =
      move.to === 'pending' || move.to === 'not_ready' || (move.to === 'testing' && move.run !== test?.run);
    if (test !== null && isBack) {
      if (move.reason !== 'bisection_test_run_passed') {
        time.testedMs -= test.ms;
        time.lostMs += test.ms;
        const { reason, becauseOf } = move;
        lost.push({ ms: test.ms, reason, becauseOf: [...becauseOf], runNumber: test.run ?? 0 });
      }
      test = null;
    }
    const part = PART_OF[move.to];
    if (part === undefined) continue;
    const until = Math.max(move.at, moves[i + 1]?.at ?? now);
    if (move.to !== 'testing') {
      time[part] += until - move.at;
      continue;
    }
    // In flow scheduling an entry counts as testing until its merge is ordered.
    const tested = Math.min(until, Math.max(move.at, move.resultAt ?? until));
    time.testedMs += tested - move.at;
    time.decidedMs += until - tested;
    test = { run: move.run, ms: (test?.ms ?? 0) + tested - move.at };
  }
  return { ...time, lost };
}
