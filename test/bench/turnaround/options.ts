import { readCommandLine, WRITES } from '../../support/command-line';
import { STRATEGIES } from './strategies';

/**
 * Without options, the benchmark plays all rates with the usual number of slots, and all numbers of slots at the usual
 * rate.
 */
const RATES = [100, 200, 300, 400, 500];
const SLOTS = [25, 50, 100];
const USUAL_RATE = 300;
const USUAL_SLOTS = 100;

export interface Setting {
  readonly changesPerHour: number;
  readonly slots: number;
}

export interface Options {
  readonly settings: readonly Setting[];
  readonly hours: number;
  readonly seed: number;
  readonly potentialShare: number;
  readonly strategies: readonly string[];
  /** Whether the figures with a goal are played. */
  readonly goals: boolean;
  readonly write: boolean;
}

export function readOptions(): Options {
  const { values } = readCommandLine({
    script: 'bench:turnaround',
    does: 'Compares the time to a merge with other policies. Ends with 1 if a goal is missed.',
    options: {
      ...WRITES,
      rates: { takes: 'N,N', says: 'pull requests per hour' },
      slots: { takes: 'N,N', says: 'test runs at a time' },
      hours: { takes: 'N', default: '1', says: 'length of a day' },
      seed: { takes: 'N', default: '1', says: 'the first seed' },
      potential: { takes: 'N', default: '0.02', says: 'share of pairs that fail only together' },
      strategies: { takes: 'A,B', default: '', says: 'only these policies' },
      goals: { says: 'only figures with a goal' },
    },
  });
  const isPart = values.rates !== undefined || values.slots !== undefined || values.strategies !== '';
  return {
    settings: values.goals ? [] : settingsOf(values),
    goals: values.goals || !isPart,
    hours: Number(values.hours),
    seed: Number(values.seed),
    potentialShare: Number(values.potential),
    strategies: STRATEGIES.map(({ name }) => name).filter((name) => name.startsWith(values.strategies)),
    write: values.write,
  };
}

function settingsOf(asked: { readonly rates?: string; readonly slots?: string }): readonly Setting[] {
  if (asked.rates === undefined && asked.slots === undefined)
    return [
      ...cross(RATES, [USUAL_SLOTS]),
      ...cross(
        [USUAL_RATE],
        SLOTS.filter((slots) => slots !== USUAL_SLOTS),
      ),
    ];
  return cross(numbersIn(asked.rates) ?? [USUAL_RATE], numbersIn(asked.slots) ?? [USUAL_SLOTS]);
}

function cross(rates: readonly number[], slotNumbers: readonly number[]): readonly Setting[] {
  return rates.flatMap((changesPerHour) => slotNumbers.map((slots) => ({ changesPerHour, slots })));
}

function numbersIn(list: string | undefined): readonly number[] | undefined {
  return list?.split(',').map(Number);
}
