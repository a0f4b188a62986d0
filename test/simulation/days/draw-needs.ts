import type { Dice } from '../oracle/random';
import { DAY_MINUTES, type Deed } from './plan';

/**
 * On some days pull requests are stacked on each other or name each other in their descriptions, sometimes in a circle.
 */
export function drawNeeds(dice: Dice, count: number): readonly Deed[] {
  if (dice.happens(0.4)) return [];
  const deeds: Deed[] = [];
  for (let number = 2; number <= count; number++) {
    if (dice.happens(0.2))
      deeds.push({ type: 'stack', number, on: Math.max(1, number - 1 - dice.below(3)), atMinute: 0 });
    if (!dice.happens(0.1)) continue;
    const on = 1 + dice.below(count);
    const atMinute = dice.pick([0, dice.throw() * DAY_MINUTES]);
    deeds.push({ type: 'depend', number, on: on === number ? null : on, atMinute });
    if (dice.happens(0.5)) deeds.push({ type: 'depend', number, on: null, atMinute: later(dice, atMinute) });
  }
  return deeds;
}

function later(dice: Dice, minute: number): number {
  return Math.min(DAY_MINUTES - 1, minute + 1 + dice.throw() * 300);
}
