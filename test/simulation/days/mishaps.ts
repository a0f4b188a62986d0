import type { Chance } from './chance';
import type { NoisePlan } from './plan';
import { count, type Counts } from './tally';
import type { Time } from './time';

/** Random mishaps in the noisy part of the day. The plan says how frequent each mishap is. */
export class Mishaps {
  constructor(
    private readonly noise: NoisePlan,
    private readonly chance: Chance,
    private readonly time: Time,
    private readonly counts: Counts,
  ) {}

  /** Whether the mishap happens. `key` names the random draw, so that other draws do not change it. */
  happens(mishap: keyof NoisePlan, ...key: readonly (string | number)[]): boolean {
    const happens = this.time.isNoisy && this.chance.happens(this.noise[mishap], mishap, ...key);
    if (happens) count(this.counts, mishap);
    return happens;
  }
}
