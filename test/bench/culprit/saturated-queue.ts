import type { QueueSettings } from '../../../src/engine/model';
import { MINUTE } from '../../../src/engine/vocabulary';
import { DEFAULT_SETTINGS, emptyQueue } from '../../support/engine-snapshots';
import { EngineStore } from '../../support/engine-store';
import { Dice } from '../../simulation/oracle/random';
import { VirtualCi, type VirtualWorld } from '../virtual/virtual-ci';
import { culpritNamed } from './red-batch';

/** A queue that never runs empty: for every pull request that concludes, the next is submitted. */
export interface SaturatedQueue {
  readonly settings: Partial<QueueSettings>;
  /** How many pull requests are bad, each alone. */
  readonly badShare: number;
  /** How often a test fails although nothing is wrong with its tree. */
  readonly flakeRate: number;
  /** How many pull requests do not fit to one of those submitted shortly before. Absent: none. */
  readonly pairShare?: number;
  readonly seed: number;
  readonly merges: number;
}

export interface Course {
  readonly durations: number;
  readonly merged: number;
  readonly runs: number;
  readonly innocentsFailed: number;
  readonly culpritsFailed: number;
  /** Entries that culprit searches named, and how many of those were bad. */
  readonly named: number;
  readonly namedRightly: number;
}

/** Enough that every slot finds a full batch. */
const BACKLOG = 80;
const BACKLOG_PER_SLOT = 2;

/** A pull request conflicts with one of so many before it. */
const PAIRED_WITHIN = 8;

const CI_DURATION = 10 * MINUTE;
const SHORTEST = 0.7;
const LONGEST = 1.3;
const LAND_SHARE = 0.01;

export function runSaturated({ settings, badShare, flakeRate, pairShare = 0, seed, merges }: SaturatedQueue): Course {
  const dice = new Dice(seed);
  const bad = new Set<number>();
  const partners = new Map<number, number[]>();
  const landed = new Set<number>();
  const isGuilty = (number: number): boolean =>
    bad.has(number) || (partners.get(number) ?? []).some((other) => landed.has(other));
  const world: VirtualWorld = {
    breaks: (number, holds) => bad.has(number) || (partners.get(number) ?? []).some(holds),
    buildTime: () => Math.round((SHORTEST + (LONGEST - SHORTEST) * dice.throw()) * CI_DURATION),
    flakes: () => flakeRate > 0 && dice.happens(flakeRate),
    startTime: 0,
    landTime: LAND_SHARE * CI_DURATION,
  };
  const full = { ...DEFAULT_SETTINGS, batchingMaxWaitTimeMinutes: 0, ...settings };
  const ci = new VirtualCi(new EngineStore(emptyQueue(full, null)), world);
  const tally = { open: 0, submitted: 0, merged: 0, innocentsFailed: 0, culpritsFailed: 0, named: 0, namedRightly: 0 };
  ci.onConcluded = (number, conclusion) => {
    tally.open--;
    if (conclusion === 'merged') {
      tally.merged++;
      landed.add(number);
    } else if (isGuilty(number)) tally.culpritsFailed++;
    else tally.innocentsFailed++;
  };
  ci.onChange = (change) => {
    const culprit = change.type === 'entryMoved' ? null : culpritNamed(change);
    if (culprit === null) return;
    tally.named++;
    tally.namedRightly += Number(isGuilty(culprit));
  };
  const { concurrency, bisectionConcurrency, batchingMinSize, batch, scheduling } = full;
  const inPool = scheduling === 'flow' ? concurrency + (bisectionConcurrency ?? concurrency) : concurrency;
  const backlog = Math.max(BACKLOG, BACKLOG_PER_SLOT * inPool * (batch ? batchingMinSize : 1));
  const begin = ci.now;
  ci.runUntil(() => {
    for (; tally.open < backlog && tally.merged < merges; tally.open++) {
      const number = ++tally.submitted;
      if (dice.happens(badShare)) bad.add(number);
      if (pairShare > 0 && number > 1 && dice.happens(pairShare))
        pairUp(partners, number, number - 1 - dice.below(Math.min(PAIRED_WITHIN, number - 1)));
      ci.submit(number);
    }
    return tally.merged >= merges;
  });
  const { line, search, verify } = ci.counts.runs;
  return { ...tally, durations: (ci.now - begin) / CI_DURATION, runs: line + search + verify };
}

function pairUp(partners: Map<number, number[]>, one: number, other: number): void {
  partners.set(one, [...(partners.get(one) ?? []), other]);
  partners.set(other, [...(partners.get(other) ?? []), one]);
}
