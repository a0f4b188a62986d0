import { join } from 'node:path';
import { printMachine } from './machine';
import { printNote, writeResults } from './results';
import { percent } from './table';
import { BUILD_MINUTES, queuedHeadsOf, type Workload } from './turnaround/changes';
import { calibrated, printCalibration } from './turnaround/conflicts';
import { GOAL_SEEDS, GOAL_SETTING, GOAL_STRATEGIES, printGoals } from './turnaround/goals';
import { type Options, readOptions, type Setting } from './turnaround/options';
import { DRAIN_HOURS, COMMAND_TIMES, type Play, type Played } from './turnaround/play';
import { type Outcome, printOutcomes, summaryOf } from './turnaround/report';
import { inWorkers } from './workers';

const WORKER = join(__dirname, 'turnaround', 'worker.ts');
const WRITTEN_BESIDE = 100;

/** Turnaround times compared with an Oracle's times, on the workload of Uber's "Keeping Master Green at Scale". */
async function main(): Promise<void> {
  const begin = performance.now();
  const options = readOptions();
  const conflicts = calibrated();
  printMachine();
  printParameters(options);
  printCalibration(conflicts, options.seed);
  const { hours, potentialShare } = options;
  const dayOf = (setting: Setting, strategies: readonly string[], seed = options.seed): Day => {
    const { changesPerHour } = setting;
    const workload = { seed, changesPerHour, hours, potentialShare, writtenBeside: WRITTEN_BESIDE, conflicts };
    return { setting, strategies, workload };
  };
  const seeds = Array.from({ length: options.goals ? GOAL_SEEDS : 0 }, (_, i) => options.seed + i);
  const promised = seeds.map((seed) => dayOf(GOAL_SETTING, GOAL_STRATEGIES, seed));
  const others = options.settings.map((setting) => dayOf(setting, options.strategies));
  const outcomes = await played([...promised, ...others]);
  const missed = options.goals ? printGoals(outcomes.slice(0, seeds.length)) : 0;
  const rest = outcomes.slice(seeds.length);
  printOutcomes(rest);
  const minutes = ((performance.now() - begin) / 60_000).toFixed(1);
  const ending = [...(rest.length > 0 ? [summaryOf(rest)] : []), `${missed} goals missed`, `${minutes} minutes`];
  printNote(`\n${ending.join('; ')}`);
  if (options.write) writeResults('turnaround');
  process.exitCode = missed > 0 ? 1 : 0;
}

/** A workload that several strategies play under the same conditions. */
interface Day {
  readonly setting: Setting;
  readonly strategies: readonly string[];
  readonly workload: Workload;
}

/** Days that share workload, slots and strategy share one play. */
async function played(days: readonly Day[]): Promise<readonly Outcome[]> {
  const jobs = new Map<string, Play>();
  const keyOf = ({ setting: { slots }, workload }: Day, strategy: string): string =>
    [workload.changesPerHour, slots, workload.seed, strategy].join();
  for (const day of days)
    for (const strategy of day.strategies)
      jobs.set(keyOf(day, strategy), { strategy, slots: day.setting.slots, workload: day.workload });
  const answers = await inWorkers<Play, Played>(WORKER, [...jobs.values()], printProgress);
  const byKey = new Map([...jobs.keys()].map((key, i) => [key, answers[i]!]));
  return days.map((day): Outcome => {
    const ours = new Map(day.strategies.map((name) => [name, byKey.get(keyOf(day, name))!]));
    return { ...day.setting, changes: queuedHeadsOf(day.workload), ours };
  });
}

function printParameters({ hours, seed, potentialShare }: Options): void {
  const { median, spread, most } = BUILD_MINUTES;
  const lines = [
    `arrivals: Poisson for ${hours} h, seed ${seed}; then until all is decided, at most ${DRAIN_HOURS} h`,
    `builds: log-normal, median ${median} min, spread ${spread}, at most ${most} min; a batch as long as its longest`,
    `potential conflicts: ${percent(potentialShare)} of all pairs; real ones with the ${WRITTEN_BESIDE} changes before`,
    `commands: ${COMMAND_TIMES.startTime / 1000} s to start a test, ${COMMAND_TIMES.landTime / 1000} s to land`,
    'limits: twice as many runs in flight as slots; where there are batches, a tenth of the slots is for bisections',
  ];
  for (const line of lines) printNote(line);
}

function printProgress({ strategy, slots, workload }: Play, { decisions, seconds }: Played): void {
  const what = `${workload.changesPerHour}/h, ${slots} slots, seed ${workload.seed}, ${strategy}`;
  console.error(`${what}: ${decisions} decisions in ${seconds.toFixed(0)} s`);
}

void main();
