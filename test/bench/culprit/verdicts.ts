import type { QueueSettings } from '../../../src/engine/model';
import { percent, printTable } from '../table';
import { inWorkers } from '../workers';
import type { Course, SaturatedQueue } from './saturated-queue';
import { type Sample, seedsOf, settingsOf, WORKER } from './throughput';

const FLAKE_RATES = [0, 0.01, 0.02, 0.05, 0.1, 0.2];
const REFERENCE_RATE = 0.05;
const BAD_SHARE = 0.05;
const CONCURRENCY = 4;
/** Wrong verdicts are rare, so each cell here has this many times the merges of a throughput cell. */
const VERDICT_MERGES = 10;

interface Variant {
  readonly name: string;
  readonly settings: Partial<QueueSettings>;
  /** The share of innocent entries that failed in the reference at `REFERENCE_RATE`. */
  readonly reference: number;
}

const BATCH_1 = settingsOf(1, CONCURRENCY);
const BATCH_8 = settingsOf(8, CONCURRENCY);
const OPTIMISTIC = { canOptimisticallyMerge: true, pendingFailureDepth: 1 };

const VARIANTS: readonly Variant[] = [
  { name: 'batch 1', settings: BATCH_1, reference: 0.0478 },
  { name: 'batch 8', settings: BATCH_8, reference: 0.0014 },
  { name: 'batch 8, optimizationMode off', settings: { ...BATCH_8, optimizationMode: 'off' }, reference: 0.0012 },
  { name: 'batch 1, optimistic, depth 1', settings: { ...BATCH_1, ...OPTIMISTIC }, reference: 0.003 },
  { name: 'batch 8, optimistic, depth 1', settings: { ...BATCH_8, ...OPTIMISTIC }, reference: 0.0013 },
];

/**
 * How often verdicts are right when tests are flaky. The figures have no goal. A flake only makes a good tree fail. A
 * bad change never merges, because the virtual target throws at it.
 */
export async function reportVerdicts(sample: Sample): Promise<void> {
  const cases = VARIANTS.flatMap((variant) => FLAKE_RATES.map((flakeRate) => ({ ...variant, flakeRate })));
  const jobs = cases.flatMap(({ settings, flakeRate }, i) =>
    seedsOf(sample, i).map((seed): SaturatedQueue => {
      const merges = VERDICT_MERGES * sample.merges;
      return { settings, badShare: BAD_SHARE, flakeRate, seed, merges };
    }),
  );
  const courses = await inWorkers<SaturatedQueue, Course>(WORKER, jobs);
  const rows = cases.map(({ name, reference, flakeRate }, i) => {
    const all = total(courses.slice(i * sample.seeds, (i + 1) * sample.seeds));
    return [
      name,
      `${100 * flakeRate} %`,
      percent(all.innocentsFailed / (all.merged + all.innocentsFailed)),
      flakeRate === REFERENCE_RATE ? percent(reference) : '',
      share(all.culpritsFailed, all.culpritsFailed + all.innocentsFailed),
      share(all.namedRightly, all.named),
      (all.merged / all.durations).toFixed(2),
      (all.runs / all.merged).toFixed(2),
    ];
  });
  const asked = [
    'innocents failed',
    'reference',
    'bad pull requests among the failed',
    'bad pull requests among the culprits',
  ];
  const head = ['queue', 'flakes', ...asked, 'merged per duration', 'runs per merged'];
  printTable(`Verdicts under flakes: concurrency ${CONCURRENCY}, ${100 * BAD_SHARE} % bad`, head, rows);
}

function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${percent(part / whole)} of ${whole}`;
}

function total(courses: readonly Course[]): Course {
  const sum = (pick: (course: Course) => number): number => courses.reduce((all, course) => all + pick(course), 0);
  return {
    durations: sum((course) => course.durations),
    merged: sum((course) => course.merged),
    runs: sum((course) => course.runs),
    innocentsFailed: sum((course) => course.innocentsFailed),
    culpritsFailed: sum((course) => course.culpritsFailed),
    named: sum((course) => course.named),
    namedRightly: sum((course) => course.namedRightly),
  };
}
