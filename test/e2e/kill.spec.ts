import { chmodSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';
import { findWrongLandings, testEveryTree } from '../../src/cli/demo/target-proof';
import { FIRST_FILES } from '../../src/cli/demo/pull-requests';
import { createOrganization } from '../../src/platform/auth/organizations';
import { createToken } from '../../src/platform/auth/tokens';
import { connectPrisma } from '../../src/platform/database/prisma.service';
import type { CrashPoint } from '../../src/platform/lifecycle/crash-points';
import { type ApiAnswer, ApiClient } from '../support/api-client';
import { emptyDatabase } from '../support/empty-database';
import { BareRepository } from '../support/bare-repository';
import { repetitionsOfThisRun } from '../support/long-run';
import type { KillableSettings } from './kill/killable-service';
import { KilledProcess } from './kill/killed-process';

const POINTS = [
  'submit committed',
  'candidate built',
  'branch pushed',
  'status stored',
  'landing pushed',
] as const satisfies readonly CrashPoint[];
const PER_LIFE = 3;
const LEASES_END_MS = 61_000;
const seed = Number(process.env.SLUICE_TEST_SEED || Date.now() % 1_000_000);

/** A generator of numbers from 0 to 1. The same seed gives the same numbers. */
function chances(state: number): () => number {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function shuffled<T>(items: readonly T[], chance: () => number): T[] {
  return items
    .map((item) => ({ item, at: chance() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

const QUEUE = { repo: { host: 'local', owner: 'acme', name: 'widgets' }, targetBranch: 'main' };
const FAILS = 5;
/** Two pull requests that write the same line. After one of them has merged, the other one cannot merge any more. */
const CONFLICT = [8, 9] as const;

const MERGED = { state: 'merged', stateReason: 'merge_graph_merge' };
const RED = { state: 'failed', stateReason: 'test_run_required_status_failed' };
const CONFLICTED = { state: 'failed', stateReason: 'start_test_run_merge_conflict' };

const IN_ORDER = { concurrency: 3 };
const FLOW = { scheduling: 'flow', canOptimisticallyMerge: true, concurrency: 2, bisectionConcurrency: 1 };

const BEFORE_THE_ANSWER_TO_A_LANDING = ['landing pushed'] as const;

const PLAYED = repetitionsOfThisRun<[scheduling: string, settings: object, points: readonly CrashPoint[]]>([
  ['is scheduled in order', IN_ORDER, BEFORE_THE_ANSWER_TO_A_LANDING],
  ['is scheduled in order', IN_ORDER, POINTS],
  ['is scheduled by flow', FLOW, POINTS],
]);

describe.each(PLAYED)('a service that is killed again and again, whose queue %s', (_, settings, points) => {
  const numbers = Array.from({ length: (points.length + 1) * PER_LIFE }, (_none, index) => index + 1);
  const world = BareRepository.create('acme', 'widgets', {
    ...FIRST_FILES,
    '.sluice/sluice.yaml': 'merge: { required_statuses: [test] }\nci: { test: sh test.sh }\n',
  });
  const prisma = connectPrisma(process.env.DATABASE_URL ?? '');
  const waiting = [...numbers];
  let token: string;
  let life = 0;
  let running: KilledProcess | undefined;

  beforeAll(async () => {
    world.inBare('config', 'core.logAllRefUpdates', 'always');
    chmodSync(world.folder, 0o711); // As root, the checks run as another user.
    for (const number of numbers) {
      const weight = number === FAILS ? 'unknown' : '1';
      const file = CONFLICT.some((other) => other === number) ? 'gear' : `part-${number}`;
      world.openPullRequest(number, { [`widgets/${file}.txt`]: `name: part ${number}\nweight: ${weight}\n` });
    }
    await emptyDatabase(prisma);
    await createOrganization(prisma, { slug: 'acme' }, new Date());
    token = (await createToken(prisma, { organizationSlug: 'acme', name: 'test', role: 'admin' }, new Date())).token;
  });

  afterAll(async () => {
    await running?.kill();
    await prisma.$disconnect();
    world.close();
  });

  async function live(killAt?: KillableSettings['killAt']): Promise<KilledProcess | undefined> {
    const environment = {
      DATABASE_URL: process.env.DATABASE_URL ?? '',
      PORT: '0',
      SLUICE_DATA_DIR: world.dataDirectory,
      SLUICE_HOSTS: JSON.stringify([{ host: 'local', kind: 'git', url: world.urlTemplate, pollSeconds: 1 }]),
      SLUICE_CHECK_RUNNER: 'unconfined',
      SLUICE_LOG_LEVEL: 'warn',
    };
    running = await KilledProcess.start({ environment, clockAheadMs: LEASES_END_MS * life++, killAt }, world.folder);
    return running;
  }

  const ask = (operation: string, number: number): Promise<ApiAnswer> =>
    new ApiClient(running?.url ?? '', token).post(operation, { ...QUEUE, pr: { number } });

  /** Submits like CI: an unanswered request is sent again, to the next process of the service. */
  async function submitSome(count: number): Promise<void> {
    for (const number of waiting.slice(0, count)) {
      const answer = await ask('submitPullRequest', number).catch(() => undefined);
      if (answer === undefined) return;
      expect(answer.status).toBe(200);
      waiting.splice(waiting.indexOf(number), 1);
    }
  }

  async function eventually(isSo: () => Promise<boolean>): Promise<void> {
    for (let tries = 0; tries < 400 && !(await isSo()); tries++) await after(200);
  }

  it(`concludes every pull request correctly and merges none twice (SLUICE_TEST_SEED=${seed})`, async () => {
    const chance = chances(seed);
    const client = await live();
    await new ApiClient(client?.url ?? '', token).mustPost('createQueue', { ...QUEUE, ...settings });
    await submitSome(PER_LIFE);
    // Besides the kill points, one kill comes at a random time.
    await after(chance() * 1_500);
    expect(await client?.kill()).toBe('SIGKILL');

    for (const point of shuffled(points, chance)) {
      const doomed = await live({ point, time: chance() < 0.5 ? 1 : 2 });
      await submitSome(PER_LIFE);
      expect(await doomed?.diesWithin(30_000)).toBe(doomed && 'SIGKILL');
    }

    await live();
    await submitSome(waiting.length);
    const records = async () =>
      (await Promise.all(numbers.map((n) => ask('getSubmittedPullRequest', n)))).map(({ body }) => body);
    const queue = new ApiClient(running?.url ?? '', token);
    await eventually(async () => {
      const { enqueuedPullRequests } = await queue.mustPost<{ enqueuedPullRequests: unknown[] }>('getQueue', QUEUE);
      return enqueuedPullRequests.length === 0;
    });
    const ends = (await records()).map(({ prNumber, state, stateReason }) => ({ prNumber, state, stateReason }));
    // In sequential mode, the first pull request merges. In flow scheduling, the pull request that passes first merges,
    // and the time of the kill decides which of the two this is.
    const loser = settings === FLOW ? CONFLICT.find((number) => ends[number - 1]?.state === 'failed') : CONFLICT[1];
    const endOf = (number: number) => (number === FAILS ? RED : number === loser ? CONFLICTED : MERGED);
    expect(ends).toEqual(numbers.map((number) => ({ prNumber: number, ...endOf(number) })));

    const merged = numbers.filter((number) => endOf(number) === MERGED);
    expect(await findWrongLandings(world.bare, 'main', merged)).toEqual([]);
    expect(world.inBare('log', '--merges', '--format=%h', 'main')).toBe('');
    const trees = await testEveryTree(world.bare, 'main', `${world.folder}/proof`);
    expect(trees.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
    const commits = world.inBare('log', '--reverse', '--format=%H', 'main').split('\n').slice(1);
    const pointedAt = trees.map(({ commit }) => commit);
    // In flow scheduling, pull requests that were tested together merge in one move.
    expect(pointedAt).toEqual(settings === FLOW ? commits.filter((commit) => pointedAt.includes(commit)) : commits);
    expect(pointedAt.at(-1)).toBe(commits.at(-1));

    const leftovers = () => world.inBare('for-each-ref', '--format=%(refname)', 'refs/heads/sluice-merge');
    await eventually(() => Promise.resolve(leftovers() === ''));
    expect(leftovers()).toBe('');
  }, 240_000);
});
