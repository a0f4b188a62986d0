import { HOUR, type Instant, MINUTE } from '../../../src/engine/vocabulary';
import { Dice } from '../../simulation/oracle/random';
import { exponential, logNormal } from '../virtual/distributions';
import type { Conflicts } from './conflicts';

export interface Workload {
  readonly seed: number;
  readonly changesPerHour: number;
  readonly hours: number;
  /** Probability that two changes have a common impacted target and may conflict. */
  readonly potentialShare: number;
  /**
   * How many earlier changes were written in parallel with a change. The change can really conflict only with these
   * earlier changes.
   */
  readonly writtenBeside: number;
  readonly conflicts: Conflicts;
}

/** A change with its true properties: arrival, build time and conflicts. */
export interface VirtualChange {
  readonly number: number;
  /** Time from the beginning of the workload. */
  readonly arrivesAt: Instant;
  readonly buildTime: Instant;
  readonly targets: readonly string[];
  /** Earlier changes that break the build together with this change. */
  readonly conflictsWith: readonly number[];
}

export const BUILD_MINUTES = { median: 28, most: 120, spread: 0.6 };
const TARGETS_PER_CHANGE = 2;

/**
 * Returns the same changes for every strategy. With another arrival rate, the same changes arrive closer together or
 * farther apart.
 */
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

/** The number of all targets. Two changes with two targets each share a target at most as often as `potentialShare`. */
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

/**
 * The numbers of the changes that land in order of arrival. A change lands unless it conflicts with a landed change.
 */
export function landingNumbers(changes: readonly VirtualChange[]): ReadonlySet<number> {
  const landing = new Set<number>();
  for (const { number, conflictsWith } of changes)
    if (!conflictsWith.some((other) => landing.has(other))) landing.add(number);
  return landing;
}
