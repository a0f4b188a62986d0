import type { QueueSettings } from '../../../src/engine/model';
import { EngineStore } from '../../../src/processing/replay/engine-store';
import { MINUTE } from '../../../src/engine/vocabulary';
import { Dice } from '../../simulation/oracle/random';
import { DEFAULT_SETTINGS, emptyQueue } from '../../support/engine-snapshots';
import { percentile } from '../table';
import { exponential } from '../virtual/distributions';
import { VirtualCi, type VirtualWorld } from '../virtual/virtual-ci';

/** A queue with pull requests that arrive at random times. */
export interface ArrivingQueue {
  readonly settings: Partial<QueueSettings>;
  /** Mean number of arrivals in a CI duration. */
  readonly arriving: number;
  readonly badShare: number;
  readonly seed: number;
  /** Number of submitted pull requests. The course ends when the last pull request has concluded. */
  readonly submitted: number;
}

/** Times from submission to conclusion, in CI durations. */
export interface ArrivingCourse {
  readonly merged: number;
  readonly runs: number;
  readonly innocentsFailed: number;
  readonly mergedAfter: { readonly p50: number; readonly p95: number };
  readonly failedAfter: { readonly p50: number; readonly p95: number };
}

const CI_DURATION = 10 * MINUTE;
const SHORTEST = 0.7;
const LONGEST = 1.3;
const LAND_SHARE = 0.01;

export function runArriving({ settings, arriving, badShare, seed, submitted }: ArrivingQueue): ArrivingCourse {
  const dice = new Dice(seed);
  const bad = new Set<number>();
  const world: VirtualWorld = {
    breaks: (number) => bad.has(number),
    buildTime: () => Math.round((SHORTEST + (LONGEST - SHORTEST) * dice.throw()) * CI_DURATION),
    flakes: () => false,
    startTime: 0,
    landTime: LAND_SHARE * CI_DURATION,
  };
  const full = { ...DEFAULT_SETTINGS, batchingMaxWaitTimeMinutes: 0, ...settings };
  const ci = new VirtualCi(new EngineStore(emptyQueue(full, null)), world);
  const submittedAt = new Map<number, number>();
  const after: Record<'merged' | 'failed', number[]> = { merged: [], failed: [] };
  let innocentsFailed = 0;
  ci.onConcluded = (number, conclusion) => {
    after[conclusion].push((ci.now - submittedAt.get(number)!) / CI_DURATION);
    if (conclusion === 'failed' && !bad.has(number)) innocentsFailed++;
  };
  const arrive = (): void => {
    const number = submittedAt.size + 1;
    submittedAt.set(number, ci.now);
    if (dice.happens(badShare)) bad.add(number);
    ci.submit(number);
    if (number < submitted) ci.agenda.add(ci.now + exponential(dice, CI_DURATION / arriving), arrive);
  };
  ci.agenda.add(ci.now, arrive);
  ci.runUntil(() => after.merged.length + after.failed.length >= submitted);
  const { line, search, verify, target } = ci.counts.runs;
  return {
    merged: after.merged.length,
    runs: line + search + verify + target,
    innocentsFailed,
    mergedAfter: timesOf(after.merged),
    failedAfter: timesOf(after.failed),
  };
}

function timesOf(durations: readonly number[]): ArrivingCourse['mergedAfter'] {
  return { p50: percentile(durations, 0.5), p95: percentile(durations, 0.95) };
}
