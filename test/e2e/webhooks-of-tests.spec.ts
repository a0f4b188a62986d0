import { WebhookDeliveryStore } from '../../src/processing/notifications/webhook-delivery.store';
import { WebhookWorker } from '../../src/processing/notifications/webhook.worker';
import { WebhookReceiver } from '../support/webhook-receiver';
import { World } from '../support/world';

/** So many tests pass that the failed tests do not count as an infrastructure failure. */
const HEALTHY = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`holds ${index}`, 'passed' as const]));

describe('Webhooks for test events', () => {
  let world: World;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    world = await World.create({ host: 'git', settings: { webhookAllowedNetworks: ['127.0.0.1'] } });
    await world.createQueue({ requiredStatuses: ['tests'] });
  });

  afterAll(async () => {
    await world.close();
    await receiver.stop();
  });

  const make = (name: string, more: object) =>
    world.api.mustPost('createWebhook', { name, url: `${receiver.url}/${name}`, ...more });

  /** CI tests a new tip of main, and the test has this outcome. */
  async function mainIsTested(outcome: 'passed' | 'failed', change: number, names = ['drops']): Promise<void> {
    world.git.pushTo('main', { [`${change}.txt`]: 'new\n' });
    world.clock.advance(60_000);
    const outcomes = Object.fromEntries(names.map((name) => [name, outcome]));
    await world.uploadTests({ ...HEALTHY, ...outcomes }, { commit: world.git.tip('main'), branch: 'main' });
  }

  it('get two events if a test breaks and is quarantined; chats get only the first, and webhooks of a queue none', async () => {
    await make('all', {});
    await make('chat', { kind: 'slack' });
    await make('queue', { repo: world.repo, targetBranch: 'main' });
    await mainIsTested('passed', 0);
    for (let change = 1; change <= 8; change++) await mainIsTested('failed', change);
    const { tests } = await world.api.mustPost<{ tests: { id: string }[] }>('flaky-tests/list-unhealthy-tests', {
      ...{ repo: world.repo, org_url_slug: 'acme', status: 'broken', page_query: { page_size: 10, page_token: '' } },
    });
    expect(tests).toHaveLength(1);
    const quarantine = {
      repo: world.repo,
      org_url_slug: 'acme',
      test_case_id: tests[0]!.id,
      reason: 'it is being fixed',
    };
    const settings = { repo: world.repo, org_url_slug: 'acme', quarantine_enabled: true };
    await world.api.mustPost('flaky-tests/update-settings', settings);
    await world.api.mustPost('flaky-tests/set-quarantine', { ...quarantine, setting: 'always_quarantine' });
    await world.api.mustPost('flaky-tests/set-quarantine', { ...quarantine, setting: 'never_quarantine' });
    world.clock.advance(60_000);
    await world.app.get(WebhookWorker).drain();
    const of = (name: string) => receiver.messages.filter(({ path }) => path === `/hook/${name}`);
    expect(of('all').map(({ body: { type, data } }) => [type, data.from, data.state])).toEqual([
      ['test_status_changed', 'healthy', 'broken'],
      ['quarantine_changed', 'not_quarantined', 'quarantined'],
      ['quarantine_changed', 'quarantined', 'not_quarantined'],
    ]);
    const broke = of('all')[0]!.body.data;
    expect(broke).toMatchObject({ test: { id: tests[0]!.id, name: 'drops' }, targetBranch: null, repo: world.repo });
    expect(broke.message).toMatch(/^The test drops is broken, it was healthy: .+\. Fix it, or quarantine it/);
    expect(of('chat').map(({ text }) => (JSON.parse(text) as { text: string }).text)).toEqual([
      'A test is broken: drops',
    ]);
    expect(of('queue')).toEqual([]);
  });

  it('that are chats get one message if many tests break at once; other webhooks get one for each test', async () => {
    const names = Array.from({ length: 5 }, (_, index) => `imports ${index}`);
    await make('every', {});
    await make('quiet', { kind: 'slack' });
    await mainIsTested('passed', 100, names);
    for (let change = 101; change <= 108; change++) await mainIsTested('failed', change, names);
    world.clock.advance(60_000);
    await world.app.get(WebhookWorker).drain();
    const of = (name: string) => receiver.messages.filter(({ path }) => path === `/hook/${name}`);
    const broken = of('every').filter(({ body: { data } }) => data.state === 'broken');
    expect(new Set(broken.map(({ body: { data } }) => (data.test as { name: string } | null)?.name))).toEqual(
      new Set(names),
    );
    expect(of('quiet').map(({ text }) => (JSON.parse(text) as { text: string }).text)).toEqual(['5 tests are broken']);
    expect(of('quiet')[0]!.text).toMatch(
      /Broken: imports \d, .*\. When so many tests break together, they usually have one cause/,
    );
  });

  it('that are chats get the test events of several decisions in one message, also when the process dies', async () => {
    await make('gathers', { kind: 'slack', events: ['quarantine_changed'] });
    await make('at once', { kind: 'slack', events: ['quarantine_changed'], gatherSeconds: 0 });
    const tests = await world.prisma.testCase.findMany({ where: { name: { startsWith: 'imports' } }, take: 3 });
    const quarantine = async (id: string, setting: string): Promise<void> => {
      const asked = { repo: world.repo, org_url_slug: 'acme', test_case_id: id, reason: 'known', setting };
      await world.api.mustPost('flaky-tests/set-quarantine', asked);
    };
    const textsOf = (name: string) =>
      receiver.messages
        .filter(({ path }) => path === `/hook/${encodeURI(name)}`)
        .map(({ text }) => (JSON.parse(text) as { text: string }).text);
    for (const { id } of tests) await quarantine(id, 'always_quarantine');
    await world.app.get(WebhookWorker).drain();
    expect([textsOf('gathers'), textsOf('at once').length]).toEqual([[], 3]);

    world.clock.advance(59_000);
    await quarantine(tests[0]!.id, 'never_quarantine');
    world.clock.advance(1_000);
    const store = world.app.get(WebhookDeliveryStore);
    const now = world.clock.now();
    const lease = { now, leaseUntil: new Date(now.getTime() + 30_000), spentBefore: new Date(0) };
    const [held] = (await store.claim({ leasedBy: 'a process that dies', free: 8, ...lease })).filter(
      ({ gatherSeconds, kind }) => kind === 'slack' && gatherSeconds > 0,
    );
    expect(await store.gather(held!, now, lease.leaseUntil)).toHaveLength(4);
    await world.app.get(WebhookWorker).drain();
    expect(textsOf('gathers')).toEqual([]);
    world.clock.advance(30_000);
    receiver.answer = (_, response) => response.writeHead(503).end();
    await world.app.get(WebhookWorker).drain();
    receiver.answer = undefined;
    world.clock.advance(300_000);
    await world.app.get(WebhookWorker).drain();
    expect(new Set(textsOf('gathers'))).toEqual(new Set(['Status or quarantine of 3 tests changed']));
    const { id: webhookId } = await world.prisma.webhook.findFirstOrThrow({ where: { name: 'gathers' } });
    const written = await world.prisma.webhookDelivery.findMany({ where: { webhookId } });
    expect(written.map(({ state }) => state)).toEqual(Array(4).fill('delivered'));
    const last = receiver.messages.filter(({ path }) => path === '/hook/gathers').at(-1)!.text;
    expect(last).toMatch(/Quarantined: imports \d, imports \d, imports \d\. Not quarantined: imports \d\./);
  });
});
