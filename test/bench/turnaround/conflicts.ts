import { Dice } from '../../simulation/oracle/random';
import { printNote } from '../results';
import { percent, printTable } from '../table';

/**
 * How often changes that may conflict really do. Published figures: among two concurrent changes that may conflict, a
 * change breaks in 5 % of cases, and among sixteen in 40 %. One rate for all changes would give 54 % among sixteen. So
 * some changes are risky, and the others never break.
 */
export interface Conflicts {
  readonly riskyShare: number;
  /** Probability that a risky change really conflicts with another change, if the two may conflict. */
  readonly rate: number;
}

const PUBLISHED: ReadonlyMap<number, number> = new Map([
  [2, 0.05],
  [16, 0.4],
]);
const TRIALS = 200_000;

/** The probability that a change breaks next to `others` changes with which it may conflict. */
function breakShare({ riskyShare, rate }: Conflicts, others: number): number {
  return riskyShare * (1 - (1 - rate) ** others);
}

/** The two parameters that match both published figures, found by bisection. */
export function calibrated(): Conflicts {
  const [atTwo, atSixteen] = [PUBLISHED.get(2)!, PUBLISHED.get(16)!];
  let [low, high] = [atTwo, 1];
  for (let i = 0; i < 60; i++) {
    const rate = (low + high) / 2;
    if (breakShare({ riskyShare: atTwo / rate, rate }, 15) > atSixteen) low = rate;
    else high = rate;
  }
  return { riskyShare: atTwo / low, rate: low };
}

export function printCalibration(conflicts: Conflicts, seed: number): void {
  const dice = new Dice(seed);
  const rows = [2, 4, 8, 16].map((concurrent) => {
    let broken = 0;
    for (let i = 0; i < TRIALS; i++) broken += Number(breaksBeside(dice, conflicts, concurrent - 1));
    const published = PUBLISHED.get(concurrent);
    const model = percent(breakShare(conflicts, concurrent - 1));
    return [String(concurrent), published ? percent(published) : '', model, percent(broken / TRIALS)];
  });
  printTable('Calibration: P(a change breaks) among concurrent, potentially conflicting changes', HEAD, rows);
  printNote(`\n${percent(conflicts.riskyShare)} of the changes are risky, ${percent(conflicts.rate)} with each`);
}

const HEAD = ['concurrent', 'published', 'model', `${TRIALS.toLocaleString('en')} throws`];

function breaksBeside(dice: Dice, { riskyShare, rate }: Conflicts, others: number): boolean {
  if (!dice.happens(riskyShare)) return false;
  for (let other = 0; other < others; other++) if (dice.happens(rate)) return true;
  return false;
}
