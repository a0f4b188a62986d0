import { ServiceProcesses } from '../../src/platform/health/service-processes';
import { serviceBuild, serviceVersion } from '../../src/platform/service-version';
import { sluice } from './guide';
import { codeOf } from './client';
import { Service } from './service';
import { Visitor } from './visitor';

interface Answer {
  readonly processes: readonly Readonly<Record<string, unknown>>[];
  readonly differingSettings: readonly string[];
}

describe('listProcesses', () => {
  let service: Service;

  beforeEach(async () => {
    service = await Service.inMemory();
    await service.organization('acme');
    await service.app.get(ServiceProcesses).beat();
  });
  afterEach(() => service.stop());

  /** Records another process of the service with these settings, which was last seen this long ago. */
  async function another(settings: object, secondsAgo: number): Promise<void> {
    await service.prisma.$executeRaw`
      INSERT INTO "ServiceProcess" ("id", "machine", "pid", "version", "node", "settings", "facts", "startedAt", "seenAt")
      SELECT gen_random_uuid(), 'other', 7, '0.0.9', "node", "settings" || ${JSON.stringify(settings)}::jsonb, '{}',
        "startedAt", clock_timestamp() - ${secondsAgo} * interval '1 second' FROM "ServiceProcess" LIMIT 1`;
  }

  async function list(): Promise<Answer> {
    const answer = await (await service.client('acme', 'admin')).get('processes');
    expect(answer.status).toBe(200);
    return JSON.parse(answer.text) as Answer;
  }

  it('shows version, settings and last activity of each process, and the settings that differ', async () => {
    await another({ SLUICE_BRAND: 'acme', SLUICE_LOG_LEVEL: 'debug' }, 3);
    await another({ SLUICE_MAX_BATCH: '7' }, 60);
    const { processes, differingSettings } = await list();
    expect(processes.map(({ version, alive }) => [version, alive])).toEqual(
      expect.arrayContaining([
        [serviceVersion(), true],
        ['0.0.9', true],
        ['0.0.9', false],
      ]),
    );
    expect(processes.at(-1)).toMatchObject({ machine: 'other', pid: 7, alive: false });
    // A difference in log settings is allowed, and settings of a stopped process do not count.
    expect(differingSettings).toEqual(['SLUICE_BRAND']);
    const own = processes.find(({ version }) => version === serviceVersion());
    expect(own).toMatchObject(serviceBuild());
    expect(processes.at(-1)).toMatchObject({ version: '0.0.9', commit: null, sources: null, builtAt: null });
    expect(own!.settings).toMatchObject({ SLUICE_BRAND: 'sluice', DATABASE_URL: '[hidden]' });
  });

  it('names no machine and no setting if several organizations share the service', async () => {
    await another({ SLUICE_BRAND: 'acme' }, 3);
    await service.organization('other');
    const { processes, differingSettings } = await list();
    expect(processes).toHaveLength(2);
    for (const process of processes) expect(process).toMatchObject({ machine: null, pid: null, settings: null });
    expect(differingSettings).toEqual(['SLUICE_BRAND']);
  });

  it('answers administrators only', async () => {
    for (const role of ['read', 'ci', 'status', 'submit'] as const) {
      expect(codeOf(await (await service.client('acme', role)).get('processes'))).toBe('403 INSUFFICIENT_PERMISSIONS');
    }
    expect(codeOf(await service.anonymous().get('processes'))).toBe('401 AUTHENTICATION_REQUIRED');
  });

  it('is also the command `sluice processes`', async () => {
    await another({ SLUICE_BRAND: 'acme' }, 3);
    const { token } = await service.client('acme', 'admin');
    const { exit, out } = await sluice('processes', '--url', service.url, '--token', token!);
    expect(exit).toBe(0);
    expect(out).toMatch(/^PROCESS +VERSION +SINCE +LAST SEEN$/m);
    expect(out).toMatch(/^7 on other +0\.0\.9 .* runs$/m);
    expect(out).toContain('The processes have different values of SLUICE_BRAND.');
  });

  it('is also on the page with all queues, for administrators', async () => {
    const admin = await service.client('acme', 'admin');
    const repo = { host: 'memory.example', owner: 'acme', name: 'widgets' };
    service.memory.repository('acme', 'widgets');
    expect((await admin.post('createQueue', { repo, targetBranch: 'main' })).status).toBe(200);
    await another({ SLUICE_BRAND: 'acme' }, 3);
    const pageOf = async (role: 'admin' | 'submit') => {
      const visitor = new Visitor(service.url);
      const { token } = role === 'admin' ? admin : await service.client('acme', role);
      await visitor.signIn(token);
      return (await visitor.get('/ui')).text.replaceAll(/\s+/g, ' ');
    };
    const page = await pageOf('admin');
    expect(page).toContain('The processes have different values of SLUICE_BRAND.');
    expect(page).toMatch(/7 on other<\/td> <td class="inline" data-l="version">0\.0\.9</);
    expect(await pageOf('submit')).not.toContain('Processes of the service');
  });
});
