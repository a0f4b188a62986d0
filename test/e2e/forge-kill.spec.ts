import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { createOrganization } from '../../src/platform/auth/organizations';
import { createRepository } from '../../src/platform/auth/repositories';
import { createToken } from '../../src/platform/auth/tokens';
import { connectPrisma } from '../../src/platform/database/prisma.service';
import { ApiClient } from '../support/api-client';
import { emptyDatabase } from '../support/empty-database';
import { FORGES, type StartedForge } from '../support/forges';
import { KilledProcess } from './kill/killed-process';

const LEASES_END_MS = 61_000;
const NUMBERS = [1, 2] as const;
const STATUS = 'tests';
/** The request by which the service finds out whether GitLab has noticed the merge. */
const READING = 'getMergeRequest';

/** Settings with which one push merges all pull requests. */
const IN_ONE_RUN = { concurrency: 1, batch: true, batchingMinSize: NUMBERS.length };

describe.each(FORGES)('a service that is killed while it merges on $name', ({ start, merging, mergeMethods }) => {
  const isOfOne = merging.of === 'one';
  const prisma = connectPrisma(process.env.DATABASE_URL ?? '');
  const folder = mkdtempSync(join(tmpdir(), 'sluice-killed-'));
  let forge: StartedForge;
  let token: string;
  let lives = 0;
  let running: KilledProcess | undefined;

  beforeAll(async () => {
    forge = await start(() => new Date(Date.now() + LEASES_END_MS * Math.max(0, lives - 1)));
    await emptyDatabase(prisma);
    await createOrganization(prisma, { slug: 'acme' }, new Date());
    token = (await createToken(prisma, { organizationSlug: 'acme', name: 'test', role: 'admin' }, new Date())).token;
  });
  afterAll(async () => {
    await running?.kill();
    await prisma.$disconnect();
    await forge.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const live = async (): Promise<KilledProcess> => {
    const environment = {
      DATABASE_URL: process.env.DATABASE_URL ?? '',
      PORT: '0',
      SLUICE_DATA_DIR: folder,
      SLUICE_HOSTS: JSON.stringify([forge.config]),
      SLUICE_LOG_LEVEL: 'warn',
    };
    running = await KilledProcess.start({ environment, clockAheadMs: LEASES_END_MS * lives++ }, folder);
    if (running === undefined) throw new Error('It was killed before it answered.');
    return running;
  };

  const eventually = async <Found>(what: string, find: () => Promise<Found | undefined>): Promise<Found> => {
    for (let tries = 0; tries < 600; tries++) {
      const found = await find();
      if (found !== undefined) return found;
      await after(100);
    }
    throw new Error(`${what} did not happen:\n${running?.log()}`);
  };

  const queue = () => ({ repo: { host: forge.config.host, owner: 'acme', name: 'widgets' }, targetBranch: 'main' });
  const post = (operation: string, more: object = {}) =>
    new ApiClient(running?.url ?? '', token).mustPost(operation, { ...queue(), ...more });

  /**
   * Kills the service when the request has arrived. `isDone` says whether the code host carries the request out. The
   * answer reaches no process, whether the request is carried out or not.
   */
  const killAt = (operation: string, isDone: 'is done' | 'is not done'): Promise<unknown> =>
    new Promise((resolve) => {
      forge.faults.before(operation, () => {
        resolve(running?.kill());
        if (isDone === 'is done') return;
        // A git process that outlives the service retries after a broken connection. The retry must fail, too.
        forge.faults.badGateway(operation);
        throw new Error('The connection is gone.');
      });
    });

  const tested = new Set<string>();
  const passTests = (): void => {
    for (const branch of forge.place.branches().filter((one) => one.startsWith('sluice-merge/'))) {
      const commit = forge.inBare('for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`);
      if (commit !== '' && !tested.has(commit)) forge.place.setStatus(commit, STATUS, 'success');
      tested.add(commit);
    }
  };
  const passUntil = async (ended: Promise<unknown>): Promise<void> => {
    let isOver = false;
    void ended.then(() => (isOver = true));
    await eventually('The request to merge', () => {
      if (!isOver) passTests();
      return Promise.resolve(isOver || undefined);
    });
  };

  const areMerged = (): boolean[] => NUMBERS.map((number) => forge.isMerged(number));
  const titlesOf = (branch: string): string[] =>
    forge.inBare('log', '--first-parent', '--reverse', '--format=%s', branch).split('\n').slice(1);

  const states = async (): Promise<unknown[]> =>
    Promise.all(NUMBERS.map(async (number) => (await post('getSubmittedPullRequest', { pr: { number } })).state));

  const areAllMerged = async (): Promise<true | undefined> =>
    (await states()).every((state) => state === 'merged') || undefined;

  /**
   * The service dies before the code host has noticed the push. The queue already counts the pull request as merged, so
   * it only asks the code host again.
   */
  const dieUnnoticed = async (): Promise<void> => {
    await live();
    await killAt(READING, 'is done');
    forge.requests.clear();
    await live();
    await eventually('The merge in the queue', areAllMerged);
    await eventually('Looking again', () => Promise.resolve(forge.requests.count(READING) > 2 || undefined));
    expect(areMerged()).toEqual([false, false]);
    await running?.kill();
  };

  const deaths = isOfOne
    ? 'before the first is merged, and before the answer to that of the second'
    : 'before its push, before the answer to it, and until that is noticed';

  it(`${deaths}, merges each pull request once`, async () => {
    await live();
    const { host, owner, name } = queue().repo;
    await createRepository(prisma, { organizationSlug: 'acme', host, owner, name }, new Date(), [host]);
    const settings = { requiredStatuses: [STATUS], mergeMethod: mergeMethods[0] };
    await post('createQueue', { ...settings, ...(isOfOne ? { concurrency: NUMBERS.length } : IN_ONE_RUN) });
    for (const number of NUMBERS) forge.place.openPullRequest({ [`${number}.txt`]: 'new\n' }, { by: 'ada', number });
    const first = killAt(merging.operation, 'is not done');
    for (const number of NUMBERS) await post('submitPullRequest', { pr: { number } });
    await passUntil(first);
    expect(areMerged()).toEqual([false, false]);
    expect(isOfOne || titlesOf('main').length === 0).toBe(true);

    forge.faults.recover();
    forge.notice('later');
    await live();
    if (isOfOne) forge.faults.before(merging.operation, () => undefined);
    await passUntil(killAt(merging.operation, 'is done'));
    const isDone = (): boolean =>
      titlesOf('main').length >= NUMBERS.length && areMerged().every((is) => is === isOfOne);
    // The code host continues with a request after its sender has died.
    await eventually('The merge', () => Promise.resolve(isDone() || undefined));
    expect(titlesOf('main')).toHaveLength(NUMBERS.length);
    expect(areMerged()).toEqual([isOfOne, isOfOne]);

    if (!isOfOne) await dieUnnoticed();
    await live();
    forge.notice('now');
    await eventually('The end', areAllMerged);
    await eventually('The sight of it', () => Promise.resolve(areMerged().every((is) => is) || undefined));
    expect(titlesOf('main')).toEqual(NUMBERS.map((number) => expect.stringContaining(`#${number}`) as string));
    expect(Object.keys(forge.place.files(forge.place.tip('main'))).sort()).toEqual(['1.txt', '2.txt', 'README.md']);
    for (const number of NUMBERS) expect(forge.place.comments(number)).toHaveLength(1);
    const leftovers = (): string[] => forge.place.branches().filter((one) => one.startsWith('sluice-merge/'));
    await eventually('The removal of testing branches', () => Promise.resolve(leftovers().length === 0 || undefined));
  }, 240_000);
});
