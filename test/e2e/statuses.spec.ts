import { randomUUID } from 'node:crypto';
import { Rows } from './rows';
import { type Client, codeOf, wrongFields } from './client';
import { NOW, Service } from './service';

const REPO = { host: 'memory.example', owner: 'acme', name: 'widgets' };
const SHA = '0123456789abcdef0123456789abcdef01234567';
const REPORT = { repo: REPO, sha: SHA, context: 'tests', state: 'success' };

describe('A status', () => {
  let service: Service;
  let client: Client;
  let repositoryId: string;

  beforeAll(async () => {
    service = await Service.inMemory();
    const rows = new Rows(service.prisma, NOW);
    repositoryId = await rows.repository(await service.organization('acme'), 'widgets', 'acme', 'memory.example');
    await service.organization('other');
    client = await service.client('acme', 'status');
  });

  afterAll(() => service.stop());

  const stored = (name: string) => service.prisma.commitStatus.findMany({ where: { repositoryId, name } });

  it('may be reported for an unknown commit', async () => {
    const answer = await client.post('reportStatus', { ...REPORT, sha: SHA.toUpperCase(), description: 'fine' });
    const body = { sha: SHA, context: 'tests', state: 'success' };
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body });
    expect(await stored('tests')).toMatchObject([{ sha: SHA, kind: 'status', state: 'success', description: 'fine' }]);
  });

  it('is the state that was reported last, also for reports within the same millisecond', async () => {
    for (const state of ['pending', 'failure', 'pending', 'success', 'error']) {
      await client.post('reportStatus', { ...REPORT, context: 'lint', state });
    }
    expect(await stored('lint')).toMatchObject([{ state: 'error' }]);
  });

  it.each(['pending', 'SUCCESS', 'Failure', 'error', 'neutral', 'skipped', 'cancelled'])(
    'may have the state %s',
    async (state) => {
      expect((await client.post('reportStatus', { ...REPORT, state })).body.state).toBe(state.toLowerCase());
    },
  );

  it.each([
    ['state', 'timed_out'],
    ['state', ''],
    ['state', 7],
    ['state', undefined],
    ['sha', SHA.slice(1)],
    ['sha', undefined],
    ['context', ''],
    ['context', 'x'.repeat(256)],
    ['context', 'a\u0000b'],
    ['url', 'javascript:alert(1)'],
    ['url', 7],
    ['description', ''],
    ['description', null],
    ['repo', undefined],
  ])('cannot have the %s %j', async (field, value) => {
    expect(Object.keys(wrongFields(await client.post('reportStatus', { ...REPORT, [field]: value })))).toContain(field);
  });

  it('is refused for an unassigned repository, or for a repository of another organization', async () => {
    const other = await service.client('other', 'status');
    expect(codeOf(await other.post('reportStatus', REPORT))).toBe('404 REPOSITORY_NOT_FOUND');
    expect(codeOf(await client.post('reportStatus', { ...REPORT, repo: { ...REPO, name: 'x' } }))).toBe(
      '404 REPOSITORY_NOT_FOUND',
    );
  });

  it('of the built-in check runner has a log, which only its own organization can read', async () => {
    const id = randomUUID();
    const checkRun = {
      id,
      repositoryId,
      testRunId: randomUUID(),
      sha: SHA,
      name: 'tests',
      command: 'npm test',
      state: 'success',
    };
    await service.prisma.checkRun.create({ data: { ...checkRun, createdAt: NOW, log: '<b>grün</b>\n' } });
    const answer = await (await service.client('acme', 'read')).get(`checkRuns/${id}/log`);
    expect([answer.status, answer.text]).toEqual([200, '<b>grün</b>\n']);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(codeOf(await (await service.client('other', 'read')).get(`checkRuns/${id}/log`))).toBe('404 NOT_FOUND');
    for (const unknown of [randomUUID(), 'x', '%00'])
      expect(codeOf(await client.get(`checkRuns/${unknown}/log`))).toBe('404 NOT_FOUND');
    expect(codeOf(await service.anonymous().get(`checkRuns/${id}/log`))).toBe('401 AUTHENTICATION_REQUIRED');
  });
});
