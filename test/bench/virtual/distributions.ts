import type { Dice } from '../../simulation/oracle/random';

/** The time until the next event, if events are `mean` apart on average and independent of each other. */
export function exponential(dice: Dice, mean: number): number {
  return -mean * Math.log(1 - dice.throw());
}

/** A random duration. `spread` is the standard deviation of its logarithm. */
export function logNormal(dice: Dice, median: number, spread: number): number {
  return median * Math.exp(spread * normal(dice));
}

function normal(dice: Dice): number {
  const radius = Math.sqrt(-2 * Math.log(1 - dice.throw()));
  return radius * Math.cos(2 * Math.PI * dice.throw());
}
