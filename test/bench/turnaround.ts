import { join } from 'node:path';
import { printMachine } from './machine';
import { printNote, writeResults } from './results';
import { percent } from './table';
import { BUILD_MINUTES, queuedHeadsOf, type Workload } from './turnaround/changes';
import { calibrated, printCalibration } from './turnaround/conflicts';
import { type Options, readOptions } from './turnaround/options';
import { DRAIN_HOURS, COMMAND_TIMES, type Play, type Played } from './turnaround/play';
import { type Outcome, printOutcomes, summaryOf } from './turnaround/report';
import { inWorkers } from './workers';

const WORKER = join(__dirname, 'turnaround', 'worker.ts');
const WRITTEN_BESIDE = 100;

/** Turnaround beside an Oracle's, on the workload of Uber's "Keeping Master Green at Scale". */
async function main(): Promise<void> {
  const begin = performance.now();
  const options = readOptions();
  const conflicts = calibrated();
  printMachine();
  printParameters(options);
  printCalibration(conflicts, options.seed);
  const { settings, strategies, hours, seed, potentialShare } = options;
  const workloadAt = (changesPerHour: number): Workload => {
    return { seed, changesPerHour, hours, potentialShare, writtenBeside: WRITTEN_BESIDE, conflicts };
  };
  const jobs = settings.flatMap(({ changesPerHour, slots }) =>
    strategies.map((strategy): Play => ({ strategy, slots, workload: workloadAt(changesPerHour) })),
  );
  const played = await inWorkers<Play, Played>(WORKER, jobs, printProgress);
  const outcomes = settings.map((setting, i): Outcome => {
    const own = played.slice(i * strategies.length, (i + 1) * strategies.length);
    const ours = new Map(strategies.map((name, n) => [name, own[n]!]));
    return { ...setting, changes: queuedHeadsOf(workloadAt(setting.changesPerHour)), ours };
  });
  printOutcomes(outcomes);
  const minutes = ((performance.now() - begin) / 60_000).toFixed(1);
  printNote(`\n${summaryOf(outcomes)}; ${minutes} minutes`);
  if (options.write) writeResults('turnaround');
}

function printParameters({ hours, seed, potentialShare }: Options): void {
  const { median, spread, most } = BUILD_MINUTES;
  const lines = [
    `arrivals: Poisson for ${hours} h, seed ${seed}; then until all is decided, at most ${DRAIN_HOURS} h`,
    `builds: log-normal, median ${median} min, spread ${spread}, at most ${most} min; a batch as long as its longest`,
    `potential conflicts: ${percent(potentialShare)} of all pairs; real ones with the ${WRITTEN_BESIDE} changes before`,
    `commands: ${COMMAND_TIMES.startTime / 1000} s to start a test, ${COMMAND_TIMES.landTime / 1000} s to land`,
    'limits: twice as many runs in flight as slots; where there are batches, a tenth of the slots is for searches',
  ];
  for (const line of lines) printNote(line);
}

function printProgress({ strategy, slots, workload }: Play, { decisions, seconds }: Played): void {
  const what = `${workload.changesPerHour}/h, ${slots} slots, ${strategy}`;
  console.error(`${what}: ${decisions} decisions in ${seconds.toFixed(0)} s`);
}

void main();
