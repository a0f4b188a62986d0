import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCommandLine, WRITES } from '../support/command-line';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres';
import { durableCommitMs } from './decide/yardstick';
import { printMachine } from './machine';
import { PROFILING, profileTime, timesByPart } from './merges/profile';
import { costOfStatements } from './merges/signing';
import { Stage, type StagePlan, type Turn } from './merges/stage';
import { checkOutVersionBefore } from './merges/version-before';
import { printNote, writeResults } from './results';
import { mean, percent, percentile, printTable } from './table';

const THIS_TREE = join(__dirname, '../..');
/**
 * The number of queues, which is higher than the processes together work on at a time, so that work is always
 * available.
 */
const QUEUES = 30;
const LEAST_TIMES_BEFORE = 3;
const MERGED_PER_SECOND = 100;
const ROUNDS = 5;
/**
 * The number of processes goes up and down again, so that effects of time, such as growing tables, affect all numbers.
 */
const PROCESSES = [1, 2, 4, 4, 2, 1] as const;
/** The goals by number of processes, on a machine with a core for each process and as many cores for PostgreSQL. */
const LEAST_TIMES_ONE: ReadonlyMap<number, number> = new Map([
  [2, 1.7],
  [4, 3],
]);
const MOST_LOCK_WAITS = 0.01;

interface Place {
  readonly postgres: EmbeddedPostgres;
  readonly folder: string;
  /** How many seconds of each turn are measured. */
  readonly seconds: number;
}

