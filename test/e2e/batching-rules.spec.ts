import type { MemoryRepository } from '../../src/code-hosts/memory/memory-repository';
import type { Client } from './client';
import { Service } from './service';

const MAIN = { repo: { host: 'memory.example', owner: 'acme', name: 'widgets' }, targetBranch: 'main' };

describe('batchingRules', () => {
  let service: Service;
  let host: MemoryRepository;
  let client: Client;

  beforeEach(async () => {
    service = await Service.inMemory();
    host = service.memory.repository('acme', 'widgets');
    await service.organization('acme');
    client = await service.client('acme', 'admin');
    await client.post('createQueue', {
      ...MAIN,
      requiredStatuses: ['tests'],
      batch: true,
      batchingMinSize: 2,
      concurrency: 9,
    });
  });

  afterEach(() => service.stop());

  async function isolate(...patterns: string[]): Promise<void> {
    const batchingRules = patterns.map((targetPattern) => ({ targetPattern, policy: 'isolate' }));
    expect((await client.post('updateQueue', { ...MAIN, batchingRules })).status).toBe(200);
  }

  async function submit(number: number, impactedTargets?: readonly string[] | 'ALL'): Promise<void> {
    host.openPullRequest(number);
    if (impactedTargets) await client.post('setImpactedTargets', { ...MAIN, pr: { number }, impactedTargets });
    await client.post('submitPullRequest', { ...MAIN, pr: { number } });
    await service.settles();
  }

  /** The pull requests of each test run, in the order in which the runs began. */
  async function runs(): Promise<number[][]> {
    const rows = await service.prisma.testRun.findMany({
      orderBy: { number: 'asc' },
      include: { members: { orderBy: { position: 'asc' } } },
    });
    return rows.map(({ members }) => members.map(({ number }) => number));
  }

  it.each([
    ['//infra/*', ['//web', '//infra/db/main']],
    ['*', ['//web']],
    ['//web', ['//web']],
    ['//we?', ['//web']],
    ['//a_b%c\\d', ['//a_b%c\\d']],
    ['//infra/*', 'ALL'],
  ] as const)('keep out of batches, with %j, what impacts %j', async (pattern, targets) => {
    await isolate('//never/*', pattern);
    await submit(1, targets);
    await submit(2, ['//other']);
    await submit(3, ['//other']);
    // The last may be isolated by `*`, too.
    expect((await runs())[0]).toEqual([1]);
  });

  it.each([
    ['//infra/*', ['//web', 'x//infra/db']],
    ['//infra', ['//infra/db']],
    ['//we?', ['//we', '//webs']],
    ['//a_b', ['//axb']],
    ['//a%', ['//ab']],
    ['*', []],
    ['*', undefined],
  ] as const)('leave, with %j, what impacts %j in its batch', async (pattern, targets) => {
    await isolate(pattern);
    await submit(1, targets);
    await submit(2);
    expect(await runs()).toEqual([[1, 2]]);
  });

  it('hold for targets that are given, and rules that are set, while pull requests wait', async () => {
    await client.post('updateQueue', { ...MAIN, state: 'paused' });
    await submit(1, ['//web']);
    await submit(2, ['//web']);
    await submit(3, ['//web']);
    await client.post('setImpactedTargets', { ...MAIN, pr: { number: 2 }, impactedTargets: ['//infra/db'] });
    const batchingRules = [{ targetPattern: '//infra/*', policy: 'isolate' }];
    await client.post('updateQueue', { ...MAIN, state: 'running', batchingRules });
    await service.settles();
    expect(await runs()).toEqual([[1], [2]]);
    expect((await client.post('getQueue', MAIN)).body).toMatchObject({ batchingRules });
  });
});
