import type { Scheduling } from '../../../src/engine/vocabulary';
import { mean, printTable } from '../table';
import { inWorkers } from '../workers';
import type { Pair } from './figures';
import { FLOW_ROWS, type FlowRow, hasGoal, nameOf, OUTAGE_EVERY } from './flow-rows';
import type { Course, SaturatedQueue } from './saturated-queue';
import { type Sample, seedsOf, WORKER } from './throughput';

const SCHEDULINGS: readonly Scheduling[] = ['flow', 'in_order'];
const NAMES: Record<Scheduling, string> = { flow: 'flow', in_order: 'in order' };
const BATCH = 8;

/**
 * Each machine of a row accounts for at least this many counted merges. Half as many merges come first and are not
 * counted.
 */
const MERGES_PER_MACHINE = 40;
/** Half of the open pull requests await a combined test, so a full batch still waits for every slot. */
const BACKLOG_PER_PLACE = 4;

interface Measured {
  readonly row: FlowRow;
  readonly scheduling: Scheduling;
  readonly courses: readonly Course[];
}

/**
 * Plays both kinds of scheduling on the same machines, in a queue that never runs empty, with batches of 8. Half of the
 * machines are for the sequence and half for bisections; flow scheduling uses them as one pool. Rows without a goal
 * have one seed. With `only`, plays flow scheduling alone, in rows whose name contains this text.
 */
export async function reportFlow(sample: Sample, only: string | null = null): Promise<readonly string[]> {
  const rowsNow = FLOW_ROWS.filter((row) => only === null || nameOf(row).includes(only));
  const schedulings: readonly Scheduling[] = only === null ? SCHEDULINGS : ['flow'];
  const cells = rowsNow.flatMap((row) => schedulings.map((scheduling) => ({ row, scheduling })));
  const jobs = cells.map((cell) => jobsOf(cell.row, cell.scheduling, sample));
  const courses = await inWorkers<SaturatedQueue, Course>(WORKER, jobs.flat());
  const answers = courses[Symbol.iterator]();
  const measured = cells.map((cell, i): Measured => {
    return { ...cell, courses: jobs[i]!.map(() => answers.next().value as Course) };
  });
  const columns = schedulings.flatMap((scheduling) => [NAMES[scheduling], 'innocents failed']);
  const head = ['queue', ...columns, 'goal', 'flow in the model', 'first model'];
  const rows = rowsNow.map((row) => {
    const own = measured.filter((cell) => cell.row === row);
    const figures = own.flatMap((cell) => [figuresOf(cell.courses), innocents(cell.courses)]);
    return [nameOf(row), ...figures, goalOf(row), shown(row.model), shown(row.firstModel)];
  });
  printTable('Merged per CI duration / CI runs per merged, by scheduling', head, rows);
  return measured.flatMap(({ row, scheduling, courses: own }) =>
    scheduling === 'flow' ? [...missedBy(row, own), ...behindModel(row, own)] : failedInOutages(row, own),
  );
}

/** In sequential scheduling, each outage may fail one innocent entry: the entry of the first failed test. */
function failedInOutages(row: FlowRow, courses: readonly Course[]): readonly string[] {
  if (row.outage === undefined) return [];
  const { failed } = blamed(courses);
  const outages = courses.reduce((sum, { durations }) => sum + Math.ceil(durations / OUTAGE_EVERY), 0);
  return failed <= outages ? [] : [`in order fails ${failed} innocents in ${outages} outages: ${nameOf(row)}`];
}

function missedBy(row: FlowRow, courses: readonly Course[]): readonly string[] {
  const { goal, innocentsAtMost } = row;
  const [merged, runs] = [mean(courses.map(mergedPerDuration)), mean(courses.map(runsPerMerged))];
  const { failed, of } = blamed(courses);
  const isSlow = goal !== undefined && merged < goal.merged;
  const isDear = goal?.runs !== undefined && runs > goal.runs;
  const isUnjust = innocentsAtMost !== undefined && failed > innocentsAtMost * of;
  return [
    ...(isSlow ? [`flow merges ${merged.toFixed(2)} per CI duration, the goal is ${goal.merged}: ${nameOf(row)}`] : []),
    ...(isDear ? [`flow takes ${runs.toFixed(3)} runs per merged, the goal is ${goal.runs}: ${nameOf(row)}`] : []),
    ...(isUnjust ? [`flow fails ${failed} innocents of ${of}: ${nameOf(row)}`] : []),
  ];
}

