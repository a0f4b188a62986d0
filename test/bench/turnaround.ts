import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { printMachine } from './machine';
import { percent, printTable } from './table';
import { BUILD_MINUTES, changesOf, type Workload } from './turnaround/changes';
import { calibrated, printCalibration } from './turnaround/conflicts';
import { DRAIN_HOURS, ORDER_TIMES, type Play, type Played } from './turnaround/play';
import { type Outcome, summaryOf, tableRows, TABLE_HEAD, throughputRows } from './turnaround/report';
import { STRATEGIES } from './turnaround/strategies';
import { inWorkers } from './workers';

const WORKER = join(__dirname, 'turnaround', 'worker.ts');
const POTENTIAL_SHARE = 0.02;
const WRITTEN_BESIDE = 100;
/** What is played without options: the arrival rates at one number of slots, and the slots at one rate. */
const DEFAULT_RATES = [100, 200, 300, 400, 500];
const DEFAULT_SLOTS = [100, 200, 300, 500];
const USUAL_RATE = 200;
const USUAL_SLOTS = 200;

interface Setting {
  readonly rate: number;
  readonly slots: number;
}

function options(): { settings: readonly Setting[]; hours: number; seed: number; names: readonly string[] } {
  const { values } = parseArgs({
    options: {
      hours: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
      rates: { type: 'string' },
      slots: { type: 'string' },
      strategies: { type: 'string', default: '' },
    },
  });
  const names = STRATEGIES.map(({ name }) => name).filter((name) => name.startsWith(values.strategies));
  const numbers = (list: string): number[] => list.split(',').map(Number);
  const settings =
    values.rates === undefined && values.slots === undefined
      ? [
          ...DEFAULT_RATES.map((rate) => ({ rate, slots: USUAL_SLOTS })),
          ...DEFAULT_SLOTS.filter((slots) => slots !== USUAL_SLOTS).map((slots) => ({ rate: USUAL_RATE, slots })),
        ]
      : numbers(values.rates ?? String(USUAL_RATE)).flatMap((rate) =>
          numbers(values.slots ?? String(USUAL_SLOTS)).map((slots) => ({ rate, slots })),
        );
  return { settings, hours: Number(values.hours), seed: Number(values.seed), names };
}

/** Turnaround beside an Oracle's, on the workload of Uber's "Keeping Master Green at Scale". */
async function main(): Promise<void> {
  const begin = performance.now();
  const { settings, hours, seed, names } = options();
  const conflicts = calibrated();
  const workloadOf = (rate: number): Workload => {
    const nature = { potentialShare: POTENTIAL_SHARE, writtenBeside: WRITTEN_BESIDE, conflicts };
    return { seed, changesPerHour: rate, hours, ...nature };
  };
  printMachine();
  printParameters(hours, seed);
  printCalibration(conflicts, seed);
  const jobs = settings.flatMap(({ rate, slots }) =>
    names.map((strategy): Play => ({ strategy, slots, workload: workloadOf(rate) })),
  );
  const played = await inWorkers<Play, Played>(WORKER, jobs, ({ strategy, slots, workload }, { seconds, decisions }) =>
    console.error(
      `${workload.changesPerHour}/h, ${slots} slots, ${strategy}: ${decisions} decisions, ${seconds.toFixed(0)} s`,
    ),
  );
  const outcomes = settings.map(({ rate, slots }, i): Outcome => {
    const own = played.slice(i * names.length, (i + 1) * names.length);
    const ours = new Map(names.map((name, n) => [name, own[n]!]));
    return { rate, slots, changes: changesOf(workloadOf(rate)), ours };
  });
  for (const outcome of outcomes) {
    const title = `${outcome.rate} changes per hour, ${outcome.slots} slots: turnaround ÷ the Oracle's`;
    printTable(title, TABLE_HEAD, tableRows(outcome));
  }
  const bySlots = outcomes.filter(({ rate }) => outcomes.filter((other) => other.rate === rate).length > 1);
  const head = ['strategy', ...bySlots.map(({ rate, slots }) => `${rate}/h, ${slots} slots`)];
  if (bySlots.length > 0) printTable('Throughput by slots: landed per hour', head, throughputRows(bySlots));
  const minutes = ((performance.now() - begin) / 60_000).toFixed(1);
  console.log(`\n${summaryOf(outcomes)}; ${minutes} minutes`);
}

function printParameters(hours: number, seed: number): void {
  const { median, spread, most } = BUILD_MINUTES;
  const lines = [
    `arrivals: Poisson for ${hours} h, seed ${seed}; then until all is decided, at most ${DRAIN_HOURS} h`,
    `builds: log-normal, median ${median} min, spread ${spread}, at most ${most} min; a batch as long as its longest`,
    `potential conflicts: ${percent(POTENTIAL_SHARE)} of all pairs; real ones with the ${WRITTEN_BESIDE} changes before`,
    `orders: ${ORDER_TIMES.startTime / 1000} s to start a test, ${ORDER_TIMES.landTime / 1000} s to land`,
    'the limit of runs in flight of the service is raised to twice the slots; a tenth of the slots is for searches',
  ];
  for (const line of lines) console.log(line);
}

void main();
