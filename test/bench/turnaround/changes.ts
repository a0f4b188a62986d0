import { HOUR, type Instant, MINUTE } from '../../../src/engine/vocabulary';
import { Dice } from '../../simulation/oracle/random';
import { exponential, logNormal } from '../virtual/distributions';
import type { Conflicts } from './conflicts';

export interface Workload {
  readonly seed: number;
  readonly changesPerHour: number;
  readonly hours: number;
  /** How often two changes have an impacted target in common: they may conflict. */
  readonly potentialShare: number;
  /** A change was written beside this many before it: with those it may really conflict. */
  readonly writtenBeside: number;
  readonly conflicts: Conflicts;
}

/** A change as nature made it: when it comes, how long it builds, and whom it cannot live with. */
export interface VirtualChange {
  readonly number: number;
  /** After the beginning. */
  readonly arrivesAt: Instant;
  readonly buildTime: Instant;
  readonly targets: readonly string[];
  /** Earlier changes that break the build together with it. */
  readonly conflictsWith: readonly number[];
}

export const BUILD_MINUTES = { median: 28, most: 120, spread: 0.6 };
const TARGETS_PER_CHANGE = 2;

/** The same changes for every strategy; another arrival rate brings the same ones closer together. */
export function queuedHeadsOf(workload: Workload): readonly VirtualChange[] {
  const { seed, changesPerHour, hours, potentialShare, writtenBeside, conflicts } = workload;
  const dice = new Dice(seed);
  const targetCount = targetsFor(potentialShare);
  const changes: VirtualChange[] = [];
  for (let time = 0; ;) {
    time += exponential(dice, HOUR / changesPerHour);
    if (time > hours * HOUR) return changes;
    const minutes = Math.min(BUILD_MINUTES.most, logNormal(dice, BUILD_MINUTES.median, BUILD_MINUTES.spread));
    const targets = someTargets(dice, targetCount);
    const isRisky = dice.happens(conflicts.riskyShare);
    const beside = changes.slice(-writtenBeside).filter((other) => sharesTarget(other.targets, targets));
    const conflicting = beside.filter(() => dice.happens(conflicts.rate));
    changes.push({
      number: changes.length + 1,
      arrivesAt: Math.round(time),
      buildTime: Math.round(minutes * MINUTE),
      targets,
      conflictsWith: isRisky ? conflicting.map((other) => other.number) : [],
    });
  }
}

export function sharesTarget(some: readonly string[], others: readonly string[]): boolean {
  return some.some((target) => others.includes(target));
}

/** As many targets as make two changes, of two targets each, share one this often. */
function targetsFor(potentialShare: number): number {
  let count = TARGETS_PER_CHANGE;
  while (shareOf(count) > potentialShare) count++;
  return count;
}

function shareOf(count: number): number {
  if (count < 2 * TARGETS_PER_CHANGE) return 1;
  return 1 - ((count - 2) * (count - 3)) / (count * (count - 1));
}

function someTargets(dice: Dice, count: number): readonly string[] {
  const first = dice.below(count);
  const second = (first + 1 + dice.below(count - 1)) % count;
  return [`target-${first}`, `target-${second}`];
}

/** In the order of their arrival a change lands unless one landed that it cannot live with. */
export function landingNumbers(changes: readonly VirtualChange[]): ReadonlySet<number> {
  const landing = new Set<number>();
  for (const { number, conflictsWith } of changes)
    if (!conflictsWith.some((other) => landing.has(other))) landing.add(number);
  return landing;
}
