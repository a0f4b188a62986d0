import type { Freeze, QueueSettings } from '../../../src/engine/model';
import { MINUTE } from '../../../src/engine/vocabulary';
import type { Dice } from '../oracle/random';
import { DAY_MINUTES, type Deed } from './plan';
import { BEGIN } from './time';

/** On some days, draws what the queue's owner requests. */
export function drawOwner(dice: Dice, deeds: readonly Deed[], count: number): readonly Deed[] {
  return [...drawPromotions(dice, deeds, count), ...drawEmptyings(dice)];
}

/** Freeze windows of a few hours. On some days urgent entries may land during a freeze. */
export function drawFreezes(dice: Dice): readonly Freeze[] {
  if (!dice.happens(0.15)) return [];
  return Array.from({ length: 1 + dice.below(2) }, () => {
    const from = BEGIN + Math.floor(dice.throw() * DAY_MINUTES) * MINUTE;
    const exceptPriorityAtMost = dice.pick([null, 0, 10]);
    return { from, until: from + (30 + dice.below(180)) * MINUTE, exceptPriorityAtMost };
  });
}

export function drawLimit(dice: Dice): Pick<QueueSettings, 'maxMergesPerHour'> {
  return { maxMergesPerHour: dice.happens(0.2) ? dice.pick([2, 4, 8]) : null };
}

/** On some days people only submit dry runs. */
export function withDryRuns(dice: Dice, deeds: readonly Deed[]): readonly Deed[] {
  if (!dice.happens(0.3)) return deeds;
  return deeds.map((deed) => (deed.type === 'submit' && dice.happens(0.15) ? { ...deed, dryRun: true } : deed));
}

/** On some days the host begins to require a check for heads that are under test, and the check never reports. */
export function drawSilentChecks(dice: Dice, deeds: readonly Deed[], ciMinutes: number): readonly Deed[] {
  if (!dice.happens(0.5)) return [];
  const submissions = deeds.filter((deed) => deed.type === 'submit');
  return Array.from({ length: 2 + dice.below(4) }, (): Deed => {
    const { number, atMinute } = submissions[dice.below(submissions.length)]!;
    return { type: 'expectCheck', number, atMinute: Math.min(DAY_MINUTES - 1, atMinute + dice.throw() * ciMinutes) };
  });
}

/** Entries become urgent shortly after their submission, while they wait. */
function drawPromotions(dice: Dice, deeds: readonly Deed[], count: number): readonly Deed[] {
  if (!dice.happens(0.4)) return [];
  const submissions = deeds.filter((deed) => deed.type === 'submit');
  return Array.from({ length: 1 + dice.below(count / 4) }, (): Deed => {
    const { number, atMinute } = submissions[dice.below(submissions.length)]!;
    return { type: 'promote', number, atMinute: Math.min(DAY_MINUTES - 1, atMinute + dice.throw() * 30) };
  });
}

function drawEmptyings(dice: Dice): readonly Deed[] {
  return dice.happens(0.1) ? [{ type: 'cancelAll', atMinute: dice.throw() * DAY_MINUTES }] : [];
}
