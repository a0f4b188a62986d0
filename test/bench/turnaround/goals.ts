import { percent, printTable, mean } from '../table';
import type { Setting } from './options';
import { figuresOf, type Figures, type Outcome } from './report';

/** The promised figures are means over this many days. */
export const GOAL_SEEDS = 5;
export const GOAL_SETTING: Setting = { changesPerHour: 500, slots: 100 };

type Limits = Partial<Record<keyof Figures, number>>;

const GOALS: ReadonlyMap<string, Limits> = new Map([
  ['parallel', { p50: 1.25, p95: 1.45, p99: 1.35, builds: 1.2, aborted: 0.15 }],
  ['sequential, by chance', { p50: 11, builds: 3 }],
]);

export const GOAL_STRATEGIES = [...GOALS.keys()];

const COLUMNS: readonly (readonly [keyof Figures, string, (value: number) => string])[] = [
  ['p50', 'P50', inHundredths],
  ['p95', 'P95', inHundredths],
  ['p99', 'P99', inHundredths],
  ['builds', 'builds per change', inHundredths],
  ['aborted', 'aborted', percent],
];

/** `days` has plays of the same setting, each with its own seed. Returns the number of missed goals. */
export function printGoals(days: readonly Outcome[]): number {
  let missed = 0;
  const rows = [...GOALS].map(([name, limits]) => {
    const figures = days.map((day) => figuresOf(day, day.ours.get(name)!));
    const cells = COLUMNS.map(([column, , written]) => {
      const limit = limits[column];
      const value = mean(figures.map((figure) => figure[column]));
      if (limit === undefined) return written(value);
      // Compares the values as written, so that a figure equal to its goal never counts as missed.
      const isMet = Number.parseFloat(written(value)) <= Number.parseFloat(written(limit));
      if (!isMet) missed++;
      return `${written(value)} (${isMet ? '≤' : 'not ≤'} ${written(limit)})`;
    });
    return [name, ...cells];
  });
  const { changesPerHour, slots } = GOAL_SETTING;
  const title = `Goals: ${changesPerHour} changes per hour, ${slots} slots, mean of ${days.length} days (goal)`;
  printTable(title, ['strategy', ...COLUMNS.map(([, name]) => name)], rows);
  return missed;
}

function inHundredths(value: number): string {
  return value.toFixed(2);
}
