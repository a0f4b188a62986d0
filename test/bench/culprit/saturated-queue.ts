import type { QueueSettings } from '../../../src/engine/model';
import { type Instant, MINUTE } from '../../../src/engine/vocabulary';
import { DEFAULT_SETTINGS, emptyQueue } from '../../support/engine-snapshots';
import { EngineStore } from '../../../src/processing/replay/engine-store';
import { Dice } from '../../simulation/oracle/random';
import { VirtualCi, type VirtualWorld } from '../virtual/virtual-ci';
import { culpritNamed } from './red-batch';

/** A queue that never runs empty: each conclusion causes the next submission. */
export interface SaturatedQueue {
  readonly settings: Partial<QueueSettings>;
  /** Share of pull requests that fail alone. */
  readonly badShare: number;
  /** Probability that a test fails although its tree is good. */
  readonly flakeRate: number;
  /** Share of pull requests that conflict with a pull request submitted shortly before. If absent, none conflict. */
  readonly pairShare?: number;
  /** How well impacted targets reveal the conflicting pairs. If absent, no targets are known. */
  readonly areas?: KnownAreas;
  /**
   * The interval between CI outages and the length of an outage, in CI durations. Every test during an outage fails. If
   * absent, there are no outages.
   */
  readonly outages?: { readonly every: number; readonly length: number };
  readonly seed: number;
  readonly merges: number;
  /**
   * How many merges come first and are not counted, because the queue begins empty and without knowledge; none if
   * absent.
   */
  readonly warmUp?: number;
  /** How many pull requests are open for each place of a batch, if every slot has a full batch. */
  readonly backlogPerPlace?: number;
}

/**
 * Each pull request has its own area. With the probability `known`, a later pull request that conflicts with it also
 * has this area.
 */
interface KnownAreas {
  readonly known: number;
  /** Share of the next few pull requests that have the area although they do not conflict. */
  readonly falseAlarms: number;
}

export interface Course {
  readonly durations: number;
  readonly merged: number;
  readonly runs: number;
  readonly innocentsFailed: number;
  readonly culpritsFailed: number;
  /** `named` is the number of entries that bisections found. `namedRightly` is the number of bad entries among them. */
  readonly named: number;
  readonly namedRightly: number;
}

/** The number of open pull requests, which is so high that every slot finds a full batch. */
const BACKLOG = 80;
const BACKLOG_PER_PLACE = 2;

/** A pull request can conflict with this many of the pull requests submitted just before it. */
const PAIRED_WITHIN = 8;

const CI_DURATION = 10 * MINUTE;
const SHORTEST = 0.7;
const LONGEST = 1.3;
const LAND_SHARE = 0.01;

export function runSaturated(wanted: SaturatedQueue): Course {
  const { settings, badShare, flakeRate, pairShare = 0, areas, outages, seed } = wanted;
  const { warmUp = 0, backlogPerPlace = BACKLOG_PER_PLACE } = wanted;
  const merges = warmUp + wanted.merges;
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
    isDown: (from, until) => outages !== undefined && overlaps(outages, from - begun, until - begun),
    startTime: 0,
    landTime: LAND_SHARE * CI_DURATION,
  };
  const full = { ...DEFAULT_SETTINGS, batchingMaxWaitTimeMinutes: 0, ...settings };
  const ci = new VirtualCi(new EngineStore(emptyQueue(full, null)), world);
  const begun = ci.now;
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
  const backlog = Math.max(BACKLOG, backlogPerPlace * inPool * (batch ? batchingMinSize : 1));
  const sofar = (): Course => {
    const { line, search, verify, target } = ci.counts.runs;
    return { ...tally, durations: ci.now / CI_DURATION, runs: line + search + verify + target };
  };
  let begin = sofar();
  ci.runUntil(() => {
    if (begin.merged < warmUp && tally.merged >= warmUp) begin = sofar();
    for (; tally.open < backlog && tally.merged < merges; tally.open++) {
      const number = ++tally.submitted;
      if (dice.happens(badShare)) bad.add(number);
      if (pairShare > 0 && number > 1 && dice.happens(pairShare))
        pairUp(partners, number, number - 1 - dice.below(Math.min(PAIRED_WITHIN, number - 1)));
      ci.submit(number, areas ? areasOf(areas, number, partners, dice) : null);
    }
    return tally.merged >= merges;
  });
  return since(begin, sofar());
}

/** Whether a test in this period overlaps an outage. The first outage begins after one full interval. */
function overlaps(outages: NonNullable<SaturatedQueue['outages']>, from: Instant, until: Instant): boolean {
  const every = outages.every * CI_DURATION;
  const last = Math.floor(until / every) * every;
  return last > 0 && from < last + outages.length * CI_DURATION;
}

function since(before: Course, now: Course): Course {
  const more = (name: keyof Course): number => now[name] - before[name];
  return {
    durations: more('durations'),
    merged: more('merged'),
    runs: more('runs'),
    innocentsFailed: more('innocentsFailed'),
    culpritsFailed: more('culpritsFailed'),
    named: more('named'),
    namedRightly: more('namedRightly'),
  };
}

/** The areas of earlier partners only, because later partners are not submitted yet. */
function areasOf(
  { known, falseAlarms }: KnownAreas,
  number: number,
  partners: ReadonlyMap<number, readonly number[]>,
  dice: Dice,
): ReadonlySet<string> {
  const before = Array.from({ length: PAIRED_WITHIN }, (_, i) => number - 1 - i).filter((other) => other > 0);
  const shared = before.filter((other) => dice.happens(partners.get(number)?.includes(other) ? known : falseAlarms));
  return new Set([number, ...shared].map((one) => `area of #${one}`));
}

function pairUp(partners: Map<number, number[]>, one: number, other: number): void {
  partners.set(one, [...(partners.get(one) ?? []), other]);
  partners.set(other, [...(partners.get(other) ?? []), one]);
}