/** Compares merges per second with an earlier version, and with several processes that share the work. */
async function main(): Promise<void> {
  const { values } = readCommandLine({
    script: 'bench:merges',
    does: 'Measures merges per second on one process and on several, and the cost of a signed statement. Ends with 1 if a goal is missed.',
    options: { ...WRITES, seconds: { takes: 'N', default: '8', says: 'length of a measurement' } },
  });
  const folder = mkdtempSync(join(tmpdir(), 'sluice-merges-'));
  chmodSync(folder, 0o755); // when run as root, the server runs as another user, who must reach the folder
  try {
    checkOutVersionBefore(join(folder, 'before'));
    const postgres = await startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres'), database: 'postgres' });
    try {
      const place = { postgres, folder, seconds: Number(values.seconds) };
      printMachine();
      printNote('PostgreSQL and all processes on this machine; every commit is on the disk (fsync)');
      printNote(`one commit that waits for the disk: ${ms(await durableCommitMs(postgres.url))} at the median`);
      const missed = [...(await besideVersionBefore(place)), ...(await shareWork(place)), ...(await signMerges(place))];
      await printWhatLimits(place);
      for (const sentence of missed) printNote(`missed: ${sentence}`);
      printNote(`\n${missed.length} goals missed`);
      if (values.write) writeResults('merges');
      if (missed.length > 0) process.exitCode = 1;
    } finally {
      await postgres.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Compares this version with the earlier version. Returns the missed goals, as sentences. */
async function besideVersionBefore({ postgres, folder, seconds }: Place): Promise<readonly string[]> {
  const open = (name: string, tree: string) => Stage.open(postgres, { name, folder, tree, queues: QUEUES });
  const stages = [await open('before', join(folder, 'before'))];
  const turns: [Turn[], Turn[]] = [[], []];
  try {
    stages.push(await open('now', THIS_TREE));
    for (let round = 0; round < ROUNDS; round++) {
      for (const which of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        turns[which].push(await played(stages[which]!, seconds, which === 0 ? 'the version before' : 'this version'));
      }
    }
  } finally {
    for (const stage of stages) await stage.close();
  }
  const [before, now] = turns;
  const times = mergedPerSecond(now) / mergedPerSecond(before);
  printTable(
    `One process, ${QUEUES} queues, the medians of ${ROUNDS} turns of ${seconds} seconds`,
    ['version', 'merged/s', 'least and most', 'one decision', 'decisions each', 'service each', 'PostgreSQL each'],
    [rowOf('before', before), rowOf('this', now)],
  );
  const beside = `${mergedPerSecond(now).toFixed(1)} merged per second (goal ${MERGED_PER_SECOND})`;
  printNote(`\n${beside}, ${times.toFixed(2)} times as many as the earlier version (at least ${LEAST_TIMES_BEFORE})`);
  if (times >= LEAST_TIMES_BEFORE) return [];
  return [`${times.toFixed(2)} times as many merged per second as the earlier version`];
}

function rowOf(version: string, turns: readonly Turn[]): readonly string[] {
  const all = turns.map((turn) => turn.mergedPerSecond);
  return [
    version,
    mergedPerSecond(turns).toFixed(1),
    `${Math.min(...all).toFixed(1)} to ${Math.max(...all).toFixed(1)}`,
    ms(median(turns, 'msPerDecision')),
    median(turns, 'decisionsPerMerged').toFixed(1),
    ms(median(turns, 'serviceMs')),
    ms(median(turns, 'postgresMs')),
  ];
}

/** Measures several processes that share the work. Returns the missed goals, as sentences. */
async function shareWork({ postgres, folder, seconds }: Place): Promise<readonly string[]> {
  const stage = await Stage.open(postgres, { name: 'shared', folder, tree: THIS_TREE, queues: QUEUES });
  const turns: Turn[] = [];
  try {
    for (const processes of PROCESSES) {
      await stage.have(processes);
      turns.push(await played(stage, seconds, `${processes} processes`));
    }
  } finally {
    await stage.close();
  }
  const one = turns.filter(({ processes }) => processes === 1);
  const judged = [...new Set(PROCESSES)].map((processes) => {
    const own = turns.filter((turn) => turn.processes === processes);
    const times = average(own, 'mergedPerSecond') / average(one, 'mergedPerSecond');
    return { processes, own, times, goal: goalOf(processes, times, average(own, 'lockWaitShare')) };
  });
  printTable(
    `Processes on one database, ${QUEUES} queues, the means of two turns of ${seconds} seconds`,
    ['processes', 'merged/s', 'times one', 'service each', 'PostgreSQL each', 'lock waits', 'goal here'],
    judged.map(({ processes, own, times, goal }) => [
      `${processes}`,
      average(own, 'mergedPerSecond').toFixed(1),
      times.toFixed(2),
      ms(average(own, 'serviceMs')),
      ms(average(own, 'postgresMs')),
      percent(average(own, 'lockWaitShare')),
      goal?.name ?? '',
    ]),
  );
  return judged.flatMap(({ processes, goal }) =>
    goal === null || goal.isMet ? [] : [`${processes} processes: ${goal.name}`],
  );
}

/** Null for a single process, which has no goal. */
function goalOf(processes: number, times: number, lockWaits: number): { name: string; isMet: boolean } | null {
  const least = LEAST_TIMES_ONE.get(processes);
  if (least === undefined) return null;
  if (availableParallelism() >= 2 * processes) return { name: `${least} times one`, isMet: times >= least };
  return { name: `lock waits at most ${percent(MOST_LOCK_WAITS)}`, isMet: lockWaits <= MOST_LOCK_WAITS };
}

/** Measures signed statements. Returns the missed goals, as sentences. */
async function signMerges({ postgres, folder }: Place): Promise<readonly string[]> {
  const plan = { name: 'signing', folder, tree: THIS_TREE, queues: QUEUES, signs: false };
  const stage = await Stage.open(postgres, plan);
  try {
    return await costOfStatements(stage);
  } finally {
    await stage.close();
  }
}

/** Prints on which parts a process of the service and PostgreSQL spend their time. */
async function printWhatLimits({ postgres, folder, seconds }: Place): Promise<void> {
  const profiles = join(folder, 'profiles');
  mkdirSync(profiles);
  const nodeOptions = [...PROFILING, `--cpu-prof-dir=${profiles}`];
  const plan: StagePlan = { name: 'profiled', folder, tree: THIS_TREE, queues: QUEUES, nodeOptions };
  const stage = await Stage.open(postgres, plan);
  let turn: Turn;
  const from = profileTime();
  try {
    turn = await played(stage, seconds, 'one process, profiled');
  } finally {
    await stage.close();
  }
  const parts = timesByPart(profiles, from, profileTime());
  const own = parts.reduce((sum, [, time]) => sum + time, 0);
  const each = parts.map(([part, time]) => [part, (turn.serviceMs * time) / own] as const);
  printTable(
    'The present limit: CPU time per merged pull request, one process with node --cpu-prof',
    ['part', 'of the whole', 'of a processor'],
    [...each, ['PostgreSQL', turn.postgresMs] as const].map(([part, time]) => [
      part,
      percent(time / (turn.serviceMs + turn.postgresMs)),
      ms(time),
    ]),
  );
  const busy = (turn.serviceMs * turn.mergedPerSecond) / 1_000;
  printNote(
    `\nthe process used ${percent(busy)} of a core, PostgreSQL ${percent((busy * turn.postgresMs) / turn.serviceMs)}`,
  );
}

async function played(stage: Stage, seconds: number, who: string): Promise<Turn> {
  const turn = await stage.play(seconds);
  console.error(
    `${who}: ${turn.mergedPerSecond.toFixed(1)} merged/s, waiting for locks ${percent(turn.lockWaitShare)}`,
  );
  return turn;
}

function mergedPerSecond(turns: readonly Turn[]): number {
  return median(turns, 'mergedPerSecond');
}

function median(turns: readonly Turn[], of: keyof Turn): number {
  return percentile(
    turns.map((turn) => turn[of]),
    0.5,
  );
}

function average(turns: readonly Turn[], of: keyof Turn): number {
  return mean(turns.map((turn) => turn[of]));
}

function ms(time: number): string {
  return `${time.toFixed(2)} ms`;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
