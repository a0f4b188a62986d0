import type { Role } from '../../src/platform/requests/roles';
import { createToken } from '../../src/platform/auth/tokens';
import type { QueuePicture } from '../../src/modules/views/queue-picture.dto';
import type { ListedQueues } from '../../src/modules/views/queue-summary.dto';
import { START, World } from '../support/world';
import { Client, codeOf, wrongFields } from './client';
import { ALL_ROLES } from './operations';
import { Rows } from './rows';
import { NOW, Service } from './service';

const HOST = 'memory.example';
const MINUTE_MS = 60_000;

describe('listQueues', () => {
  let service: Service;
  let admin: Client;
  let widgetsId: string;
  let tokens = 0;

  beforeAll(async () => {
    service = await Service.inMemory();
    const rows = new Rows(service.prisma, NOW);
    const organization = await service.organization('acme');
    widgetsId = await rows.repository(organization, 'widgets', 'acme', HOST);
    await rows.repository(organization, 'gadgets', 'acme', HOST);
    await rows.repository(await service.organization('other'), 'others', 'other', HOST);
    admin = await service.client('acme', 'admin');
    for (const [client, owner, name] of [
      [admin, 'acme', 'widgets'],
      [admin, 'acme', 'gadgets'],
      [await service.client('other', 'admin'), 'other', 'others'],
    ] as const) {
      const place = service.memory.repository(owner, name);
      place.branches.set('release', place.tip('main').commit);
      for (const targetBranch of ['release', 'main']) {
        const made = await client.post('createQueue', { repo: { host: HOST, owner, name }, targetBranch });
        expect(made.status).toBe(200);
      }
    }
  });

  afterAll(() => service.stop());

  const titles = ({ queues }: ListedQueues) => queues.map(({ repo, targetBranch }) => `${repo.name} ${targetBranch}`);
  const list = async (client: Client, request: object = {}) => titles((await client.post('listQueues', request)).body);

  async function limited(role: Role, repositoryIds: readonly string[]): Promise<Client> {
    const request = { organizationSlug: 'acme', name: `limited ${++tokens}`, role, repositoryIds };
    return new Client(service.url, (await createToken(service.prisma, request, service.clock.now())).token);
  }

  it('answers the queues of the organization, by repository and branch', async () => {
    expect(await list(admin)).toEqual(['gadgets main', 'gadgets release', 'widgets main', 'widgets release']);
    expect(await list(await service.client('other', 'read'))).toEqual(['others main', 'others release']);
  });

  it('answers the queues of one repository', async () => {
    const repo = { host: HOST, owner: 'acme', name: 'widgets' };
    expect(await list(admin, { repo })).toEqual(['widgets main', 'widgets release']);
  });

  it('answers queues whose repository or branch contains every word of the search', async () => {
    expect(await list(admin, { search: ' WIDGETS  rel' })).toEqual(['widgets release']);
    expect(await list(admin, { search: 'acme/gad' })).toEqual(['gadgets main', 'gadgets release']);
    expect(await list(admin, { search: 'others' })).toEqual([]);
    expect(await list(admin, { search: '%' })).toEqual([]);
    expect(await list(admin, { search: ' ' })).toHaveLength(4);
    expect(wrongFields(await admin.post('listQueues', { search: 'x'.repeat(301) }))).toHaveProperty('search');
  });

  it('answers only queues that the token may see, whatever the request', async () => {
    const client = await limited('read', [widgetsId]);
    expect(await list(client)).toEqual(['widgets main', 'widgets release']);
    const hidden = { host: HOST, owner: 'acme', name: 'gadgets' };
    const foreign = { host: HOST, owner: 'other', name: 'others' };
    for (const repo of [hidden, foreign])
      expect(codeOf(await client.post('listQueues', { repo }))).toBe('404 REPOSITORY_NOT_FOUND');
    const { nextCursor: cursor } = (await admin.post('listQueues', { take: 1 })).body;
    expect(wrongFields(await client.post('listQueues', { cursor }))).toHaveProperty('cursor');
  });

  it('continues on the next page after a queue that was deleted meanwhile', async () => {
    const first = (await admin.post('listQueues', { take: 3 })).body;
    const second = (await admin.post('listQueues', { take: 3, cursor: first.nextCursor })).body;
    expect([titles(first), titles(second), second.nextCursor]).toEqual([
      ['gadgets main', 'gadgets release', 'widgets main'],
      ['widgets release'],
      undefined,
    ]);
    expect((await admin.post('listQueues', { take: 4 })).body.nextCursor).toBeUndefined();
    const { nextCursor: cursor } = (await admin.post('listQueues', { take: 2 })).body;
    const last = { repo: { host: HOST, owner: 'acme', name: 'gadgets' }, targetBranch: 'release' };
    expect((await admin.post('deleteQueue', last)).status).toBe(200);
    expect(await list(admin, { cursor })).toEqual(['widgets main', 'widgets release']);
    expect((await admin.post('createQueue', last)).status).toBe(200);
  });

  it.each([
    [{ take: 0 }, 'take'],
    [{ take: 101 }, 'take'],
    [{ cursor: 'x' }, 'cursor'],
    [{ cursor: 7 }, 'cursor'],
    [{ author: '' }, 'author'],
    [{ author: 7 }, 'author'],
    [{ repo: 7 }, 'repo'],
    [{ repo: { host: HOST, owner: 'acme' } }, 'repo.name'],
  ])('refuses %j', async (request, field) => {
    expect(Object.keys(wrongFields(await admin.post('listQueues', request)))).toEqual([field]);
  });

  it('is allowed for every role, and for nobody without a token', async () => {
    for (const role of ALL_ROLES) {
      const client = role === 'admin' ? admin : await service.client('acme', role);
      expect((await client.post('listQueues', {})).status).toBe(200);
    }
    expect(codeOf(await service.anonymous().post('listQueues', {}))).toBe('401 AUTHENTICATION_REQUIRED');
  });
});

