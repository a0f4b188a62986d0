import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { execFileSync } from 'node:child_process';
import { readCommandLine, WRITES } from '../support/command-line';
import { createOrganization } from '../../src/platform/auth/organizations';
import { createToken } from '../../src/platform/auth/tokens';
import { connectPrisma } from '../../src/platform/database/prisma.service';
import { printMachine } from '../bench/machine';
import { printNote, writeResults } from '../bench/results';
import { printTable } from '../bench/table';
import { BareRepository } from '../support/bare-repository';
import { GitHubDouble } from '../support/github/github-double';
import { MovablePostgres } from '../support/movable-postgres';
import { ApiClient } from '../support/api-client';
import { WebhookReceiver } from '../support/webhook-receiver';
import { type Fault, FAULTS, mountDisk, type Town } from './faults';
import { Fleet } from './fleet';
import { type Forge, gitForge, githubForge } from './forges';
import { type Concluded, Street, type StreetRules } from './street';

const PROCESSES = 4;
const PAIRS_OF_FAULTS = 12;
/**
 * The longest time from the end of a fault to the conclusion of a pull request that was in a queue at the end of the
 * fault.
 */
const BOUND_SECONDS = 90;
const BETWEEN_FAULTS_MS = 2_000;
/** GitHub's hourly quota, higher than the real one, so that the quota does not act as a fault. */
const REQUESTS_TO_GITHUB = 1_000_000;
const WEBHOOK_SECRET = 'a secret of tests';
const FIRST_FILES = {
  '.sluice/sluice.yaml':
    'merge: { required_statuses: [tests] }\ntargets:\n  web: [web/**]\n  api: [api/**]\n  docs: [docs/**]\n  outside: [outside/**]\n',
};
const CONCURRENT = { concurrency: 3 };
const STREETS: readonly StreetRules[] = [
  { name: 'in order', settings: CONCURRENT, landsTestedTreesOnly: true },
  {
    name: 'flow',
    settings: { ...CONCURRENT, scheduling: 'flow', canOptimisticallyMerge: true, bisectionConcurrency: 1 },
    landsTestedTreesOnly: true,
  },
  { name: 'lanes', settings: { ...CONCURRENT, mode: 'parallel' }, landsTestedTreesOnly: false },
  {
    name: 'GitHub',
    settings: { ...CONCURRENT, createPrsForTestingBranches: true },
    landsTestedTreesOnly: true,
    hasMergeButton: true,
  },
];

interface Row {
  readonly name: string;
  readonly isReached: boolean;
  readonly lastedSeconds: number;
  readonly waiting: number;
  readonly longestSeconds: number;
  readonly concluded: readonly Concluded[];
  readonly problems: readonly string[];
  readonly mixed: readonly string[];
  /** The seconds between each wrong tree and the service's report about it. */
  readonly noticed: readonly number[];
}

