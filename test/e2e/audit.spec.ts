import { Logger } from '@nestjs/common';
import { runSluice } from '../../src/cli/run-sluice';
import { AuditLogWriter } from '../../src/platform/audit/audit-log.writer';
import type { AuditItem } from '../../src/modules/audit/dto/audit.dto';
import { createOrganization } from '../../src/platform/auth/organizations';
import { rotateToken } from '../../src/platform/auth/rotate-token';
import { createToken, revokeToken } from '../../src/platform/auth/tokens';
import { testCaseId } from '../../src/modules/test-health/rules/test-identity';
import { Client, codeOf } from './client';
import { Rows } from './rows';
import { NOW, Service } from './service';

const HOST = 'memory.example';
const WIDGETS = { host: HOST, owner: 'acme', name: 'widgets' };
const GADGETS = { host: HOST, owner: 'acme', name: 'gadgets' };
const OPERATOR = { actor: 'ops', channel: 'command_line', address: null } as const;

interface Answered {
  readonly items: readonly AuditItem[];
  readonly nextCursor: string | null;
}

describe('The audit log', () => {
  let service: Service;
  let admin: Client;
  let ids: Record<'widgets' | 'gadgets', string>;
  let organizationId: string;

  beforeEach(async () => {
    service = await Service.inMemory();
    organizationId = await service.organization('acme');
    const rows = new Rows(service.prisma, NOW);
    const add = (name: string) => rows.repository(organizationId, name, 'acme', HOST);
    ids = { widgets: await add('widgets'), gadgets: await add('gadgets') };
    for (const name of ['widgets', 'gadgets', 'claimed']) service.memory.repository('acme', name);
    admin = await service.client('acme', 'admin');
    service.clock.advance(1_000);
  });

  afterEach(() => service.stop());

  const change = async (operation: string, body: object, repo = WIDGETS): Promise<string> =>
    codeOf(await admin.post(operation, { repo, targetBranch: 'main', ...body }));

  const read = async (client = admin, query = ''): Promise<Answered> => {
    const answer = await client.get(`audit${query}`);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.body as unknown as Answered;
  };

  /** All records of the audit log after the set-up, the oldest first. */
  const recorded = async () => {
    const { items } = await read(admin, `?since=${encodeURIComponent(new Date(NOW.getTime() + 1).toISOString())}`);
    return items
      .map(({ actor, channel, action, subject, from, to }) => ({ actor, channel, action, subject, from, to }))
      .reverse();
  };

  it('names who created, changed and deleted a queue, with time, changes and IP address', async () => {
    await change('createQueue', { concurrency: 2 });
    service.clock.advance(1_000);
    await change('updateQueue', { concurrency: 3, mergeMethod: 'rebase', enqueueingLabel: 'go', mode: 'parallel' });
    await change('updateQueue', { state: 'paused' });
    await change('deleteQueue', {});
    const who = { actor: 'admin of acme', channel: 'api', subject: 'memory.example/acme/widgets main' };
    const all = await recorded();
    expect(all).toEqual([
      { ...who, action: 'queue.created', from: null, to: expect.objectContaining({ concurrency: 2 }) as object },
      {
        ...who,
        action: 'queue.updated',
        from: { concurrency: 2, mergeMethod: 'squash', enqueueingLabel: 'sluice-merge-queue-submit', mode: 'single' },
        to: { concurrency: 3, mergeMethod: 'rebase', enqueueingLabel: 'go', mode: 'parallel' },
      },
      { ...who, action: 'queue.updated', from: { state: 'running' }, to: { state: 'paused' } },
      { ...who, action: 'queue.deleted', from: {}, to: null },
    ]);
    const [newest] = (await read()).items;
    expect(newest).toMatchObject({ at: new Date(NOW.getTime() + 2_000).toISOString(), address: '127.0.0.1' });
  });

  it('has no entry for refused requests, nor for requests that changed nothing', async () => {
    await change('createQueue', {});
    const before = (await recorded()).length;
    expect(await change('createQueue', {})).toBe('409 QUEUE_ALREADY_EXISTS');
    expect(await change('updateQueue', { concurrency: 0 })).toBe('400 VALIDATION_FAILED');
    expect(await change('updateQueue', { concurrency: 1 })).toBe('200');
    service.memory.repository('acme', 'widgets').openPullRequest(1);
    await change('submitPullRequest', { pr: { number: 1 } });
    expect(await change('deleteQueue', {})).toBe('409 QUEUE_HAS_ACTIVE_ENTRIES');
    expect(await recorded()).toHaveLength(before);
  });

  it('has the assignment of a repository to the first organization that creates a queue for it', async () => {
    await change('createQueue', {}, { ...WIDGETS, name: 'claimed' });
    expect((await recorded()).map(({ action, subject }) => [action, subject])).toEqual([
      ['repository.claimed', 'memory.example/acme/claimed'],
      ['queue.created', 'memory.example/acme/claimed main'],
    ]);
  });

  it('has changes of organizations and tokens, but no secrets', async () => {
    const { prisma, clock } = service;
    await createOrganization(prisma, { slug: 'other' }, clock.now(), OPERATOR);
    const named = { organizationSlug: 'acme', name: 'ci' };
    const limits = { role: 'ci', repositoryIds: [ids.widgets], bestPriority: 100 } as const;
    const { token } = await createToken(prisma, { ...named, ...limits }, clock.now(), OPERATOR);
    const rotated = await rotateToken(prisma, named, clock.now(), OPERATOR);
    for (let times = 0; times < 2; times++) await revokeToken(prisma, named, clock.now(), OPERATOR);
    const who = { actor: 'ops', channel: 'command_line', subject: 'ci' };
    expect(await recorded()).toMatchObject([
      { ...who, action: 'token.created', to: { ...limits, expiresAt: expect.any(String) as string } },
      { ...who, action: 'token.rotated', to: { previousUntil: expect.any(String) as string } },
      { ...who, action: 'token.revoked' },
    ]);
    const everything = JSON.stringify(await prisma.$queryRaw`SELECT to_jsonb(a) FROM "AuditEvent" a`);
    expect(everything).toContain('organization.created');
    for (const { hash } of await prisma.apiToken.findMany()) expect(everything).not.toContain(hash);
    expect([token, rotated.token].some((secret) => everything.includes(secret))).toBe(false);
  });

  it('has changes of test settings, quarantine and mutes', async () => {
    const tests = { repo: WIDGETS, org_url_slug: 'acme' };
    const ofTests = async (operation: string, body: object) =>
      codeOf(await admin.post(`flaky-tests/${operation}`, { ...tests, ...body }));
    const query = new URLSearchParams({
      org_url_slug: 'acme',
      repo: `${HOST}/acme/widgets`,
      commit: 'a'.repeat(40),
    }).toString();
    const report = '<testsuite><testcase name="turns"/></testsuite>';
    await admin.send('POST', `flaky-tests/upload-results?${query}`, report, { 'content-type': 'application/xml' });
    const id = testCaseId(ids.widgets, { file: '', classname: '', parent: '', name: 'turns', variant: '' });
    const test = { test_case_id: id, reason: 'known' };
    expect(await ofTests('update-settings', { quarantine_enabled: true })).toBe('200');
    expect(await ofTests('update-settings', { quarantine_enabled: true })).toBe('200');
    expect(await ofTests('set-quarantine', { ...test, setting: 'always_quarantine' })).toBe('200');
    expect(await ofTests('mute-monitor', { ...test, monitor: 'pass_on_retry' })).toBe('200');
    expect(await ofTests('unmute-monitor', { test_case_id: id, monitor: 'pass_on_retry' })).toBe('200');
    expect((await recorded()).map(({ action, from, to }) => [action, from, to])).toEqual([
      ['test_settings.updated', { quarantine_enabled: false }, { quarantine_enabled: true }],
      [
        'quarantine.set',
        { setting: 'unspecified', quarantined: false },
        { setting: 'always_quarantine', quarantined: true, reason: 'known' },
      ],
      ['monitor.muted', { muted: false, until: null }, { muted: true, until: null }],
      ['monitor.unmuted', { muted: true, until: null }, { muted: false, until: null }],
    ]);
  });

  it('has direct merges, with the name of the submitter', async () => {
    await change('createQueue', { directMergeMode: 'always', requiredStatuses: ['tests'] });
    const place = service.memory.repository('acme', 'widgets');
    const head = place.openPullRequest(1);
    await admin.post('reportStatus', { repo: WIDGETS, sha: head, context: 'tests', state: 'success' });
    await service.settles();
    const before = place.tip('main').commit;
    await change('submitPullRequest', { pr: { number: 1 } });
    await service.settles();
    expect(place.tip('main').commit).not.toBe(before);
    expect((await recorded()).at(-1)).toEqual({
      actor: 'admin of acme',
      channel: 'service',
      action: 'pull_request.merged_directly',
      subject: 'memory.example/acme/widgets#1 main',
      from: { tip: before },
      to: { tip: place.tip('main').commit },
    });
  });

  it('is readable for admins only, each for their own organization and within the limits of their token', async () => {
    await service.organization('other');
    for (const repo of [WIDGETS, GADGETS]) await change('createQueue', {}, repo);
    for (const role of ['read', 'ci', 'status', 'submit'] as const)
      expect(codeOf(await (await service.client('acme', role)).get('audit'))).toBe('403 INSUFFICIENT_PERMISSIONS');
    const other = await read(await service.client('other', 'admin'));
    expect(other.items.map(({ subject }) => subject)).toEqual(['admin of other', 'other']);
    const limits = { name: 'limited', role: 'admin', repositoryIds: [ids.gadgets] } as const;
    const { token } = await createToken(service.prisma, { organizationSlug: 'acme', ...limits }, NOW);
    const limited = await read(new Client(service.url, token));
    expect(limited.items.map(({ subject }) => subject)).toEqual(['memory.example/acme/gadgets main']);
  });

  it('can be read page by page, and for a range of time', async () => {
    await change('createQueue', {});
    for (let concurrency = 2; concurrency <= 6; concurrency++) {
      service.clock.advance(1_000);
      await change('updateQueue', { concurrency });
    }
    const values = ({ items }: Answered) => items.map(({ to }) => (to as { concurrency: number }).concurrency);
    const first = await read(admin, '?take=2');
    const second = await read(admin, `?take=2&cursor=${first.nextCursor}`);
    expect([values(first), values(second)]).toEqual([
      [6, 5],
      [4, 3],
    ]);
    const [since, until] = [3, 5].map((seconds) => new Date(NOW.getTime() + seconds * 1_000).toISOString());
    expect(await read(admin, `?since=${since}&until=${until}`)).toMatchObject({ nextCursor: null });
    expect(values(await read(admin, `?since=${since}&until=${until}`))).toEqual([4, 3]);
    for (const wrong of [
      'take=0',
      'take=101',
      'take=x',
      'cursor=x',
      'cursor=-1',
      'since=yesterday',
      'until=2026-02-30T00:00:00Z',
    ])
      expect(codeOf(await admin.get(`audit?${wrong}`))).toBe('400 VALIDATION_FAILED');
  });

  it.each([
    ['changed', 'UPDATE "AuditEvent" SET "actor" = \'nobody\''],
    ['deleted', 'DELETE FROM "AuditEvent"'],
    ['emptied', 'TRUNCATE "AuditEvent"'],
  ])('cannot be %s, not even by SQL in the database', async (_, statement) => {
    const before = await service.prisma.auditEvent.findMany();
    await expect(service.prisma.$executeRawUnsafe(statement)).rejects.toThrow('The audit log is append-only');
    expect(before.length).toBeGreaterThan(1);
    expect(await service.prisma.auditEvent.findMany()).toEqual(before);
  });

  it('is copied into the service log once, by the first process', async () => {
    const lines: unknown[] = [];
    const log = jest.spyOn(Logger.prototype, 'log').mockImplementation((line: unknown) => void lines.push(line));
    const writer = service.app.get(AuditLogWriter);
    await Promise.all([writer.copyToLog(), writer.copyToLog()]);
    await change('createQueue', {});
    await writer.copyToLog();
    await writer.copyToLog();
    log.mockRestore();
    const copied = lines.filter((line) => (line as { audit?: string }).audit !== undefined) as {
      readonly action: string;
      readonly message: string;
    }[];
    expect(copied.map(({ action }) => action).sort()).toEqual([
      'organization.created',
      'queue.created',
      'token.created',
    ]);
    expect(copied.at(-1)?.message).toBe('admin of acme: queue.created memory.example/acme/widgets main');
  });

  it('is shown by `sluice audit`, and for all organizations by `sluice audit --all`', async () => {
    await service.organization('other');
    await change('createQueue', {});
    const said: string[] = [];
    const terminal = { out: (text: string) => void said.push(text), err: (text: string) => void said.push(text) };
    const run = (...args: string[]) => runSluice(['audit', ...args], { ...terminal, columns: undefined });
    expect(await run('--url', service.url, '--token', admin.token!)).toBe(0);
    expect(said.join('')).toMatch(
      /admin of acme +127\.0\.0\.1 +queue\.created +memory\.example\/acme\/widgets main +null -> \{/,
    );
    expect(said.join('')).not.toContain('other');
    expect(await run('--all', '--json', '--take', '100')).toBe(0);
    const { items } = JSON.parse(said.at(-1)!) as Answered;
    const made = items.filter(({ action }) => action === 'organization.created').map(({ subject }) => subject);
    expect(made).toEqual(['other', 'acme']);
  });
});