describe('A queue in the list', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
  });

  afterEach(() => world.close());

  const hoursWithout = (count: number) => Array<number>(count).fill(0);
  const at = (minutes: number) => new Date(START.getTime() + minutes * MINUTE_MS).toISOString();
  const picture = () => world.api.mustPost<QueuePicture>('getQueuePicture', { repo: world.repo, targetBranch: 'main' });
  const summary = async () => (await world.api.mustPost<ListedQueues>('listQueues', {})).queues[0]!;

  async function submitted(...numbers: number[]): Promise<void> {
    for (const number of numbers) {
      world.memory.openPullRequest(number);
      await world.submit(number);
      await world.settles();
    }
  }

  it('shows what is in progress, what waits, what merged and failed', async () => {
    await world.createQueue({ requiredStatuses: ['tests'], concurrency: 2 });
    expect((await summary()).oldestSubmittedAt).toBeNull();
    await submitted(1, 2, 3, 4, 5);
    world.memory.openPullRequest(6, { draft: true });
    await world.submit(6);
    await world.advance(7);
    await world.report(1, 'success');
    await world.report(2, 'failure');
    await world.advance(1);
    const { version } = await picture();
    expect(await summary()).toEqual({
      version,
      ...{ repo: world.repo, targetBranch: 'main', state: 'running', since: null, by: null, reason: null, slots: 2 },
      runs: { building: 0, testing: 2, searching: 0, passed: 0, stuck: 0, landing: 0 },
      ...{ inHandCount: 2, waitingCount: 1, notReadyCount: 1, oldestSubmittedAt: at(0) },
      ...{ mergedCount: 1, failedCount: 1, lastLandedAt: at(7), etaOfNew: null, attention: null },
      ...{ waitedP50Ms: 7 * MINUTE_MS, mergedByHour: [...hoursWithout(23), 1], ofAuthorCount: null },
    });
  });

  it('shows the number of merges for each hour, and the median time to merge', async () => {
    await world.createQueue({ requiredStatuses: ['tests'], concurrency: 2 });
    expect(await summary()).toMatchObject({ waitedP50Ms: null, mergedByHour: hoursWithout(24) });
    for (const [number, minutes] of [
      [1, 10],
      [2, 15],
      [3, 60],
    ] as const) {
      await submitted(number);
      await world.advance(minutes);
      await world.report(number, 'success');
    }
    await world.advance(20 * 60 + 20);
    const waitedP50Ms = 15 * MINUTE_MS;
    expect(await summary()).toMatchObject({
      waitedP50Ms,
      mergedByHour: [...hoursWithout(2), 2, 1, ...hoursWithout(20)],
    });
  });

  it("counts the viewer's own pull requests, in any letter case of the name", async () => {
    await world.createQueue({ requiredStatuses: ['tests'] });
    world.memory.openPullRequest(1, { author: 'ada' });
    world.memory.openPullRequest(2, { author: 'Ada', draft: true });
    world.memory.openPullRequest(3, { author: 'grace' });
    for (const number of [1, 2, 3]) await world.submit(number);
    const counts = (request: object) => world.api.mustPost<ListedQueues>('listQueues', request);
    const asked = [{ author: 'ADA' }, {}, { author: 'grace' }, { author: 'nobody' }];
    const answers = await Promise.all(asked.map(counts));
    expect(answers.map(({ queues }) => queues[0]!.ofAuthorCount)).toEqual([2, null, 1, 0]);
  });

  it('shows the forecast for new pull requests, once it is known, as getQueuePicture does', async () => {
    await world.createQueue({ requiredStatuses: ['tests'], concurrency: 2 });
    const { id: queueId } = await world.prisma.queue.findFirstOrThrow();
    const learned = (minutes: number) => ({
      durations: Array<number>(30).fill(minutes * MINUTE_MS),
      outside: 0.1,
      late: 0.1,
    });
    await world.prisma.forecastOutcome.createMany({
      data: [
        { queueId, situation: 'tested 0', learned: learned(10) },
        { queueId, situation: 'tested 1', learned: learned(12) },
        { queueId, situation: 'waits 0', learned: learned(20) },
      ],
    });
    const told = async () => {
      const { etaOfNew } = await summary();
      expect((await picture()).etaOfNew).toEqual(etaOfNew);
      return etaOfNew;
    };
    expect((await told())?.p50).toBe(at(10));
    await submitted(1);
    expect((await told())?.p50).toBe(at(12));
    await submitted(2);
    expect((await told())?.p50).toBe(at(20));
    await world.updateQueue({ state: 'paused' });
    expect(await told()).toBeNull();
  });

  it('shows what needs attention: a pause, a bisection, a run that takes too long', async () => {
    await world.createQueue({
      requiredStatuses: ['tests'],
      batch: true,
      batchingMinSize: 4,
      batchingMaxWaitTimeMinutes: 1,
    });
    await submitted(1, 2, 3, 4);
    expect((await summary()).attention).toBeNull();
    await world.report(1, 'failure');
    const searching = await summary();
    expect(searching.attention).toBe('Bisecting a failed batch of 4: 4 suspects are left.');
    expect(searching.runs.searching).toBeGreaterThan(0);
    await world.updateQueue({ state: 'paused', pauseReason: 'the store is frozen' });
    expect(await summary()).toMatchObject({
      ...{ state: 'paused', since: at(0), reason: 'the store is frozen' },
      attention: 'The queue is paused (the store is frozen): no test starts until it is running.',
    });
  });

  it('says that a run takes more than three times as long as usual', async () => {
    await world.createQueue({ requiredStatuses: ['tests'], testingTimeoutMinutes: 600 });
    for (const number of [1, 2, 3, 4, 5]) {
      await submitted(number);
      await world.advance(4);
      await world.report(number, 'success');
    }
    await submitted(6);
    await world.advance(12);
    expect((await summary()).attention).toBeNull();
    await world.advance(1);
    expect((await summary()).attention).toBe('Run 6 has been testing for 13 minutes; a run usually takes 4 minutes.');
  });
});
