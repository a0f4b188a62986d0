import { HOUR, type Instant, MINUTE } from '../../../src/engine/vocabulary';
import { percent, percentile, printTable } from '../table';
import type { VirtualChange } from './changes';
import type { Setting } from './options';
import type { Played } from './play';
import { type Landings, oracle, serial } from './yardsticks';

/** All courses at one arrival rate with one number of slots. */
export interface Outcome extends Setting {
  readonly changes: readonly VirtualChange[];
  readonly ours: ReadonlyMap<string, Played>;
}

const PERCENTILES = [0.5, 0.95, 0.99];

const HEAD = ['strategy', 'P50', 'P95', 'P99', 'builds per change', 'aborted', 'merged', 'merged per hour'];

/** The result of one strategy. An undecided change counts as one that never lands. */
interface Course {
  readonly landed: Landings;
  readonly undecided: number;
}

function courseOf({ changes }: Outcome, { landed, rejected }: Played): Course {
  return { landed: new Map(landed), undecided: changes.length - landed.length - rejected };
}

/** Times from arrival to landing. The time of an undecided change is infinite. */
function turnarounds({ changes }: Outcome, { landed, undecided }: Course): readonly Instant[] {
  const times = changes.flatMap(({ number, arrivesAt }) => {
    const at = landed.get(number);
    return at === undefined ? [] : at - arrivesAt;
  });
  return [...times, ...new Array<Instant>(undecided).fill(Infinity)];
}

function landedPerHour(landedAt: Landings): number {
  return (HOUR * landedAt.size) / Math.max(...landedAt.values());
}

/** `p50` to `p99` are multiples of the Oracle's turnaround. */
export interface Figures {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly builds: number;
  readonly aborted: number;
}

export function figuresOf(outcome: Outcome, played: Played): Figures {
  const times = turnarounds(outcome, courseOf(outcome, played));
  const best = turnarounds(outcome, { landed: oracle(outcome.changes, outcome.slots), undecided: 0 });
  const ratio = (share: number): number => percentile(times, share) / percentile(best, share);
  const { builds, aborted } = played;
  const spent = { builds: builds / outcome.changes.length, aborted: aborted / builds };
  return { p50: ratio(0.5), p95: ratio(0.95), p99: ratio(0.99), ...spent };
}

function rowsOf(outcome: Outcome): readonly (readonly string[])[] {
  const { changes, slots, ours } = outcome;
  const best: Course = { landed: oracle(changes, slots), undecided: 0 };
  const bestTimes = PERCENTILES.map((share) => percentile(turnarounds(outcome, best), share));
  const row = (name: string, course: Course, builds: number, aborted: number): readonly string[] => {
    const times = turnarounds(outcome, course);
    const ratios = PERCENTILES.map((share, i) => (percentile(times, share) / bestTimes[i]!).toFixed(2));
    const spent = [(builds / changes.length).toFixed(2), percent(aborted / builds)];
    return [name, ...ratios, ...spent, String(course.landed.size), landedPerHour(course.landed).toFixed(0)];
  };
  const minutes = bestTimes.map((time) => `${(time / MINUTE).toFixed(0)} min`);
  const [, , , , ...oracleRest] = row('Oracle', best, best.landed.size, 0);
  return [
    ['Oracle', ...minutes, ...oracleRest],
    row('serial', { landed: serial(changes), undecided: 0 }, changes.length, 0),
    ...[...ours].map(([name, played]) => row(name, courseOf(outcome, played), played.builds, played.aborted)),
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
  if (bySlots.length > 0) printTable('Throughput by slots: merged per hour', head, throughputRows(bySlots));
}

/** One line that names our best strategy at each rate and number of slots. */
export function summaryOf(outcomes: readonly Outcome[]): string {
  const parts = outcomes.map((outcome) => {
    const p95 = (course: Course): number => percentile(turnarounds(outcome, course), 0.95);
    const best = p95({ landed: oracle(outcome.changes, outcome.slots), undecided: 0 });
    const ratios = [...outcome.ours].map(([name, played]) => ({ name, ratio: p95(courseOf(outcome, played)) / best }));
    const { name, ratio } = ratios.reduce((a, b) => (b.ratio < a.ratio ? b : a));
    return `${outcome.changesPerHour}/h on ${outcome.slots} slots ${ratio.toFixed(2)} (${name})`;
  });
  return `P95 of our best strategy ÷ the Oracle's: ${parts.join(', ')}`;
}
