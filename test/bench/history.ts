import { Client } from 'pg';
import { readCommandLine, WRITES } from '../support/command-line';
import { createRepository } from '../../src/platform/auth/repositories';
import { createToken } from '../../src/platform/auth/tokens';
import { landedAs } from '../../src/modules/test-health/storage/queries/landed-changes';
import { World } from '../support/world';
import { DeepQueue } from './decide/deep-queue';
import { compareWithMonths } from './history/by-month';
import { deleteFor, type Deleted, kindsOfRetention } from './history/expiry';
import { makeIndexes } from './history/making-indexes';
import { PastMaker, PER_DAY, type Template } from './history/past';
import { ask, type AskedQueue, METRICS, READS } from './history/reads';
import { sizesOf } from './history/sizes';
import { mergeByService } from './history/template-queue';
import { printMachine } from './machine';
import { printNote, writeResults } from './results';
import { percentile, printTable } from './table';
import { withThrowAwayDatabase } from './throw-away-database';

/**
 * The time of decisions and reads by the number of concluded pull requests in a queue, the disk usage of these pull
 * requests, and how fast retention deletes them. The depths take turns in one run, so that other work of the machine
 * affects all of them.
 */
const DEPTHS = [1_000, 100_000, 1_000_000] as const;
const DEEPEST = DEPTHS.at(-1)!;
const MOST_RATIO = 1.5;
const CYCLES = 200;
const WARM_UP_CYCLES = 20;
const WAITING = 10;
const DAYS_OF_LOG = 400;
const COMMITS = 500;
const MIB = 1_048_576;

interface PastQueue extends AskedQueue {
  readonly id: string;
  readonly repositoryId: string;
  readonly deep: DeepQueue;
  /** Commits that landed in the queue, for the reads that take a commit. */
  readonly commits: readonly string[];
  /** The measured times of each read, in milliseconds. */
  readonly reads: Map<string, number[]>;
}

type Ask = (queue: PastQueue, nth: number) => Promise<void>;

async function main(): Promise<void> {
  const { values } = readCommandLine({
    script: 'bench:history',
    does: 'Measures decisions and reads with a million concluded pull requests. Ends with 1 if a goal is missed.',
    options: WRITES,
  });
  await withThrowAwayDatabase(async ({ url }) => {
    process.env.DATABASE_URL = url;
    const world = await World.create({ host: 'memory', settings: { rateLimitPerMinute: 0 } });
    try {
      await measure(world, url);
      if (values.write) writeResults('history');
    } finally {
      await world.close();
    }
  });
}

