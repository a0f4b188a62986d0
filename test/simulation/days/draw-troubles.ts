import type { Dice } from '../oracle/random';
import { type BranchName, DAY_MINUTES, type Deed, NOISE_FROM, NOISE_UNTIL } from './plan';

/** What befalls a service that runs for months: it is stopped, its queues are deleted, pull requests go to another one. */
export function drawTroubles(dice: Dice, count: number): readonly Deed[] {
  return [...drawStops(dice), ...drawRedirections(dice, count), ...drawDeletions(dice)];
}

function drawStops(dice: Dice): readonly Deed[] {
  const stops = dice.happens(0.5) ? 1 + dice.below(3) : 0;
  return Array.from({ length: stops }, (): Deed => {
    const minutes = dice.pick([0.2, 2, 20, 90, 200]) * (0.5 + dice.throw());
    const last = NOISE_UNTIL - minutes - 30;
    return { type: 'stopService', minutes, atMinute: NOISE_FROM + dice.throw() * Math.max(0, last - NOISE_FROM) };
  });
}

/** Some go to the other queue, and some of them come back. */
function drawRedirections(dice: Dice, count: number): readonly Deed[] {
  const deeds: Deed[] = [];
  const add = (number: number, queue: BranchName, atMinute: number): void =>
    void deeds.push({ type: 'redirect', number, queue, isSubmitted: dice.happens(0.8), atMinute });
  for (let number = 1; number <= count; number++) {
    if (!dice.happens(0.2)) continue;
    const atMinute = dice.throw() * (DAY_MINUTES - 120);
    add(number, 'release', atMinute);
    if (dice.happens(0.4)) add(number, 'main', atMinute + dice.throw() * 100);
  }
  return deeds;
}

/** Only an empty queue can be deleted. */
function drawDeletions(dice: Dice): readonly Deed[] {
  return Array.from({ length: dice.below(6) }, (): readonly Deed[] => {
    const queue = dice.pick(['main', 'release', 'release'] as const);
    const atMinute = dice.throw() * (DAY_MINUTES - 60);
    return [
      { type: 'deleteQueue', queue, atMinute },
      { type: 'createQueue', queue, atMinute: atMinute + 1 + dice.throw() * 30 },
    ];
  }).flat();
}
