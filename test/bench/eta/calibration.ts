import {
  type Course,
  type Forecast,
  forecastOf,
  type Mark,
  type Outcomes,
  withCourses,
  wordOf,
} from '../../../src/engine/forecast/forecast';
import { situationsOf } from '../../../src/engine/forecast/situation';
import type { Entry, QueueSettings, QueueSnapshot } from '../../../src/engine/model';
import { type Instant, MINUTE } from '../../../src/engine/vocabulary';
import { DEFAULT_SETTINGS, emptyQueue } from '../../support/engine-snapshots';
import { EngineStore } from '../../../src/processing/replay/engine-store';
import { Dice } from '../../simulation/oracle/random';
import { exponential } from '../virtual/distributions';
import { VirtualCi, type VirtualWorld } from '../virtual/virtual-ci';

export interface ForecastQueue {
  readonly settings: Partial<QueueSettings>;
  /** Mean number of arrivals in a CI duration; null if each conclusion causes the next submission. */
  readonly arriving: number | null;
  readonly badShare: number;
  /** From the CI duration `from` on, `badShare` of the pull requests are bad. If absent, the share does not change. */
  readonly later?: { readonly from: number; readonly badShare: number };
  readonly seed: number;
  readonly concluded: number;
}

/** The accuracy of forecasts in one situation. `width` is in CI durations. */
export interface Score {
  readonly forecasts: number;
  readonly inside: number;
  readonly beforeP90: number;
  readonly beforeP50: number;
  readonly width: number;
}

export interface Calibration {
  readonly unknown: number;
  /** The scores by the name of the situation. */
  readonly scores: Readonly<Record<string, Score>>;
}

const CI_DURATION = 10 * MINUTE;
const SHORTEST = 0.7;
const LONGEST = 1.3;
const BACKLOG = 128;
const MOST_WAITING = 2_000;
const NO_SCORE: Score = { forecasts: 0, inside: 0, beforeP90: 0, beforeP50: 0, width: 0 };

interface Open extends Mark {
  readonly forecast: Forecast | null;
}

/** Plays a queue in virtual time, and makes a forecast whenever the situation of an entry changes. */
export function calibrate({ settings, arriving, badShare, later, seed, concluded }: ForecastQueue): Calibration {
  const dice = new Dice(seed);
  const bad = new Set<number>();
  const world: VirtualWorld = {
    breaks: (number) => bad.has(number),
    buildTime: () => Math.round((SHORTEST + (LONGEST - SHORTEST) * dice.throw()) * CI_DURATION),
    flakes: () => false,
    startTime: 0,
    landTime: 0.01 * CI_DURATION,
  };
  const full = { ...DEFAULT_SETTINGS, batchingMaxWaitTimeMinutes: 0, ...settings };
  const store = new EngineStore(emptyQueue(full, null));
  const ci = new VirtualCi(store, world);
  const begin = ci.now;
  const book = new Forecasts(() => ci.now);
  let submitted = 0;
  let ended = 0;
  const submit = (): void => {
    const now = (ci.now - begin) / CI_DURATION;
    if (dice.happens(later !== undefined && now >= later.from ? later.badShare : badShare)) bad.add(++submitted);
    else submitted++;
    ci.submit(submitted);
  };
  const arrive = (): void => {
    submit();
    if (submitted < concluded) awaitNext();
  };
  const awaitNext = (): void => ci.agenda.add(ci.now + exponential(dice, CI_DURATION / (arriving ?? 1)), arrive);
  ci.onConcluded = (number) => {
    ended++;
    book.conclude(number);
  };
  ci.onDecided = (queue) => book.follow(queue, store.waitingInOrder(MOST_WAITING));
  if (arriving !== null) awaitNext();
  ci.runUntil(() => {
    while (arriving === null && submitted - ended < BACKLOG) submit();
    return ended >= concluded;
  });
  return book.result();
}

class Forecasts {
  private readonly open = new Map<number, Open[]>();
  private readonly scores = new Map<string, Score>();
  /** Entries that concluded at this instant, from which nothing is learned yet. */
  private ended: Course[] = [];
  private outcomes: Outcomes = {};
  private unknown = 0;

  constructor(private readonly now: () => Instant) {}

  follow(queue: QueueSnapshot, waiting: readonly Entry[]): void {
    const situations = situationsOf(queue, waiting);
    for (const { id, number } of new Set([...queue.entries, ...waiting])) {
      const situation = situations.get(id);
      const before = this.open.get(number) ?? [];
      if (situation === undefined || before.at(-1)?.situation === situation) continue;
      this.learn();
      const forecast = forecastOf(this.outcomes, situation);
      this.open.set(number, [...before, { situation, since: this.now(), forecast }]);
    }
  }

  conclude(number: number): void {
    if (this.ended.some(({ endedAt }) => endedAt !== this.now())) this.learn();
    const marks = this.open.get(number) ?? [];
    this.ended.push({ marks, endedAt: this.now() });
    for (const { situation, since, forecast } of marks) {
      // An entry that is landing needs no forecast.
      if (situation === 'landing') continue;
      if (forecast === null) this.unknown++;
      else this.note(wordOf(situation), forecast, this.now() - since);
    }
    this.open.delete(number);
  }

  result(): Calibration {
    return { unknown: this.unknown, scores: Object.fromEntries(this.scores) };
  }

  private learn(): void {
    this.outcomes = withCourses(this.outcomes, this.ended);
    this.ended = [];
  }

  private note(word: string, { p50, p90, low, high }: Forecast, duration: number): void {
    const { forecasts, inside, beforeP90, beforeP50, width } = this.scores.get(word) ?? NO_SCORE;
    this.scores.set(word, {
      forecasts: forecasts + 1,
      inside: inside + Number(duration >= low && duration <= high),
      beforeP90: beforeP90 + Number(duration <= p90),
      beforeP50: beforeP50 + Number(duration <= p50),
      width: width + (high - low) / CI_DURATION,
    });
  }
}
