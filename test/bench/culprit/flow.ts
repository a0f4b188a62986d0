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
  readonly model: Pair | null;
}

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
];

const SCHEDULINGS: readonly Scheduling[] = ['flow', 'in_order'];
const BATCH = 8;

/** Of the merges that a row counts: one machine merges so many at least. */
const MERGES_PER_MACHINE = 40;

/**
 * Both ways to schedule on the same machines, in a queue that never runs empty: batches of 8, half of the machines for the line
 * and half for searches, which flow uses as one pool.
 */
export async function reportFlow(sample: Sample): Promise<readonly string[]> {
  const cells = ROWS.flatMap((row) => SCHEDULINGS.map((scheduling) => ({ row, scheduling })));
  const jobs = cells.flatMap(({ row, scheduling }, i) =>
    // Both play the same days.
    seedsOf(sample, Math.floor(i / 2)).map((seed) => jobOf(row, scheduling, seed, sample.merges)),
  );
  const courses = await inWorkers<SaturatedQueue, Course>(WORKER, jobs);
  const measured = cells.map((cell, i) => ({
    ...cell,
    courses: courses.slice(i * sample.seeds, (i + 1) * sample.seeds),
  }));
  const rows = ROWS.map((row) => [
    nameOf(row),
    ...measured
      .filter((cell) => cell.row === row)
      .flatMap((cell) => [figuresOf(cell.courses), innocents(cell.courses)]),
    row.model === null ? '' : `${row.model.first} / ${row.model.second}`,
  ]);
  const head = ['queue', 'flow', 'innocents failed', 'in order', 'innocents failed', 'flow in the model'];
  printTable('Merged per CI duration / CI runs per merged, by scheduling', head, rows);
  return measured.flatMap(({ row, scheduling, courses }) => {
    const reached = mean(courses.map(mergedPerDuration));
    const isBehind = scheduling === 'flow' && row.model !== null && reached < LEAST_RATIO * row.model.first;
    return isBehind ? [`flow merges ${reached.toFixed(1)} per CI duration: ${nameOf(row)}`] : [];
  });
}

const LEAST_RATIO = 0.9;

function jobOf(row: FlowRow, scheduling: Scheduling, seed: number, merges: number): SaturatedQueue {
  const { machines, badShare, flakeRate = 0, pairShare = 0 } = row;
  const settings = {
    scheduling,
    concurrency: machines / 2,
    bisectionConcurrency: machines / 2,
    batch: true,
    batchingMinSize: BATCH,
    canOptimisticallyMerge: scheduling === 'flow',
    optimizationMode: 'bisection_skip_redundant_tests',
  } as const;
  return { settings, badShare, flakeRate, pairShare, seed, merges: Math.max(merges, machines * MERGES_PER_MACHINE) };
}

function nameOf({ machines, badShare, flakeRate = 0, pairShare = 0 }: FlowRow): string {
  const more = [
    ...(flakeRate > 0 ? [`${100 * flakeRate} % flakes`] : []),
    ...(pairShare > 0 ? [`${100 * pairShare} % in a pair that does not fit`] : []),
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
  const failed = courses.reduce((sum, { innocentsFailed }) => sum + innocentsFailed, 0);
  const merged = courses.reduce((sum, course) => sum + course.merged, 0);
  return `${failed} of ${failed + merged}`;
}
