import { mean, printTable } from '../table';
import { inWorkers } from '../workers';
import type { ArrivingCourse, ArrivingQueue } from './arriving-queue';
import { type Sample, seedsOf, WORKER } from './throughput';

const ARRIVING = 8;
const SUBMITTED = 1_500;
const CI_MINUTES = 10;

interface ArrivingRow {
  readonly badShare: number;
  readonly machines: number;
  /** How long an incomplete group waits for more entries, in CI durations. */
  readonly wait: number;
  /** The figures of the design's model: P50 / P95 / runs. */
  readonly model: string;
}

const ROWS: readonly ArrivingRow[] = [
  { badShare: 0.01, machines: 8, wait: 0, model: '1.01 / 2.0 / 0.94' },
  { badShare: 0.01, machines: 8, wait: 0.25, model: '1.21 / 2.9 / 0.39' },
  { badShare: 0.01, machines: 8, wait: 0.5, model: '1.34 / 3.4 / 0.27' },
  { badShare: 0.01, machines: 4, wait: 0, model: '1.19 / 2.1 / 0.52' },
  { badShare: 0.05, machines: 8, wait: 0, model: '1.87 / 3.9 / 1.06' },
  { badShare: 0.05, machines: 8, wait: 0.25, model: '1.78 / 4.7 / 0.59' },
  { badShare: 0.05, machines: 8, wait: 0.5, model: '2.45 / 5.4 / 0.50' },
  { badShare: 0.05, machines: 4, wait: 0, model: '2.7 / 9.6 / 0.55' },
];

/** At least one of the rows in `among` must reach both figures: few runs, and a short time to merge. */
const GOAL = { badShare: 0.01, runs: 0.55, p50: 1.25, among: ['8, 0.25', '4, 0'] };

/** A flow queue that is often empty, with the gain and the cost of a wait for more entries. */
export async function reportArrivals({ seeds, ...sample }: Sample): Promise<readonly string[]> {
  const jobs = ROWS.map((row, i) =>
    seedsOf({ ...sample, seeds: row.badShare === GOAL.badShare ? seeds : 1 }, i).map((seed) => jobOf(row, seed)),
  );
  const courses = await inWorkers<ArrivingQueue, ArrivingCourse>(WORKER, jobs.flat());
  const answers = courses[Symbol.iterator]();
  const measured = ROWS.map((row, i) => {
    const own = jobs[i]!.map(() => answers.next().value as ArrivingCourse);
    const average = (figure: (course: ArrivingCourse) => number): number => mean(own.map(figure));
    return {
      ...row,
      merged: { p50: average((one) => one.mergedAfter.p50), p95: average((one) => one.mergedAfter.p95) },
      failed: { p50: average((one) => one.failedAfter.p50), p95: average((one) => one.failedAfter.p95) },
      runs: average(({ runs, merged }) => runs / merged),
      innocents: own.reduce((sum, { innocentsFailed }) => sum + innocentsFailed, 0),
    };
  });
  const rows = measured.map(({ badShare, machines, wait, merged, failed, runs, model }) => [
    `${100 * badShare} % bad, ${machines} machines, wait ${wait}`,
    `${merged.p50.toFixed(2)} / ${merged.p95.toFixed(1)} / ${runs.toFixed(2)}`,
    `${failed.p50.toFixed(1)} / ${failed.p95.toFixed(1)}`,
    model,
  ]);
  const head = ['queue', 'merged after P50 / P95 / runs per merged', 'failed after P50 / P95', 'model'];
  printTable(`Flow with ${ARRIVING} arriving in a CI duration, in CI durations`, head, rows);
  const asked = measured.filter(
    ({ badShare, machines, wait }) => badShare === GOAL.badShare && GOAL.among.includes(`${machines}, ${wait}`),
  );
  const isReached = asked.some(({ runs, merged }) => runs <= GOAL.runs && merged.p50 <= GOAL.p50);
  const failed = measured.reduce((sum, { innocents }) => sum + innocents, 0);
  return [
    ...(isReached ? [] : [`flow takes more than ${GOAL.runs} runs or a P50 of ${GOAL.p50} where ${ARRIVING} arrive`]),
    ...(failed > 0 ? [`flow fails ${failed} innocents where ${ARRIVING} arrive`] : []),
  ];
}

function jobOf({ badShare, machines, wait }: ArrivingRow, seed: number): ArrivingQueue {
  const settings = {
    scheduling: 'flow',
    concurrency: machines / 2,
    bisectionConcurrency: machines / 2,
    batch: true,
    batchingMinSize: 8,
    batchingMaxWaitTimeMinutes: wait * CI_MINUTES,
    canOptimisticallyMerge: true,
    optimizationMode: 'bisection_skip_redundant_tests',
  } as const;
  return { settings, badShare, arriving: ARRIVING, seed, submitted: SUBMITTED };
}
