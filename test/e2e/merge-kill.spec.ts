import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { createOrganization } from '../../src/platform/auth/organizations';
import { createRepository } from '../../src/platform/auth/repositories';
import { createToken } from '../../src/platform/auth/tokens';
import { connectPrisma } from '../../src/platform/database/prisma.service';
import type { CrashPoint } from '../../src/platform/lifecycle/crash-points';
import { ApiClient } from '../support/api-client';
import { emptyDatabase } from '../support/empty-database';
import { GitHubDouble } from '../support/github/github-double';
import type { RepositoryDouble } from '../support/github/repository-double';
import { KilledProcess } from './kill/killed-process';

const LEASES_END_MS = 61_000;
const STATUS = 'tests';
const HOST = 'github.example';
const ASK = 'pulls/merge-async';
const LOOK = 'pulls/get-merge-async-result';

/**
 * The moment at which the service dies: at a point in the code, or when GitHub has received a request and has or has
 * not carried it out.
 */
type Death =
  { readonly at: CrashPoint } | { readonly at: typeof ASK | typeof LOOK; readonly request: 'is done' | 'is not done' };

const DEATHS: readonly Death[] = [
  { at: ASK, request: 'is not done' },
  { at: ASK, request: 'is done' },
  { at: 'merge asked' },
  { at: 'merge noted' },
  { at: LOOK, request: 'is not done' },
  { at: LOOK, request: 'is done' },
  { at: 'landing pushed' },
];

/** One call merges either a single pull request or all layers of a stack. */
describe.each([1, 3])(
  'a service that is killed while GitHub merges pull requests (%i together) in the background',
  (size) => {
    const prisma = connectPrisma(process.env.DATABASE_URL ?? '');
    const folder = mkdtempSync(join(tmpdir(), 'sluice-killed-'));
    let double: GitHubDouble;
    let place: RepositoryDouble;
    let token: string;
    let lives = 0;
    let running: KilledProcess | undefined;

    beforeAll(async () => {
      double = await GitHubDouble.start({ now: () => new Date(Date.now() + LEASES_END_MS * Math.max(0, lives - 1)) });
      place = double.createRepository('acme', 'widgets');
      place.answerUnknown(0);
      await emptyDatabase(prisma);
      await createOrganization(prisma, { slug: 'acme' }, new Date());
      token = (await createToken(prisma, { organizationSlug: 'acme', name: 'test', role: 'admin' }, new Date())).token;
      const repository = { organizationSlug: 'acme', host: HOST, owner: 'acme', name: 'widgets' };
      await createRepository(prisma, repository, new Date(), [HOST]);
    });
    afterAll(async () => {
      await running?.kill();
      await prisma.$disconnect();
      await double.close();
      rmSync(folder, { recursive: true, force: true });
    });

    const live = async (point?: CrashPoint): Promise<void> => {
      const { apiUrl, gitUrl, appId, privateKey } = double;
      const hosts = [{ host: HOST, kind: 'github', pollSeconds: 1, apiUrl, gitUrl, appId, privateKey }];
      const environment = {
        DATABASE_URL: process.env.DATABASE_URL ?? '',
        PORT: '0',
        SLUICE_DATA_DIR: folder,
        SLUICE_HOSTS: JSON.stringify(hosts),
        SLUICE_LOG_LEVEL: 'warn',
      };
      const killAt = point && { point, time: 1 };
      running = await KilledProcess.start({ environment, clockAheadMs: LEASES_END_MS * lives++, killAt }, folder);
      if (running === undefined) throw new Error('It was killed before it answered.');
    };

    const queue = { repo: { host: HOST, owner: 'acme', name: 'widgets' }, targetBranch: 'main' };
    const post = (operation: string, more: object = {}) =>
      new ApiClient(running?.url ?? '', token).mustPost(operation, { ...queue, ...more });

    /** The service dies when GitHub has received the request. */
    const killAtRequest = (operation: string, request: 'is done' | 'is not done'): Promise<unknown> =>
      new Promise((resolve) => {
        double.faults.before(operation, () => {
          resolve(running?.kill());
          if (request === 'is not done') throw new Error('The connection is gone.');
        });
      });

    const passed = new Set<string>();
    const passTests = (): void => {
      // Only branches that GitHub knows are compared: a push may have reached git, but not GitHub.
      for (const [branch, commit] of place.record.branches) {
        if (!branch.startsWith('sluice-merge/')) continue;
        if (!passed.has(commit)) place.setStatus(commit, STATUS, 'success');
        passed.add(commit);
      }
    };

    const until = async (what: string, isSo: () => Promise<boolean> | boolean): Promise<void> => {
      for (let tries = 0; tries < 600; tries++) {
        if (await isSo()) return;
        passTests();
        await after(100);
      }
      throw new Error(`${what} did not happen:\n${running?.log()}`);
    };

    const titles = (): string[] =>
      place.record.world
        .inBare('log', '--first-parent', '--reverse', '--format=%s', 'main')
        .split('\n')
        .slice(1)
        .filter(Boolean);

    it('merges each pull request once, and forgets none', async () => {
      await live();
      await post('createQueue', {
        ...{ requiredStatuses: [STATUS], mergeMethod: 'squash', createPrsForTestingBranches: false },
      });
      await running?.kill();
      for (const [index, death] of DEATHS.entries()) {
        const number = (index + 1) * size;
        if (size === 1) place.openPullRequest({ [`${number}.txt`]: 'new\n' }, { by: 'ada', number });
        else place.openStack(size);
        await live('request' in death ? undefined : death.at);
        const died = 'request' in death ? killAtRequest(death.at, death.request) : running?.died;
        let isDead = false;
        void Promise.resolve(died).then(() => (isDead = true));
        await post('submitPullRequest', { pr: { number } });
        await until(`The death at ${death.at}`, () => isDead);
        double.faults.recover();
        await live();
        const isMerged = async (): Promise<boolean> =>
          (await post('getSubmittedPullRequest', { pr: { number } })).state === 'merged';
        await until(`The merge of #${number}`, isMerged);
        expect(titles()).toHaveLength(number);
        await running?.kill();
      }
      const numbers = Array.from({ length: DEATHS.length * size }, (_, index) => index + 1);
      expect(titles()).toEqual(numbers.map((number) => expect.stringContaining(`#${number})`) as string));
      const files = Object.keys(place.files(place.tip('main'))).filter((name) => name !== 'README.md');
      expect(files.toSorted()).toEqual(numbers.map((number) => `${number}.txt`).toSorted());
      expect(place.record.backgroundMerges).toHaveLength(DEATHS.length);
    }, 400_000);
  },
);