/** Random numbers from 0 to 1; equal seeds give equal numbers. */
function chances(state: number): () => number {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Four processes of the service on one database, under every fault. The users of the service submit pull requests
 * without end, and every commit of the targets is judged from outside.
 */
async function main(): Promise<void> {
  const { values } = readCommandLine({
    script: 'test:faults',
    does: 'Runs four processes under faults and pairs of faults, and judges the target from outside. Ends with 1 if a promise is broken or late.',
    options: {
      ...WRITES,
      seed: { takes: 'N', default: String(Date.now() % 1_000_000), says: 'order of the faults' },
      only: { takes: 'TEXT', default: '', says: 'only faults with this text in their name' },
      pairs: { takes: 'N', default: String(PAIRS_OF_FAULTS), says: 'pairs of faults' },
      keep: { says: 'keep the folder with the logs of the processes' },
    },
  });
  const seed = Number(values.seed);
  const chance = chances(seed);
  printMachine();
  printNote(
    `seed ${seed}; ${PROCESSES} processes, ${STREETS.length} queues; PostgreSQL waits for the disk at every commit`,
  );
  const folder = mkdtempSync(join(tmpdir(), 'sluice-faults-'));
  const rows: Row[] = [];
  try {
    await withTown(folder, chance, async (town) => {
      const chosen = FAULTS.filter(({ name }) => name.includes(values.only));
      for (const fault of shuffled(chosen, chance)) rows.push(await play(town, fault));
      for (let nth = 0; nth < Number(values.pairs); nth++) rows.push(await play(town, twoOf(FAULTS.slice(1), chance)));
      rows.push(await drain(town), await stop(town));
    });
  } finally {
    if (values.keep) console.error(`The logs of the processes are in ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
  const missed = print(rows);
  if (values.write) writeResults('faults', 'test:faults');
  if (missed > 0) {
    console.error(`Again with the same draws: npm run test:faults -- --seed ${seed}`);
    process.exitCode = 1;
  }
}

async function withTown(folder: string, chance: () => number, work: (town: Town) => Promise<void>): Promise<void> {
  const data = join(folder, 'data');
  mkdirSync(data);
  const disk = mountDisk(data);
  const postgres = await MovablePostgres.create('full');
  const github = await GitHubDouble.start();
  github.limits.limit = REQUESTS_TO_GITHUB;
  const receiver = await WebhookReceiver.start();
  const repositories = STREETS.slice(0, -1).map(() => BareRepository.create('acme', 'widgets', FIRST_FILES));
  const forges: readonly Forge[] = [
    ...repositories.map((bare, index) => gitForge(`git-${index}`, bare)),
    githubForge('github.example', github.createRepository('acme', 'widgets')),
  ];
  let fleet: Fleet | undefined;
  const streets: Street[] = [];
  try {
    await postgres.start();
    fleet = await Fleet.start(PROCESSES, data, folder, {
      DATABASE_URL: postgres.url,
      TMPDIR: folder,
      SLUICE_HOSTS: JSON.stringify([
        ...repositories.map(({ urlTemplate }, index) => ({
          ...{ host: `git-${index}`, kind: 'git', url: urlTemplate, pollSeconds: 1 },
        })),
        {
          ...{ host: 'github.example', kind: 'github', pollSeconds: 20, webhookSecret: WEBHOOK_SECRET },
          ...{ apiUrl: github.apiUrl, gitUrl: github.gitUrl, appId: github.appId, privateKey: github.privateKey },
        },
      ]),
      SLUICE_LOG_LEVEL: 'info',
      SLUICE_RATE_LIMIT_PER_MINUTE: '0',
      SLUICE_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1',
    });
    await fleet.isWhole();
    const { url } = fleet;
    github.webhooks.deliverTo(`${url}/webhooks/github/github.example`, WEBHOOK_SECRET);
    const token = await prepare(postgres.url);
    for (const [index, forge] of forges.entries())
      streets.push(new Street(forge, STREETS[index]!, () => url, token, chance));
    for (const street of streets) await street.begin();
    const hook = { name: 'told', url: receiver.url, events: ['submitted', 'merged', 'sent_back'] };
    await new ApiClient(url, token).mustPost('createWebhook', hook);
    await work({ fleet, postgres, github, streets, disk, chance });
  } catch (error) {
    console.error(error);
    throw error;
  } finally {
    await Promise.all(streets.map((street) => street.end()));
    await fleet?.stop();
    await receiver.stop();
    await github.close();
    await postgres.stop();
    for (const repository of repositories) repository.close();
    if (disk !== null) execFileSync('umount', [disk]);
  }
}

async function prepare(url: string): Promise<string> {
  const prisma = connectPrisma(url);
  try {
    await createOrganization(prisma, { slug: 'acme' }, new Date());
    return (await createToken(prisma, { organizationSlug: 'acme', name: 'test', role: 'admin' }, new Date())).token;
  } finally {
    await prisma.$disconnect();
  }
}

/** Plays the fault, and then measures the pull requests that were in a queue when the fault ended. */
async function play(town: Town, { name, strike }: Fault): Promise<Row> {
  process.stderr.write(`${name} … `);
  const { streets } = town;
  const before = streets.map(({ concluded, problems }) => [concluded.length, problems.length] as const);
  await after(BETWEEN_FAULTS_MS);
  const began = performance.now();
  const isReached = await strike(town);
  const ended = performance.now();
  const waiting = streets.map(({ open }) => [...open.keys()]);
  const isWaiting = () => waiting.some((numbers, index) => numbers.some((number) => streets[index]!.open.has(number)));
  while (isWaiting() && performance.now() - ended < BOUND_SECONDS * 1_000) await after(100);
  const late = waiting.flatMap((numbers, index) => {
    const street = streets[index]!;
    const left = numbers.filter((number) => street.open.has(number));
    return left.map((number) => `${street.name}: #${number} waited more than ${BOUND_SECONDS} s`);
  });
  const row = {
    ...{ name, isReached, lastedSeconds: (ended - began) / 1_000, waiting: waiting.flat().length },
    longestSeconds: (performance.now() - ended) / 1_000,
    ...rest(town, before),
  };
  process.stderr.write(`${row.longestSeconds.toFixed(1)} s, ${row.concluded.length} concluded\n`);
  const unreached = isReached ? [] : ['could not be brought about here'];
  return { ...row, problems: [...unreached, ...late, ...row.problems] };
}

/** Stops the submissions, and expects that everything ends and that nothing is left behind. */
async function drain(town: Town): Promise<Row> {
  const { streets } = town;
  const before = streets.map(({ concluded, problems }) => [concluded.length, problems.length] as const);
  for (const street of streets) street.isOpening = false;
  const began = performance.now();
  const waiting = streets.reduce((sum, { open }) => sum + open.size, 0);
  const isDone = () => streets.every((street) => street.open.size === 0 && street.leftovers().length === 0);
  while (!isDone() && performance.now() - began < BOUND_SECONDS * 1_000) await after(100);
  const left = streets.flatMap((street) => [
    ...[...street.open.keys()].map((number) => `${street.name}: #${number} is lost`),
    ...street.leftovers(),
  ]);
  const row = { name: 'at the end', isReached: true, lastedSeconds: 0, waiting, ...rest(town, before) };
  return { ...row, longestSeconds: (performance.now() - began) / 1_000, problems: [...left, ...row.problems] };
}

/** Stops all processes on request. A process that does not stop would block every deployment. */
async function stop(town: Town): Promise<Row> {
  const began = performance.now();
  const killed = await town.fleet.stop();
  const problems = killed === 0 ? [] : [`${killed} processes did not stop when they were told to`];
  const row = {
    name: 'told to stop',
    isReached: true,
    lastedSeconds: 0,
    waiting: 0,
    concluded: [],
    problems,
    mixed: [],
    noticed: [],
  };
  return { ...row, longestSeconds: (performance.now() - began) / 1_000 };
}

function rest({ streets }: Town, before: readonly (readonly [concluded: number, problems: number])[]) {
  for (const street of streets) street.judge();
  return {
    concluded: streets.flatMap(({ concluded }, index) => concluded.slice(before[index]![0])),
    problems: streets.flatMap(({ problems }, index) => problems.slice(before[index]![1])),
    noticed: streets.flatMap(({ noticedMs }) => noticedMs.splice(0).map((ms) => ms / 1_000)),
    mixed: streets.flatMap(({ name, mixed }) => mixed.splice(0).map((commit) => `${name}: ${commit}`)),
  };
}

function twoOf(faults: readonly Fault[], chance: () => number): Fault {
  const [one, ...others] = shuffled(faults, chance) as [Fault, ...Fault[]];
  const other = others.find(({ bringsDown }) => bringsDown === undefined || bringsDown !== one.bringsDown)!;
  const strike = async (town: Town): Promise<boolean> =>
    (await Promise.all([one.strike(town), other.strike(town)])).every((isReached) => isReached);
  return { name: `${one.name}, and ${other.name}`, strike };
}

function shuffled<T>(items: readonly T[], chance: () => number): readonly T[] {
  return items
    .map((item) => ({ item, at: chance() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** Returns how many rows missed their goal. */
function print(rows: readonly Row[]): number {
  const countOf = ({ concluded }: Row, wanted: string) => concluded.filter(({ state }) => state === wanted).length;
  printTable(
    `Faults, and the longest wait for a conclusion after each (at most ${BOUND_SECONDS} s)`,
    ['fault', 'lasted s', 'waited then', 'longest wait s', 'merged', 'failed', 'wrong'],
    rows.map((row) => [
      row.name,
      row.lastedSeconds.toFixed(1),
      String(row.waiting),
      row.longestSeconds.toFixed(1),
      String(countOf(row, 'merged')),
      String(countOf(row, 'failed')),
      String(row.problems.length),
    ]),
  );
  for (const { name, problems } of rows) for (const problem of problems) printNote(`${name}: ${problem}`);
  for (const { name, mixed } of rows)
    for (const one of mixed) printNote(`${name}: not wrong, a push got beneath a merge by the button: ${one}`);
  for (const { name, noticed } of rows)
    for (const seconds of noticed) printNote(`${name}: noticed after ${seconds.toFixed(1)} s, at most 60`);
  const missed = rows.filter(({ problems }) => problems.length > 0).length;
  const concluded = rows.reduce((sum, row) => sum + row.concluded.length, 0);
  const longest = Math.max(...rows.slice(0, -1).map(({ longestSeconds }) => longestSeconds));
  printNote(
    `${rows.length - 2} faults, ${concluded} pull requests concluded, longest wait ${longest.toFixed(1)} s, ${missed} rows with a violation`,
  );
  return missed;
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
