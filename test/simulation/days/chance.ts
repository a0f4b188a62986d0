import { Dice } from '../oracle/random';

/**
 * Randomness by name. A draw does not depend on draws for other names, so a day without some events is otherwise the
 * same day.
 */
export class Chance {
  constructor(private readonly seed: number) {}

  of(...names: readonly (string | number)[]): Dice {
    let mixed = (0x811c9dc5 ^ this.seed) >>> 0;
    for (const char of names.join('/')) mixed = Math.imul(mixed ^ char.charCodeAt(0), 0x01000193) >>> 0;
    return new Dice(mixed);
  }

  happens(probability: number, ...names: readonly (string | number)[]): boolean {
    return probability > 0 && this.of(...names).happens(probability);
  }

  /** Draws a number between `least` and `most`. */
  between(least: number, most: number, ...names: readonly (string | number)[]): number {
    return least + this.of(...names).throw() * (most - least);
  }
}
