import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCommandLine, WRITES } from '../support/command-line';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres';
import { type LoadStep, type Measured, playStep } from './load/step';
import { printDurability, printMachine } from './machine';
import { printNote, writeResults } from './results';
import { percentile, printTable } from './table';

/** The goal: 100 queues with 5,000 pull requests a day each. */
const QUEUES = 100;
const PER_QUEUE_AND_DAY = 5_000;
const SECONDS_PER_DAY = 86_400;
const GOAL_PER_SECOND = (QUEUES * PER_QUEUE_AND_DAY) / SECONDS_PER_DAY;
const TIMES = [1, 2, 5, 10, 20];
const PROCESSES = [1, 2];
const RECOVERS_WITHIN_SECONDS = 60;
const MOST_GROWTH = 1.25;

/**
 * Measures the capacity of the whole service, and how it behaves above its capacity. The benchmark plays the host, CI
 * and teams around the service.
 */
async function main(): Promise<void> {
  const { values } = readCommandLine({
    script: 'bench:load',
    does: 'Measures how much the service takes, how fast it works off a backlog, and a long run. Ends with 1 if a goal is missed.',
    options: {
      ...WRITES,
      seconds: { takes: 'N', default: '40', says: 'length of each load' },
      soak: { takes: 'N', default: '1200', says: 'seconds of the long run' },
      times: { takes: 'N,N', default: TIMES.join(), says: 'multiples of the usual load' },
      processes: { takes: 'N,N', default: PROCESSES.join(), says: 'numbers of processes' },
    },
  });
  const seconds = Number(values.seconds);
  const folder = mkdtempSync(join(tmpdir(), 'sluice-load-'));
  chmodSync(folder, 0o755); // when run as root, the server runs as another user, who must reach the folder
  const postgres = await startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres'), database: 'postgres' });
  try {
    printMachine();
    printDurability('full');
    printNote('PostgreSQL and all processes on this machine');
    const steps: LoadStep[] = numbersIn(values.processes).flatMap((processes) =>
      numbersIn(values.times).map((times) => ({ processes, times, perSecond: times * GOAL_PER_SECOND, seconds })),
    );
    const done: Measured[] = [];
    for (const [i, step] of steps.entries()) done.push(await play(postgres, folder, `step_${i}`, step));
    printSteps(done);
    const soakSeconds = Number(values.soak);
    const soak: LoadStep = { processes: 1, times: 1, perSecond: GOAL_PER_SECOND, seconds: soakSeconds };
    const soaked = soakSeconds > 0 ? await play(postgres, folder, 'soak', soak) : null;
    if (soaked) printSoak(soaked);
    const missed = [...done.flatMap(missesOf), ...(soaked ? [...missesOf(soaked), ...missesOfSoak(soaked)] : [])];
    for (const sentence of missed) printNote(`missed: ${sentence}`);
    printNote(`\n${missed.length} goals missed`);
    if (values.write) writeResults('load');
    if (missed.length > 0) process.exitCode = 1;
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function play(postgres: EmbeddedPostgres, folder: string, name: string, step: LoadStep): Promise<Measured> {
  console.error(`${step.times} times the goal (${step.perSecond.toFixed(1)}/s), ${step.processes} processes`);
  const own = join(folder, name);
  mkdirSync(own);
  const measured = await playStep(postgres, own, QUEUES, step);
  console.error(
    `  merged ${measured.mergedPerSecond.toFixed(1)}/s, ${measured.backlog} open at the end, gone after ${shown(measured.recoverySeconds)} s`,
  );
  return measured;
}

function printSteps(all: readonly Measured[]): void {
  const rows = all.map((one) => [
    `${one.step.processes}`,
    `${one.step.times} × (${one.step.perSecond.toFixed(1)}/s)`,
    one.takenPerSecond.toFixed(1),
    one.refusedPerSecond.toFixed(1),
    one.mergedPerSecond.toFixed(1),
    ...[one.readMs, one.submitMs].map((times) => `${ms(times, 0.5)} / ${ms(times, 0.99)}`),
    one.serviceCores.map((cores) => cores.toFixed(2)).join(' + '),
    one.postgresCores.toFixed(2),
    one.townCores.toFixed(2),
    one.megabytes.map((each) => each.toFixed(0)).join(' + '),
    `${one.backlog}`,
    shown(one.recoverySeconds),
  ]);
  printTable(
    `${QUEUES} queues, and multiples of ${PER_QUEUE_AND_DAY} pull requests a day for each`,
    [
      'processes',
      'submitted',
      'taken/s',
      'refused/s',
      'merged/s',
      'reads P50 / P99 ms',
      'submissions P50 / P99 ms',
      'cores: service',
      'PostgreSQL',
      'host, CI, teams',
      'MB',
      'open at the end',
      'gone after s',
    ],
    rows,
  );
}

function printSoak(one: Measured): void {
  const rows = one.samples.map(({ seconds, megabytes, merged, open, readMs }) => [
    `${Math.round(seconds)}`,
    megabytes.map((each) => each.toFixed(0)).join(' + '),
    `${merged}`,
    `${open}`,
    `${ms(readMs, 0.5)} / ${ms(readMs, 0.99)}`,
  ]);
  printTable(
    `The goal for ${one.step.seconds} seconds, one process`,
    ['after s', 'MB', 'merged', 'open', 'reads P50 / P99 ms'],
    rows,
  );
}

/**
 * Within its capacity the service accepts every request. Above its capacity it refuses some requests, but still merges
 * accepted pull requests soon.
 */
function missesOf({ step, failures, recoverySeconds, refusedPerSecond }: Measured): readonly string[] {
  const name = `${step.times} times the goal, ${step.processes} processes`;
  const said: string[] = failures.map((failure) => `${name}: ${failure}`);
  if (recoverySeconds === null || recoverySeconds > RECOVERS_WITHIN_SECONDS)
    said.push(`${name}: what it took was not merged ${RECOVERS_WITHIN_SECONDS} s after the last`);
  if (step.times === 1 && refusedPerSecond > 0) said.push(`${name}: told people to wait`);
  return said;
}

/** Only the second half of the samples counts: by then caches and pools are filled. */
function missesOfSoak({ samples }: Measured): readonly string[] {
  const half = samples.slice(Math.floor(samples.length / 2));
  const sizes = half.map(({ megabytes }) => megabytes.reduce((sum, each) => sum + each, 0));
  const growth = sizes.at(-1)! / sizes[0]!;
  return growth > MOST_GROWTH ? [`memory grew by ${Math.round(100 * (growth - 1))} % in the second half`] : [];
}

function ms(times: readonly number[], share: number): string {
  return times.length === 0 ? '–' : percentile(times, share).toFixed(0);
}

function shown(seconds: number | null): string {
  return seconds === null ? 'never' : seconds.toFixed(0);
}

function numbersIn(text: string): readonly number[] {
  return text.split(',').map(Number);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
