import { HOUR, type Instant, MINUTE } from '../../../src/engine/vocabulary';
import { percent, percentile, printTable } from '../table';
import type { VirtualChange } from './changes';
import type { Setting } from './options';
import type { Played } from './play';
import { type Landings, oracle, serial } from './yardsticks';

/** Everything that was played at one arrival rate with one number of slots. */
export interface Outcome extends Setting {
  readonly changes: readonly VirtualChange[];
  readonly ours: ReadonlyMap<string, Played>;
}

const PERCENTILES = [0.5, 0.95, 0.99];

const HEAD = ['strategy', 'P50', 'P95', 'P99', 'builds per change', 'aborted', 'landed', 'landed per hour'];

/** Of the changes that land if everybody comes in turn; what a strategy did not land took for ever. */
function turnarounds({ changes, slots }: Outcome, landedAt: Landings): readonly Instant[] {
  const landing = oracle(changes, slots);
  return changes
    .filter(({ number }) => landing.has(number))
    .map(({ number, arrivesAt }) => (landedAt.get(number) ?? Infinity) - arrivesAt);
}

function landedPerHour(landedAt: Landings): number {
  return (HOUR * landedAt.size) / Math.max(...landedAt.values());
}

function rowsOf(outcome: Outcome): readonly (readonly string[])[] {
  const { changes, slots, ours } = outcome;
  const best = oracle(changes, slots);
  const bestTimes = PERCENTILES.map((share) => percentile(turnarounds(outcome, best), share));
  const row = (name: string, landedAt: Landings, builds: number, aborted: number): readonly string[] => {
    const times = turnarounds(outcome, landedAt);
    const ratios = PERCENTILES.map((share, i) => (percentile(times, share) / bestTimes[i]!).toFixed(2));
    const spent = [(builds / changes.length).toFixed(2), percent(aborted / builds)];
    return [name, ...ratios, ...spent, String(landedAt.size), landedPerHour(landedAt).toFixed(0)];
  };
  const minutes = bestTimes.map((time) => `${(time / MINUTE).toFixed(0)} min`);
  const [, , , , ...oracleRest] = row('Oracle', best, best.size, 0);
  return [
    ['Oracle', ...minutes, ...oracleRest],
    row('serial', serial(changes), changes.length, 0),
    ...[...ours].map(([name, played]) => row(name, new Map(played.landed), played.builds, played.aborted)),
  ];
}

function throughputRows(outcomes: readonly Outcome[]): readonly (readonly string[])[] {
  const names = [...(outcomes[0]?.ours.keys() ?? [])];
  const perHour = (landedAt: Landings): string => landedPerHour(landedAt).toFixed(0);
  return [
    ['Oracle', ...outcomes.map(({ changes, slots }) => perHour(oracle(changes, slots)))],
    ['serial', ...outcomes.map(({ changes }) => perHour(serial(changes)))],
    ...names.map((name) => [name, ...outcomes.map(({ ours }) => perHour(new Map(ours.get(name)!.landed)))]),
  ];
}

export function printOutcomes(outcomes: readonly Outcome[]): void {
  for (const outcome of outcomes) {
    const { changesPerHour, slots } = outcome;
    printTable(`${changesPerHour} changes per hour, ${slots} slots: turnaround ÷ the Oracle's`, HEAD, rowsOf(outcome));
  }
  const isVaried = ({ changesPerHour }: Outcome): boolean =>
    outcomes.filter((other) => other.changesPerHour === changesPerHour).length > 1;
  const bySlots = outcomes.filter(isVaried).sort((a, b) => a.changesPerHour - b.changesPerHour || a.slots - b.slots);
  const head = ['strategy', ...bySlots.map(({ changesPerHour, slots }) => `${changesPerHour}/h, ${slots} slots`)];
  if (bySlots.length > 0) printTable('Throughput by slots: landed per hour', head, throughputRows(bySlots));
}

/** How the best of ours compares at each rate and number of slots, in one line. */
export function summaryOf(outcomes: readonly Outcome[]): string {
  const parts = outcomes.map((outcome) => {
    const best = percentile(turnarounds(outcome, oracle(outcome.changes, outcome.slots)), 0.95);
    const ratios = [...outcome.ours].map(([name, { landed }]) => {
      const ratio = percentile(turnarounds(outcome, new Map(landed)), 0.95) / best;
      return { name, ratio };
    });
    const { name, ratio } = ratios.reduce((a, b) => (b.ratio < a.ratio ? b : a));
    return `${outcome.changesPerHour}/h on ${outcome.slots} slots ${ratio.toFixed(2)} (${name})`;
  });
  return `P95 of the best of ours ÷ the Oracle's: ${parts.join(', ')}`;
}
