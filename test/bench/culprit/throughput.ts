import { join } from 'node:path';
import type { QueueSettings } from '../../../src/engine/model';
import { printNote } from '../results';
import { mean, printTable } from '../table';
import { inWorkers } from '../workers';
import { BAD_SHARES, type Pair, THROUGHPUT } from './figures';
import type { Course, SaturatedQueue } from './saturated-queue';

export const WORKER = join(__dirname, 'worker.ts');

/** The mean ratio of our merges to the reference, over the whole table, must be at least this. */
const LEAST_RATIO = 0.9;

interface Cell {
  readonly label: string;
  readonly badShare: number;
  readonly reference: Pair;
}

export interface Sample {
  readonly seeds: number;
  readonly merges: number;
}

export async function reportThroughput(sample: Sample): Promise<readonly string[]> {
  const cells = [...THROUGHPUT].flatMap(([label, references]) =>
    references.map((reference, i): Cell => ({ label, badShare: BAD_SHARES[i]!, reference })),
  );
  const jobs = cells.flatMap((cell, i) => seedsOf(sample, i).map((seed) => jobOf(cell, seed, sample.merges)));
  const courses = await inWorkers<SaturatedQueue, Course>(WORKER, jobs);
  const measured = cells.map((cell, i) => {
    const own = courses.slice(i * sample.seeds, (i + 1) * sample.seeds);
    const merged = mean(own.map((course) => course.merged / course.durations));
    const runs = mean(own.map((course) => course.runs / course.merged));
    return { ...cell, merged, runs, ratio: merged / cell.reference.first };
  });
  const rows = [...THROUGHPUT.keys()].map((label) => [
    label.replace(' ', ' × '),
    ...measured
      .filter((cell) => cell.label === label)
      .map(({ merged, runs, ratio, reference }) => {
        const ours = `${merged.toFixed(2)} / ${runs.toFixed(2)}`;
        return `${ours} (${reference.first.toFixed(2)} / ${reference.second.toFixed(2)}) ${ratio.toFixed(2)}`;
      }),
  ]);
  const head = ['batch × concurrency', ...BAD_SHARES.map((share) => `${100 * share} % bad`)];
  printTable('Merged per CI duration / CI runs per merged, ours (reference) and ratio of merged', head, rows);
  const overall = mean(measured.map((cell) => cell.ratio));
  printNote(`\nmean ratio ${overall.toFixed(3)} (at least ${LEAST_RATIO}); ${sample.seeds} seeds each`);
  return overall >= LEAST_RATIO ? [] : [`throughput is ${overall.toFixed(3)} of the reference`];
}

/** Every cell has its own seeds, so good luck in one cell does not affect other cells. */
export function seedsOf({ seeds }: Sample, cell: number): readonly number[] {
  return Array.from({ length: seeds }, (_, i) => cell * seeds + i + 1);
}

/**
 * The length of a course. In a course of this length, the first CI duration, in which nothing can merge yet, weighs as
 * little as in the reference.
 */
const LEAST_DURATIONS = 8;

function jobOf({ label, badShare, reference }: Cell, seed: number, atLeast: number): SaturatedQueue {
  const [size = 1, concurrency = 1] = label.split(' ').map(Number);
  const merges = Math.max(atLeast, Math.round(LEAST_DURATIONS * reference.first));
  return { settings: settingsOf(size, concurrency), badShare, flakeRate: 0, seed, merges };
}

export function settingsOf(batchingMinSize: number, concurrency: number): Partial<QueueSettings> {
  const optimizationMode = 'bisection_skip_redundant_tests';
  return { concurrency, batch: batchingMinSize > 1, batchingMinSize, optimizationMode };
}