async function measure(world: World, url: string): Promise<void> {
  printMachine();
  const template = await timed('merging by the service', () => mergeByService(world));
  const queues = await timed('multiplying', () => fill(world, url, template));
  await printSizes(world, template);
  const asks = await asksOf(world);
  await timed('warming up', () => takeTurns(world, queues, asks, WARM_UP_CYCLES));
  for (const { deep, reads } of queues) {
    deep.millisecondsPerDecision.length = 0;
    reads.clear();
  }
  await timed('measuring', () => takeTurns(world, queues, asks, CYCLES));
  const isFlat = report(queues, Object.keys(asks));
  const deepest = queues.at(-1)!;
  await timed('making indexes', () => printIndexes(url));
  await timed('retention', () => expire(world, deepest));
  await timed('the log by month', () => printByMonth(url, deepest));
  if (!isFlat) process.exitCode = 1;
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await work();
  console.log(`${what}: ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  return result;
}

/** Each queue has its own repository, because metrics are read per repository. */
async function fill(world: World, url: string, template: Template): Promise<readonly PastQueue[]> {
  const made = [];
  for (const concluded of DEPTHS) {
    const repo = { ...world.repo, name: `history-${concluded}` };
    const repository = await createRepository(
      world.prisma,
      { organizationSlug: repo.owner, ...repo },
      world.clock.now(),
      [],
    );
    world.memoryHost.repository(repo.owner, repo.name);
    const settings = { requiredStatuses: ['tests'], concurrency: 3, mode: 'single' };
    await world.api.mustPost('createQueue', { repo, targetBranch: 'main', ...settings });
    const { id } = await world.prisma.queue.findFirstOrThrow({ where: { repositoryId: repository.id } });
    made.push({ id, repo, concluded, repositoryId: repository.id });
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await new PastMaker(client, template).make(made.map(({ id: queueId, ...past }) => ({ queueId, ...past })));
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
  const queues: PastQueue[] = [];
  for (const { id, repo, concluded, repositoryId } of made) {
    const deep = await DeepQueue.fillMade(world, { id, branch: 'main' }, WAITING, 'single', concluded + 1);
    const withLog = Math.min(concluded, DAYS_OF_LOG * PER_DAY);
    const landed = await world.prisma.$queryRaw<{ commit: string }[]>`
      SELECT "commit" FROM "LandedChange" WHERE "queueId" = ${id}::uuid ORDER BY md5("commit") LIMIT ${COMMITS}`;
    const commits = landed.map(({ commit }) => commit);
    queues.push({ id, repositoryId, repo, concluded, withLog, deep, commits, reads: new Map() });
  }
  return queues;
}

async function printSizes(world: World, template: Template): Promise<void> {
  const sizes = await sizesOf(world.prisma, template);
  const inMib = (bytes: number) => `${(bytes / MIB).toFixed(2)} MiB`;
  const total = sizes.reduce((sum, { bytesPerThousand }) => sum + bytesPerThousand, 0);
  printTable(
    'Per 1,000 pull requests, with indexes',
    ['table', 'rows', 'size', 'kept'],
    [
      ...sizes.map(({ table, rowsPerThousand, bytesPerThousand, days }) => {
        return [table, rowsPerThousand.toFixed(0), inMib(bytesPerThousand), `${days} days`];
      }),
      ['together', '', inMib(total), ''],
    ],
  );
  const kept = sizes.reduce((sum, { bytesPerThousand, days }) => sum + bytesPerThousand * days, 0);
  printNote(`1,000 a day, kept as the defaults say: ${(kept / MIB / 1_024).toFixed(1)} GiB`);
}

async function asksOf(world: World): Promise<Readonly<Record<string, Ask>>> {
  const request = { organizationSlug: world.repo.owner, name: 'bench', role: 'read' } as const;
  const { token } = await createToken(world.prisma, request, world.clock.now());
  const metrics: Ask = async ({ repo }) => {
    const query = new URLSearchParams({ repo: `${repo.owner}/${repo.name}`, repoHost: repo.host });
    const answer = await fetch(`${world.url}/v1/${METRICS}?${query.toString()}`, { headers: { 'x-api-token': token } });
    if (!answer.ok) throw new Error(`${METRICS}: ${answer.status}`);
    await answer.text();
  };
  const names = Object.keys(READS) as (keyof typeof READS)[];
  return {
    ...Object.fromEntries(names.map((name): [string, Ask] => [name, (queue, nth) => ask(world.api, name, queue, nth)])),
    [METRICS]: metrics,
    'the author of a merged commit': async ({ repositoryId, commits }, nth) => {
      await landedAs(world.prisma, repositoryId, [commits[nth % commits.length]!]);
    },
  };
}

/**
 * Measures from the shallowest queue to the deepest and back, so that a depth does not always follow the same depth.
 */
async function takeTurns(
  world: World,
  queues: readonly PastQueue[],
  asks: Readonly<Record<string, Ask>>,
  cycles: number,
): Promise<void> {
  for (let cycle = 0; cycle < cycles; cycle++) {
    world.clock.advance(1_000);
    for (const queue of cycle % 2 === 0 ? queues : queues.toReversed()) {
      await queue.deep.cycle();
      for (const [name, asked] of Object.entries(asks)) {
        const began = performance.now();
        await asked(queue, cycle);
        queue.reads.set(name, [...(queue.reads.get(name) ?? []), performance.now() - began]);
      }
    }
  }
}

/** Returns whether the goal is met. */
function report(queues: readonly PastQueue[], names: readonly string[]): boolean {
  const timesOf = ({ deep, reads }: PastQueue, name: string) => reads.get(name) ?? deep.millisecondsPerDecision;
  const ratios: number[] = [];
  const rows = ['a decision', ...names].map((name) => {
    const medians = queues.map((queue) => percentile(timesOf(queue, name), 0.5));
    const ratio = medians.at(-1)! / medians[0]!;
    ratios.push(ratio);
    const slowest = percentile(timesOf(queues.at(-1)!, name), 0.99);
    return [name, ...[...medians, slowest].map((time) => `${time.toFixed(2)} ms`), ratio.toFixed(2)];
  });
  const heads = DEPTHS.map((depth) => `P50 at ${depth}`);
  printTable(
    'By the number of pull requests that concluded in the queue',
    ['', ...heads, `P99 at ${DEEPEST}`, 'P50 to 1000'],
    rows,
  );
  const worst = Math.max(...ratios);
  printNote(`worst P50 ratio ${worst.toFixed(2)} (at most ${MOST_RATIO})`);
  return worst <= MOST_RATIO;
}

async function printIndexes(url: string): Promise<void> {
  const made = await makeIndexes(url);
  printTable(
    'All indexes, each created again as in a migration, during which nothing is written to its table',
    ['table', 'rows', 'indexes', 'the longest', 'together'],
    made.map(({ table, rows, indexes, longestSeconds, togetherSeconds }) => {
      return [table, `${rows}`, `${indexes}`, `${longestSeconds.toFixed(1)} s`, `${togetherSeconds.toFixed(1)} s`];
    }),
  );
}

/** Deletes history from the deepest queue while the queue keeps deciding. */
async function expire(world: World, { id, deep }: PastQueue): Promise<void> {
  const rows: string[][] = [];
  for (const { what, batch, next } of kindsOfRetention(world.sql, id, world.clock.now())) {
    deep.millisecondsPerDecision.length = 0;
    const deleting = { deleted: undefined as Deleted | undefined };
    const ending = deleteFor(what, batch, next).then((deleted) => (deleting.deleted = deleted));
    while (!deleting.deleted) await deep.cycle();
    const { rows: count, seconds, longestMs } = await ending;
    const decisions = [0.5, 0.99].map((share) => `${percentile(deep.millisecondsPerDecision, share).toFixed(2)} ms`);
    const speed = (count / seconds).toFixed(0);
    rows.push([what, `${batch}`, `${count}`, speed, `${longestMs.toFixed(0)} ms`, ...decisions]);
  }
  const heads = ['', 'at once', 'deleted', 'a second', 'longest', 'decision, P50', 'decision, P99'];
  printTable(`Retention of the queue with ${DEEPEST}, and decisions meanwhile`, heads, rows);
}

async function printByMonth(url: string, { id }: PastQueue): Promise<void> {
  const { months, asItIs, byMonth, dropMs, dropped, vacuumSeconds } = await compareWithMonths(url, id);
  printTable(
    `The log of the queue with ${DEEPEST}, and the same log in ${months} partitions, one for each month`,
    ['', 'as it is', 'by month'],
    [
      ['a timeline, P50', `${asItIs.toFixed(2)} ms`, `${byMonth.toFixed(2)} ms`],
      [`deleting ${dropped} lines`, 'above', `${dropMs.toFixed(0)} ms`],
      ['vacuum after the above', `${vacuumSeconds.toFixed(1)} s`, 'none'],
    ],
  );
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
