import type { Instant } from '../../../src/engine/vocabulary';
import { landingNumbers, sharesTarget, type VirtualChange } from './changes';

/** The time from the beginning to the decision about each landed change. */
export type Landings = ReadonlyMap<number, Instant>;

/**
 * The Oracle knows every outcome. Therefore the Oracle builds only changes that will land, each once, in order of
 * arrival as slots become free. Each change is built on the earlier changes that share a target with it, and lands when
 * they have landed.
 */
export function oracle(changes: readonly VirtualChange[], slots: number): Landings {
  const landing = landingNumbers(changes);
  const freeAt = new Array<Instant>(slots).fill(0);
  const landedAt = new Map<number, Instant>();
  const landed: { readonly targets: readonly string[]; readonly at: Instant }[] = [];
  for (const { number, arrivesAt, buildTime, targets } of changes) {
    if (!landing.has(number)) continue;
    const slot = freeAt.indexOf(Math.min(...freeAt));
    const built = Math.max(arrivesAt, freeAt[slot]!) + buildTime;
    freeAt[slot] = built;
    const ahead = landed.filter((other) => sharesTarget(other.targets, targets)).map((other) => other.at);
    const at = Math.max(built, ...ahead);
    landed.push({ targets, at });
    landedAt.set(number, at);
  }
  return landedAt;
}

/** Plays one change after another: each is built on all landed changes, and lands or fails. */
export function serial(changes: readonly VirtualChange[]): Landings {
  const landing = landingNumbers(changes);
  const landedAt = new Map<number, Instant>();
  let freeAt = 0;
  for (const { number, arrivesAt, buildTime } of changes) {
    freeAt = Math.max(freeAt, arrivesAt) + buildTime;
    if (landing.has(number)) landedAt.set(number, freeAt);
  }
  return landedAt;
}
