import type { Role } from '../../src/platform/requests/roles';
import { createToken, type TokenRequest } from '../../src/platform/auth/tokens';
import { Client, codeOf } from './client';
import { Rows } from './rows';
import { NOW, Service } from './service';

const HOST = 'memory.example';
const MINE = { host: HOST, owner: 'acme', name: 'mine' };
const OTHER = { host: HOST, owner: 'acme', name: 'other' };
const UNKNOWN = { host: HOST, owner: 'acme', name: 'unknown' };
const SHA = 'c'.repeat(40);
/** Every operation that names a repository, with the other fields of its body. */
const OPERATIONS: Readonly<Record<string, object>> = {
  getQueue: {},
  getQueuePicture: {},
  getQueueHistoryByDay: {},
  getFlakyTestCosts: {},
  listQueues: {},
  createQueue: {},
  createWebhook: { name: 'a hook', url: 'https://hooks.example/sluice' },
  listWebhooks: {},
  updateQueue: {},
  deleteQueue: {},
  submitPullRequest: { pr: { number: 1 } },
  cancelPullRequest: { pr: { number: 1 } },
  restartTestsOnPullRequest: { pr: { number: 1 } },
  getSubmittedPullRequest: { pr: { number: 1 } },
  getPullRequestStory: { pr: { number: 1 } },
  getMergeQueueTestingDetails: { pr: { number: 1 } },
  setImpactedTargets: { pr: { number: 1 }, impactedTargets: 'ALL' },
  reportStatus: { sha: SHA, context: 'tests', state: 'success' },
  'flaky-tests/get-settings': { org_url_slug: 'acme' },
  'flaky-tests/list-quarantined-tests': { org_url_slug: 'acme', page_query: { page_size: 10, page_token: '' } },
};

describe('A token that is limited', () => {
  let service: Service;
  let admin: Client;
  let ids: Record<'mine' | 'other', string>;
  let named = 0;

  const clientWith = async (role: Role, limits: Partial<TokenRequest>): Promise<Client> => {
    const request = { organizationSlug: 'acme', name: `limited ${++named}`, role, ...limits };
    return new Client(service.url, (await createToken(service.prisma, request, service.clock.now())).token);
  };

  const ask = (client: Client, operation: string, repo: object, more: object = {}) =>
    client.post(operation, { repo, targetBranch: 'main', ...OPERATIONS[operation], ...more });

  beforeAll(async () => {
    service = await Service.inMemory();
    const organization = await service.organization('acme');
    const rows = new Rows(service.prisma, NOW);
    const add = (name: string) => rows.repository(organization, name, 'acme', HOST);
    ids = { mine: await add('mine'), other: await add('other') };
    admin = await service.client('acme', 'admin');
    for (const repo of [MINE, OTHER]) {
      const place = service.memory.repository(repo.owner, repo.name);
      for (const number of [1, 2, 3, 4, 5]) place.openPullRequest(number);
      expect((await ask(admin, 'createQueue', repo, { requiredStatuses: ['tests'] })).status).toBe(200);
    }
    service.memory.repository(UNKNOWN.owner, UNKNOWN.name);
  });

  afterAll(() => service.stop());

  describe('to a repository', () => {
    it.each(Object.keys(OPERATIONS))(
      'gets the same answer of %s for another repository as for a missing repository',
      async (operation) => {
        const limited = await clientWith('admin', { repositoryIds: [ids.mine] });
        const answers = [OTHER, UNKNOWN].map(async (repo) => {
          const { status, body } = await ask(limited, operation, repo);
          const { code, message = '' } = body.error ?? {};
          return [status, code, message.replace(/\b(other|unknown)\b/g, '<name>')];
        });
        const [other, unknown] = await Promise.all(answers);
        expect(other?.slice(0, 2)).toEqual([404, 'REPOSITORY_NOT_FOUND']);
        expect(other).toEqual(unknown);
      },
    );

    it('works in the repository of its limit', async () => {
      const limited = await clientWith('submit', { repositoryIds: [ids.mine] });
      expect((await ask(limited, 'getQueue', MINE)).status).toBe(200);
      expect((await ask(limited, 'submitPullRequest', MINE)).status).toBe(200);
    });

    it('gets only the series of its repository in reads about the organization', async () => {
      const repos = async (client: Client) => {
        const { text } = await client.get('getMergeQueueMetrics');
        return [...new Set([...text.matchAll(/repo="([^"]+)"/g)].map(([, repo]) => repo))].sort();
      };
      expect(await repos(admin)).toEqual(['acme/mine', 'acme/other']);
      expect(await repos(await clientWith('read', { repositoryIds: [ids.mine] }))).toEqual(['acme/mine']);
      const one = await (
        await clientWith('read', { repositoryIds: [ids.mine] })
      ).get(`getMergeQueueMetrics?repo=acme/other&repoHost=${HOST}`);
      expect(codeOf(one)).toBe('404 REPOSITORY_NOT_FOUND');
    });

    it('reads no check log of another repository', async () => {
      const run = { testRunId: ids.other, sha: SHA, name: 'tests', command: 'true', state: 'success', createdAt: NOW };
      await service.prisma.checkRun.create({ data: { ...run, id: ids.other, repositoryId: ids.other, log: 'secret' } });
      const limited = await clientWith('read', { repositoryIds: [ids.mine] });
      expect(codeOf(await limited.get(`checkRuns/${ids.other}/log`))).toBe('404 NOT_FOUND');
      expect((await admin.get(`checkRuns/${ids.other}/log`)).text).toBe('secret');
    });

    it('cannot create a queue for an unassigned repository, although another admin token may', async () => {
      const limited = await clientWith('admin', { repositoryIds: [ids.mine] });
      expect(codeOf(await ask(limited, 'createQueue', UNKNOWN))).toBe('404 REPOSITORY_NOT_FOUND');
      expect((await ask(admin, 'createQueue', UNKNOWN)).status).toBe(200);
    });
  });

  describe('to a highest priority', () => {
    const submit = async (client: Client, number: number, more: object = {}) => {
      const answer = await ask(client, 'submitPullRequest', MINE, { pr: { number }, ...more });
      return answer.status === 200 ? answer.body.priorityValue : codeOf(answer);
    };

    it('may not request a higher priority, also for a queued pull request', async () => {
      const limited = await clientWith('submit', { bestPriority: 10 });
      expect(await submit(limited, 2, { priority: 'urgent' })).toBe('403 INSUFFICIENT_PERMISSIONS');
      expect(await submit(limited, 2, { priority: 'high' })).toBe(10);
      expect(await submit(limited, 2, { priority: 9 })).toBe('403 INSUFFICIENT_PERMISSIONS');
      expect(await submit(limited, 2, { priority: 11 })).toBe(11);
    });

    it('may omit the priority: the default counts, or the limit if the limit is lower', async () => {
      expect(await submit(await clientWith('submit', { bestPriority: 10 }), 3)).toBe(100);
      const low = await clientWith('submit', { bestPriority: 200 });
      expect(await submit(low, 4)).toBe(200);
      const { body } = await ask(low, 'getSubmittedPullRequest', MINE, { pr: { number: 4 } });
      expect(body.usedDefaultPriorityName).toBe('');
      expect(await submit(low, 4, { priority: null })).toBe(200);
    });

    it('leaves a higher priority by somebody else unchanged if it omits the priority', async () => {
      expect(await submit(admin, 5, { priority: 'urgent' })).toBe(0);
      expect(await submit(await clientWith('submit', { bestPriority: 200 }), 5, { noBatch: true })).toBe(0);
    });
  });
});
