import type { QueueSettings } from '../../../src/engine/model';
import { type Instant, MINUTE } from '../../../src/engine/vocabulary';
import { DEFAULT_SETTINGS, emptyQueue } from '../../support/engine-snapshots';
import { EngineStore } from '../../../src/processing/replay/engine-store';
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
  /** What impacted targets say of those pairs. Absent: no targets are known. */
  readonly areas?: KnownAreas;
  /** In CI durations: how often CI goes down, and for how long. What is tested then is red. Absent: never. */
  readonly outages?: { readonly every: number; readonly length: number };
  readonly seed: number;
  readonly merges: number;
  /** So many merges pass before anything is counted: the queue begins empty, and knows nothing. Absent: none. */
  readonly warmUp?: number;
  /** Open pull requests for each place in a full batch of each slot. */
  readonly backlogPerPlace?: number;
}

/** Each pull request has an area of its own. Later ones have that, too, if it is `known` that they do not fit to it. */
interface KnownAreas {
  readonly known: number;
  /** How many have it although they fit, of the next few. */
  readonly falseAlarms: number;
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
const BACKLOG_PER_PLACE = 2;

/** A pull request conflicts with one of so many before it. */
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

/** Whether a test from then to then is under way in an outage. The first one begins after a whole interval. */
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

/** Only of partners that were submitted before: nobody knows those that come later. */
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