/** In rows without a goal, flow scheduling must merge at least this share of the model's figure. */
const LEAST_RATIO = 0.9;

function behindModel(row: FlowRow, courses: readonly Course[]): readonly string[] {
  if (row.goal !== undefined || row.model === undefined) return [];
  const merged = mean(courses.map(mergedPerDuration));
  if (merged >= LEAST_RATIO * row.model.first) return [];
  return [`flow merges ${merged.toFixed(2)} per CI duration, the model ${row.model.first}: ${nameOf(row)}`];
}

/** Both kinds of scheduling play the same days, unless a row asks for more merges in flow scheduling. */
function jobsOf(row: FlowRow, scheduling: Scheduling, sample: Sample): readonly SaturatedQueue[] {
  const { machines, badShare, flakeRate = 0, pairShare = 0, areas, outage = 0 } = row;
  const settings = {
    scheduling,
    concurrency: machines / 2,
    bisectionConcurrency: machines / 2,
    batch: true,
    batchingMinSize: BATCH,
    canOptimisticallyMerge: scheduling === 'flow',
    optimizationMode: 'bisection_skip_redundant_tests',
  } as const;
  const asked = scheduling === 'flow' ? (row.merges ?? sample.merges) : sample.merges;
  const merges = Math.max(asked, machines * MERGES_PER_MACHINE);
  const outages = outage > 0 ? { every: OUTAGE_EVERY, length: outage } : undefined;
  const queue = {
    settings,
    badShare,
    flakeRate,
    pairShare,
    areas,
    outages,
    merges,
    backlogPerPlace: BACKLOG_PER_PLACE,
  };
  const seeds = seedsOf({ ...sample, seeds: hasGoal(row) ? sample.seeds : 1 }, FLOW_ROWS.indexOf(row));
  return seeds.map((seed) => ({ ...queue, seed, warmUp: (machines * MERGES_PER_MACHINE) / 2 }));
}

function goalOf({ goal, innocentsAtMost, outage }: FlowRow): string {
  const parts = [
    ...(goal ? [`≥ ${goal.merged}${goal.runs === undefined ? '' : ` at ≤ ${goal.runs}`}`] : []),
    ...(innocentsAtMost === undefined ? [] : [innocentsAtMost === 0 ? 'no innocent' : `≤ ${100 * innocentsAtMost} %`]),
    ...(outage === undefined ? [] : ['in order one in an outage']),
  ];
  return parts.join(', ');
}

function shown(figures: Pair | undefined): string {
  if (figures === undefined) return '';
  return Number.isNaN(figures.second) ? `${figures.first}` : `${figures.first} / ${figures.second}`;
}

function mergedPerDuration({ merged, durations }: Course): number {
  return merged / durations;
}

function runsPerMerged({ runs, merged }: Course): number {
  return runs / merged;
}

function figuresOf(courses: readonly Course[]): string {
  return `${mean(courses.map(mergedPerDuration)).toFixed(1)} / ${mean(courses.map(runsPerMerged)).toFixed(2)}`;
}

function innocents(courses: readonly Course[]): string {
  const { failed, of } = blamed(courses);
  return `${failed} of ${of}`;
}

/**
 * `failed` has the pull requests that failed although they were good. `of` has all pull requests that should have
 * landed.
 */
function blamed(courses: readonly Course[]): { readonly failed: number; readonly of: number } {
  const failed = courses.reduce((sum, { innocentsFailed }) => sum + innocentsFailed, 0);
  return { failed, of: courses.reduce((sum, { merged }) => sum + merged, failed) };
}
