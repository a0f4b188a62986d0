import type { Scheduling } from '../../../src/engine/vocabulary';
import { mean, printTable } from '../table';
import { inWorkers } from '../workers';
import type { Pair } from './figures';
import type { Course, SaturatedQueue } from './saturated-queue';
import { type Sample, seedsOf, WORKER } from './throughput';

/** What the design's model of flow measured, or null: merged per CI duration / runs per merged. */
interface FlowRow {
  readonly machines: number;
  readonly badShare: number;
  readonly flakeRate?: number;
  readonly pairShare?: number;
  readonly areas?: SaturatedQueue['areas'];
  readonly model: Pair | null;
}

/** Targets name nine of ten pairs, and one in ten of the others nearby. */
const KNOWN_AREAS = { known: 0.9, falseAlarms: 0.1 } as const;

const ROWS: readonly FlowRow[] = [
  { machines: 8, badShare: 0.05, model: { first: 20.1, second: 0.41 } },
  { machines: 20, badShare: 0.05, model: { first: 46.8, second: 0.45 } },
  { machines: 40, badShare: 0.05, model: { first: 94.3, second: 0.435 } },
  { machines: 40, badShare: 0.01, model: { first: 194.6, second: 0.209 } },
  { machines: 8, badShare: 0, model: { first: 64, second: 0.14 } },
  { machines: 8, badShare: 0.01, model: { first: 41.4, second: 0.2 } },
  { machines: 8, badShare: 0.02, model: { first: 31.7, second: 0.28 } },
  { machines: 8, badShare: 0.1, model: { first: 11.1, second: 0.74 } },
  { machines: 8, badShare: 0.2, model: { first: 5.8, second: 1.39 } },
  { machines: 8, badShare: 0.05, flakeRate: 0.05, model: { first: 17, second: 0.48 } },
  { machines: 8, badShare: 0.03, pairShare: 0.05, model: { first: 6.7, second: 1.18 } },
  { machines: 8, badShare: 0.03, pairShare: 0.05, areas: KNOWN_AREAS, model: { first: 9.9, second: 0.82 } },
  { machines: 8, badShare: 0.05, areas: KNOWN_AREAS, model: { first: 20.6, second: 0.4 } },
];

const SCHEDULINGS: readonly Scheduling[] = ['flow', 'in_order'];
const NAMES: Record<Scheduling, string> = { flow: 'flow', in_order: 'in order' };
const BATCH = 8;

/** Of the merges that a row counts: one machine merges so many at least. Half as many pass before. */
const MERGES_PER_MACHINE = 40;
/** Half of what is open has passed beside others, so that a full batch still waits for every slot. */
const BACKLOG_PER_PLACE = 4;

/** Of those that should have landed, so few may have failed; judged where so many landed. */
const INNOCENTS_AT_MOST = 0.0003;
const JUDGED_FROM = 10_000;

/**
 * Both ways to schedule on the same machines, in a queue that never runs empty: batches of 8, half of the machines for the line
 * and half for searches, which flow uses as one pool. `only`: the rows with this in their name, and flow alone.
 */
export async function reportFlow(sample: Sample, only: string | null = null): Promise<readonly string[]> {
  const rowsNow = ROWS.filter((row) => only === null || nameOf(row).includes(only));
  const schedulings: readonly Scheduling[] = only === null ? SCHEDULINGS : ['flow'];
  const cells = rowsNow.flatMap((row) => schedulings.map((scheduling) => ({ row, scheduling })));
  const jobs = cells.flatMap(({ row, scheduling }) =>
    // Both play the same days.
    seedsOf(sample, ROWS.indexOf(row)).map((seed) => jobOf(row, scheduling, seed, sample.merges)),
  );
  const courses = await inWorkers<SaturatedQueue, Course>(WORKER, jobs);
  const measured = cells.map((cell, i) => ({
    ...cell,
    courses: courses.slice(i * sample.seeds, (i + 1) * sample.seeds),
  }));
  const rows = rowsNow.map((row) => [
    nameOf(row),
    ...measured
      .filter((cell) => cell.row === row)
      .flatMap((cell) => [figuresOf(cell.courses), innocents(cell.courses)]),
    row.model === null ? '' : `${row.model.first} / ${row.model.second}`,
  ]);
  const columns = schedulings.flatMap((scheduling) => [NAMES[scheduling], 'innocents failed']);
  const head = ['queue', ...columns, 'flow in the model'];
  printTable('Merged per CI duration / CI runs per merged, by scheduling', head, rows);
  return measured
    .filter(({ scheduling }) => scheduling === 'flow')
    .flatMap(({ row, courses }) => worseIn(row, courses));
}

function worseIn(row: FlowRow, courses: readonly Course[]): readonly string[] {
  const reached = mean(courses.map(mergedPerDuration));
  const isBehind = row.model !== null && reached < LEAST_RATIO * row.model.first;
  const { failed, merged } = blamed(courses);
  const isUnjust = merged >= JUDGED_FROM && failed > INNOCENTS_AT_MOST * (failed + merged);
  return [
    ...(isBehind ? [`flow merges ${reached.toFixed(1)} per CI duration: ${nameOf(row)}`] : []),
    ...(isUnjust ? [`flow fails ${failed} innocents of ${failed + merged}: ${nameOf(row)}`] : []),
  ];
}

const LEAST_RATIO = 0.9;

function jobOf(row: FlowRow, scheduling: Scheduling, seed: number, merges: number): SaturatedQueue {
  const { machines, badShare, flakeRate = 0, pairShare = 0, areas } = row;
  const settings = {
    scheduling,
    concurrency: machines / 2,
    bisectionConcurrency: machines / 2,
    batch: true,
    batchingMinSize: BATCH,
    canOptimisticallyMerge: scheduling === 'flow',
    optimizationMode: 'bisection_skip_redundant_tests',
  } as const;
  const counted = Math.max(merges, machines * MERGES_PER_MACHINE);
  const sampled = { seed, merges: counted, warmUp: (machines * MERGES_PER_MACHINE) / 2 };
  return { settings, badShare, flakeRate, pairShare, areas, ...sampled, backlogPerPlace: BACKLOG_PER_PLACE };
}

function nameOf({ machines, badShare, flakeRate = 0, pairShare = 0, areas }: FlowRow): string {
  const more = [
    ...(flakeRate > 0 ? [`${100 * flakeRate} % flakes`] : []),
    ...(pairShare > 0 ? [`${100 * pairShare} % in a pair that does not fit`] : []),
    ...(areas ? ['targets known'] : []),
  ];
  return [`${machines} machines, ${100 * badShare} % bad`, ...more].join(', ');
}

function mergedPerDuration({ merged, durations }: Course): number {
  return merged / durations;
}

function figuresOf(courses: readonly Course[]): string {
  const runs = mean(courses.map(({ runs, merged }) => runs / merged));
  return `${mean(courses.map(mergedPerDuration)).toFixed(1)} / ${runs.toFixed(2)}`;
}

function innocents(courses: readonly Course[]): string {
  const { failed, merged } = blamed(courses);
  return `${failed} of ${failed + merged}`;
}

/** Those that failed although nothing was wrong with them, and those that landed. */
function blamed(courses: readonly Course[]): { readonly failed: number; readonly merged: number } {
  const failed = courses.reduce((sum, { innocentsFailed }) => sum + innocentsFailed, 0);
  const merged = courses.reduce((sum, course) => sum + course.merged, 0);
  return { failed, merged };
}
