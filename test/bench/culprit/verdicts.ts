import type { QueueSettings } from '../../../src/engine/model';
import { percent, printTable } from '../table';
import { inWorkers } from '../workers';
import type { Course, SaturatedQueue } from './saturated-queue';
import { type Sample, seedsOf, settingsOf, WORKER } from './throughput';

const FLAKE_RATES = [0, 0.01, 0.02, 0.05, 0.1, 0.2];
const BAD_SHARE = 0.05;
const CONCURRENCY = 4;

interface Variant {
  readonly name: string;
  readonly settings: Partial<QueueSettings>;
}

const VARIANTS: readonly Variant[] = [
  { name: 'batch 1', settings: settingsOf(1, CONCURRENCY) },
  { name: 'batch 8', settings: settingsOf(8, CONCURRENCY) },
  { name: 'batch 8, optimizationMode off', settings: { ...settingsOf(8, CONCURRENCY), optimizationMode: 'off' } },
  {
    name: 'batch 1, optimistic, depth 1',
    settings: { ...settingsOf(1, CONCURRENCY), canOptimisticallyMerge: true, pendingFailureDepth: 1 },
  },
  {
    name: 'batch 8, optimistic, depth 1',
    settings: { ...settingsOf(8, CONCURRENCY), canOptimisticallyMerge: true, pendingFailureDepth: 1 },
  },
];

/** How often the verdict is right when tests fail for no reason. Nothing is compared: the figures are the result. */
export async function reportVerdicts(sample: Sample): Promise<void> {
  const cases = VARIANTS.flatMap((variant) => FLAKE_RATES.map((flakeRate) => ({ ...variant, flakeRate })));
  const jobs = cases.flatMap(({ settings, flakeRate }) =>
    seedsOf(sample).map((seed): SaturatedQueue => {
      const merges = 3 * sample.merges;
      return { settings, badShare: BAD_SHARE, flakeRate, seed, merges };
    }),
  );
  const courses = await inWorkers<SaturatedQueue, Course>(WORKER, jobs);
  const rows = cases.map(({ name, flakeRate }, i) => {
    const all = total(courses.slice(i * sample.seeds, (i + 1) * sample.seeds));
    return [
      name,
      `${100 * flakeRate} %`,
      percent(all.innocentsFailed / (all.merged + all.innocentsFailed)),
      share(all.culpritsFailed, all.culpritsFailed + all.innocentsFailed),
      share(all.namedRightly, all.named),
      (all.merged / all.durations).toFixed(2),
      (all.runs / all.merged).toFixed(2),
    ];
  });
  const asked = ['innocents failed', 'failed that were bad', 'named by a search that were bad'];
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
