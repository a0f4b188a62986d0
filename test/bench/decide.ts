import { join } from 'node:path';
import { readCommandLine, WRITES } from '../support/command-line';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres';
import { World } from '../support/world';
import { BENCH_MODES, DeepQueue } from './decide/deep-queue';
import { durableCommitMs, PgYardstick, ratioTo } from './decide/yardstick';
import { printDurability, printMachine } from './machine';
import { printNote, writeResults } from './results';
import { percentile, printTable } from './table';
import { withThrowAwayDatabase } from './throw-away-database';

/**
 * The cost of one decision on PostgreSQL by queue length. The cost includes all of `QueueProcessor.handle`, from the
 * lock to the commit. The depths take turns in one run, so that other work of the machine affects all of them.
 */
const DEPTHS = [10, 1_000, 10_000, 100_000] as const;
/** From this depth on the window of waiting entries is full: a decision about a deeper queue reads no more rows. */
const FULL_WINDOW = 1_000;
const DECISIONS = 2_000;
const DECISIONS_PER_CYCLE = 4;
const MOST_RATIO = 1.5;
const SAMPLES = 20;
const WARM_UP_CYCLES = 25;
const DEPTH_BESIDE_PG = 10_000;
const CYCLES_BESIDE_PG = 250;
const MOST_TIMES_PG = 1.3;

async function main(): Promise<void> {
  const { values } = readCommandLine({
    script: 'bench:decide',
    does: 'Measures a decision on PostgreSQL by the depth of the queue. Ends with 1 if a goal is missed.',
    options: WRITES,
  });
  await withThrowAwayDatabase(async ({ url, folder }) => {
    process.env.DATABASE_URL = url;
    const world = await World.create({ host: 'memory' });
    try {
      await measure(world);
      await printDurableCommit(join(folder, 'durable'));
      if (values.write) writeResults('decide');
    } finally {
      await world.close();
    }
  });
}

async function measure(world: World): Promise<void> {
  printMachine();
  printDurability('none');
  const queues: DeepQueue[] = [];
  for (const mode of BENCH_MODES) {
    for (const depth of DEPTHS) {
      console.log(`filling a queue of mode ${mode} with ${depth} pull requests`);
      queues.push(await DeepQueue.fill(world, depth, mode, 1 + queues.length * 1_000_000));
    }
  }
  await world.prisma.$executeRaw`VACUUM ANALYZE`;
  await takeTurns(world, queues, WARM_UP_CYCLES);
  for (const queue of queues) queue.millisecondsPerDecision.length = 0;
  const cycles = DECISIONS / DECISIONS_PER_CYCLE;
  for (let done = 0; done < cycles; done += 100) {
    await takeTurns(world, queues, Math.min(100, cycles - done));
    console.log(`${(done + 100) * DECISIONS_PER_CYCLE} of ${DECISIONS} decisions at each depth`);
  }
  await world.prisma.$executeRaw`VACUUM ANALYZE`;
  const areBounded = report(await Promise.all(queues.map(async (queue) => ({ queue, rows: await sampleRows(queue) }))));
  const isNearPg = await besidePg(queues.filter(({ depth }) => depth === DEPTH_BESIDE_PG));
  if (!areBounded || !isNearPg) process.exitCode = 1;
}

/** Prints the additional time of a decision when PostgreSQL waits for the disk, as it does outside benchmarks. */
async function printDurableCommit(dataDirectory: string): Promise<void> {
  const database = await startEmbeddedPostgres({ dataDirectory, database: 'sluice', durability: 'full' });
  try {
    printNote(
      `one commit that waits for the disk: ${(await durableCommitMs(database.url)).toFixed(2)} ms at the median`,
    );
  } finally {
    await database.stop();
  }
}

/** Compares our time with the time of `pg`. Returns whether the goal is met. */
async function besidePg(queues: readonly DeepQueue[]): Promise<boolean> {
  console.log('the same statements by pg');
  const measured = [];
  for (const queue of queues) {
    const yardstick = await PgYardstick.connect(process.env.DATABASE_URL ?? '');
    queue.around = (_, decide) => yardstick.measure(decide);
    for (let cycle = 0; cycle < CYCLES_BESIDE_PG; cycle++) await queue.cycle();
    await yardstick.close();
    measured.push({ queue, yardstick });
  }
  printTable(
    `Next to the same statements sent by pg, while ${DEPTH_BESIDE_PG} wait, without the commit`,
    ['mode', 'decisions', 'statements', 'P50', 'P50 by pg', 'times as long'],
    measured.map(({ queue, yardstick }) => {
      const [statements, ours, pg] = [yardstick.statements, yardstick.ours, yardstick.pg].map((of) =>
        percentile(of, 0.5),
      );
      const times = [ours!, pg!].map((time) => `${time.toFixed(2)} ms`);
      return [queue.mode, `${yardstick.ours.length}`, `${statements}`, ...times, ratioTo(yardstick).toFixed(2)];
    }),
  );
  const worst = Math.max(...measured.map(({ yardstick }) => ratioTo(yardstick)));
  printNote(`\n${worst.toFixed(2)} times as long as pg at worst (at most ${MOST_TIMES_PG})`);
  return worst <= MOST_TIMES_PG;
}

/**
 * Measures from the shallowest queue to the deepest and back, so that a depth does not always follow the same depth.
 */
async function takeTurns(world: World, queues: readonly DeepQueue[], cycles: number): Promise<void> {
  for (let cycle = 0; cycle < cycles; cycle++) {
    world.clock.advance(1_000);
    for (const queue of cycle % 2 === 0 ? queues : queues.toReversed()) await queue.cycle();
  }
}

async function sampleRows(queue: DeepQueue): Promise<readonly number[]> {
  const rows: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) rows.push(await queue.rowsRead());
  return rows;
}

interface Measured {
  readonly queue: DeepQueue;
  readonly rows: readonly number[];
}

/** Returns whether the goals are met. */
function report(all: readonly Measured[]): boolean {
  const ratios: number[] = [];
  let areRowsBounded = true;
  const rows = all.map((measured) => {
    const { queue } = measured;
    const first = all.find((other) => other.queue.mode === queue.mode)!;
    const ratio = percentile(queue.millisecondsPerDecision, 0.5) / percentile(first.queue.millisecondsPerDecision, 0.5);
    ratios.push(ratio);
    const full = all.find((other) => other.queue.mode === queue.mode && other.queue.depth === FULL_WINDOW)!;
    const [median, most] = [measured, full].map((one) => percentile(one.rows, 0.5)) as [number, number];
    if (queue.depth < FULL_WINDOW ? median > most : median !== most) areRowsBounded = false;
    const times = [0.5, 0.99].map((share) => `${percentile(queue.millisecondsPerDecision, share).toFixed(2)} ms`);
    const counted = `${queue.millisecondsPerDecision.length}`;
    return [queue.mode, `${queue.depth}`, counted, ...times, ratio.toFixed(2), `${median}`];
  });
  printTable(
    'One decision, by how many pull requests wait',
    ['mode', 'waiting', 'decisions', 'P50', 'P99', 'P50 to depth 10', 'rows read'],
    rows,
  );
  const worst = Math.max(...ratios);
  printNote(
    `\nworst P50 ratio ${worst.toFixed(2)} (at most ${MOST_RATIO}), rows read ${areRowsBounded ? 'the same from depth 1,000 on' : 'grow with the depth'}`,
  );
  return worst <= MOST_RATIO && areRowsBounded;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
