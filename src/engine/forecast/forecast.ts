import type { Instant } from '../vocabulary';
import type { Situation } from './situation';

/** The outcomes of one situation, or of all situations with the same first word. */
export interface SituationOutcomes {
  /** Milliseconds from the beginning of the situation to the merge or failure. The newest outcome is the last. */
  readonly durations: readonly number[];
  /**
   * `outside`: the share of outcomes that a forecast leaves outside of `low` to `high`. `late`: the share after its
   * `p90`. Both shares adapt to earlier misses.
   */
  readonly outside: number;
  readonly late: number;
}

/** Outcomes by situation, and also by the first word of the situation. */
export type Outcomes = Readonly<Record<string, SituationOutcomes>>;

/** The time at which an entry came into this situation. */
export interface Mark {
  readonly situation: Situation;
  readonly since: Instant;
}

/** The situations of an entry until it merged or failed. */
export interface Course {
  readonly marks: readonly Mark[];
  readonly endedAt: Instant;
}

/** Milliseconds from the beginning of the situation. 90 % of outcomes are between `low` and `high`. */
export interface Forecast {
  readonly p50: number;
  readonly p90: number;
  readonly low: number;
  readonly high: number;
}

/** With fewer outcomes there is no forecast. */
export const LEAST_OUTCOMES = 30;
/** Older outcomes are forgotten. */
const MOST_OUTCOMES = 200;
const USUAL_MISS = 0.1;
const MISSES = { least: 0.004, most: 0.2, step: 0.005 };

/** Null: fewer than 30 outcomes of its kind took longer than `elapsed`. */
export function forecastOf(outcomes: Outcomes, situation: Situation, elapsed = 0): Forecast | null {
  const { outside, late } = outcomes[wordOf(situation)] ?? UNKNOWN;
  const longer = keysOf(situation)
    .map((key) => (outcomes[key] ?? UNKNOWN).durations.filter((duration) => duration > elapsed))
    .find((durations) => durations.length >= LEAST_OUTCOMES);
  if (longer === undefined) return null;
  const sorted = [...longer].sort((a, b) => a - b);
  const at = (share: number): number => quantile(sorted, share);
  return { p50: at(0.5), p90: at(1 - late), low: at(outside / 2), high: at(1 - outside / 2) };
}

/**
 * Adds the outcomes of these courses, oldest first. Entries that came into a situation together and ended together were
 * one batch and count as one outcome, so pass courses that end together in one call.
 */
export function withCourses(outcomes: Outcomes, courses: readonly Course[]): Outcomes {
  const counted = new Set<string>();
  let learned = outcomes;
  for (const { marks, endedAt } of courses) {
    for (const { situation, since } of marks) {
      const key = `${situation} ${since} ${endedAt}`;
      if (counted.has(key)) continue;
      counted.add(key);
      learned = withOutcome(learned, situation, endedAt - since);
    }
  }
  return learned;
}

/**
 * Adds an outcome. The forecast for the same situation, before the outcome is added, shows whether the outer levels
 * were too narrow.
 */
function withOutcome(outcomes: Outcomes, situation: Situation, duration: number): Outcomes {
  const forecast = forecastOf(outcomes, situation);
  const word = wordOf(situation);
  const learned = { ...outcomes };
  for (const key of keysOf(situation)) {
    const before = outcomes[key] ?? UNKNOWN;
    learned[key] = { ...before, durations: [...before.durations, duration].slice(-MOST_OUTCOMES) };
  }
  if (forecast === null) return learned;
  const { outside, late } = outcomes[word] ?? UNKNOWN;
  const isOutside = duration < forecast.low || duration > forecast.high;
  const levels = { outside: moved(outside, isOutside), late: moved(late, duration > forecast.p90) };
  return { ...learned, [word]: { ...learned[word]!, ...levels } };
}

const UNKNOWN: SituationOutcomes = { durations: [], outside: USUAL_MISS, late: USUAL_MISS };

export function wordOf(situation: Situation): string {
  return situation.split(' ', 1)[0]!;
}

export function keysOf(situation: Situation): readonly string[] {
  return [...new Set([situation, wordOf(situation)])];
}

/** A miss makes the next forecasts wider, a hit makes them a little narrower. */
function moved(level: number, isMiss: boolean): number {
  const { least, most, step } = MISSES;
  return Math.min(most, Math.max(least, level + step * (USUAL_MISS - Number(isMiss))));
}

function quantile(sorted: readonly number[], share: number): number {
  const index = Math.ceil(share * (sorted.length + 1)) - 1;
  return sorted[Math.min(sorted.length - 1, Math.max(0, index))]!;
}
