import { storeSettings } from '../support/stored-settings';
import { statementsOf } from '../support/statements';
import { type Client, codeOf } from './client';
import { Rows } from './rows';
import { NOW, Service } from './service';

const HOST = 'memory.example';
const MAIN = { repo: { host: HOST, owner: 'acme', name: 'widgets' }, targetBranch: 'main' };
/** Settings as a future version of the service might have them. */
const NEWER = { quietHours: [{ from: '20:00' }], riskAtMost: null };

describe('A queue with settings of another version', () => {
  let service: Service;
  let admin: Client;

  beforeEach(async () => {
    service = await Service.inMemory();
    const rows = new Rows(service.prisma, NOW);
    await rows.repository(await service.organization('acme'), 'widgets', 'acme', HOST);
    service.memory.repository('acme', 'widgets');
    admin = await service.client('acme', 'admin');
    await admin.post('createQueue', { ...MAIN, concurrency: 2 });
  });

  afterEach(() => service.stop());

  const row = () => service.prisma.queue.findFirstOrThrow();
  const update = (body: object) => admin.post('updateQueue', { ...MAIN, ...body });

  it('keeps settings that only a newer version knows when an older version updates the queue', async () => {
    await storeSettings(service.prisma, NEWER);
    const { settings: before } = await row();
    const answer = await update({
      concurrency: 3,
      extensionEnabled: false,
      state: 'paused',
      pauseReason: 'release day',
    });
    expect(codeOf(answer)).toBe('200');
    expect(answer.body).not.toHaveProperty('quietHours');
    const changed = { concurrency: 3, extensionEnabled: false, pauseReason: 'release day' };
    expect((await row()).settings).toEqual({ ...(before as object), ...changed });
    expect((await row()).settings).toMatchObject(NEWER);
  });

  it('has the default of a setting that was added later, and stores the setting once a request names it', async () => {
    await service.prisma.$executeRaw`UPDATE "Queue" SET "settings" = '{"concurrency": 2}'`;
    const defaults = { concurrency: 2, mergeMethod: 'squash', enqueueingLabel: 'sluice-merge-queue-submit' };
    expect((await admin.post('getQueue', MAIN)).body).toMatchObject({ ...defaults, testingTimeoutMinutes: 300 });
    await update({ mergeMethod: 'rebase' });
    expect((await row()).settings).toEqual({ concurrency: 2, mergeMethod: 'rebase' });
  });

  it('stores settings of the engine and other settings together, by one statement', async () => {
    const statements = await statementsOf(() => update({ batch: true, extensionEnabled: false, statusReporters: [] }));
    const written = statements.filter(({ text }) => /UPDATE "Queue"[^]*SET[^]*"settings" =/.test(text));
    expect(written).toHaveLength(1);
    const patch = JSON.stringify({ batch: true, extensionEnabled: false, statusReporters: [] });
    expect(written[0]!.values).toContain(patch);
  });

  it('stores settings only if a request names a setting', async () => {
    const statements = await statementsOf(() => update({ state: 'paused' }));
    expect(statements.filter(({ text }) => text.includes('"settings" ='))).toEqual([]);
  });

  it('keeps all settings if an update is refused', async () => {
    const { settings: before } = await row();
    const refused = await update({ extensionEnabled: false, scheduling: 'flow', canOptimisticallyMerge: false });
    expect(codeOf(refused)).toBe('400 VALIDATION_FAILED');
    expect((await row()).settings).toEqual(before);
  });

  it('has one audit record for all changes of an update, without unchanged settings', async () => {
    const batchingRules = [{ targetPattern: 'docs/*', policy: 'isolate' }];
    await update({ batchingRules });
    await update({ batchingRules, concurrency: 5, extensionEnabled: false, mode: 'parallel' });
    const { items } = (await admin.get('audit')).body as unknown as { items: readonly { from: object; to: object }[] };
    expect(items[0]).toMatchObject({
      from: { concurrency: 2, extensionEnabled: true, mode: 'single' },
      to: { concurrency: 5, extensionEnabled: false, mode: 'parallel' },
    });
    expect(Object.keys(items[0]!.to)).toHaveLength(3);
  });
});
