import { randomUUID } from 'node:crypto';
import type { Client } from './client';
import { Rows } from './rows';
import { NOW, Service } from './service';
import { Visitor } from './visitor';

const EVIL = '<script>alert(1)</script>"\'><img src=x onerror=alert(2)>\u202egnp.exe';
const LONG = 'x'.repeat(300);

describe('The pages to which the service links', () => {
  let service: Service;
  let repositoryId: string;
  let reader: Client;
  let visitor: Visitor;
  let stranger: Visitor;

  beforeAll(async () => {
    service = await Service.inMemory();
    const rows = new Rows(service.prisma, NOW);
    repositoryId = await rows.repository(await service.organization('acme'), 'widgets', 'acme', 'memory.example');
    await service.organization('other');
    reader = await service.client('acme', 'read');
    visitor = new Visitor(service.url);
    stranger = new Visitor(service.url);
    await visitor.signIn(reader.token);
    await stranger.signIn((await service.client('other', 'admin')).token);
  });
  afterAll(() => service.stop());

  async function checkRun(more: object = {}): Promise<string> {
    const id = randomUUID();
    const sha = '0123456789abcdef0123456789abcdef01234567';
    const row = {
      id,
      repositoryId,
      testRunId: randomUUID(),
      sha,
      name: 'tests',
      command: 'npm test',
      state: 'failure',
    };
    await service.prisma.checkRun.create({ data: { ...row, createdAt: NOW, exitCode: 1, ...more } });
    return id;
  }

  async function testCase(more: object = {}): Promise<string> {
    const id = randomUUID();
    const names = { name: id, variant: '', filePath: '', parent: '', classname: '', codeowners: [] };
    const status = { status: 'flaky', statusReason: 'failed and passed on commit 51cc9e2', statusChangedAt: NOW };
    const quarantine = { quarantineSetting: 'unspecified', quarantined: false };
    await service.prisma.testCase.create({ data: { id, repositoryId, ...names, ...status, ...quarantine, ...more } });
    return id;
  }

  function expectHarmless(text: string): void {
    expect(text).not.toContain('<script>alert');
    expect(text).not.toContain('<img');
    expect(text).not.toContain(' onerror="');
    expect(text).not.toMatch(/ style="|<style|javascript:/);
  }

  it('show the log of a status, in the colours of a terminal', async () => {
    const id = await checkRun({ log: 'one\n\u001b[31mred\u001b[0m & <b>\n' });
    const { to } = await visitor.get(`/v1/checkRuns/${id}/log`);
    const page = await visitor.get(to);
    expect(page.status).toBe(200);
    expect(page.text).toContain('<span class="red">red</span> &amp; &lt;b&gt;');
    expect(page.text).toContain('Failed');
    const text = await visitor.get(`/ui/logs/${id}/text`);
    expect([text.status, text.text]).toEqual([200, 'one\n\u001b[31mred\u001b[0m & <b>\n']);
    expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  it('show the last 5,000 lines of a long log, with their numbers', async () => {
    const log = Array.from({ length: 5_002 }, (_, index) => `line ${index + 1}`).join('\n');
    const { text } = await visitor.get(`/ui/logs/${await checkRun({ log })}`);
    expect(text).toContain('the last 5,000 of 5,002 lines');
    expect(text).toContain('id="L5002"');
    expect(text).not.toContain('id="L2"');
  });

  it('show a test from the lists, and the lists themselves', async () => {
    const id = await testCase({
      name: 'opens the third picture',
      parent: 'Gallery',
      ticketUrl: 'https://tickets.example/1',
    });
    const asked = { repo: { host: 'memory.example', owner: 'acme', name: 'widgets' }, org_url_slug: 'acme' };
    const listed = await reader.post('flaky-tests/list-unhealthy-tests', {
      ...asked,
      status: 'FLAKY',
      page_query: { page_size: 9 },
    });
    const address = new URL(listed.body.tests.find((test) => test.id === id)!.html_url);
    const page = await visitor.get(address.pathname);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Gallery › opens the third picture');
    expect(page.text).toContain('Failed and passed on commit 51cc9e2');
    expect(page.text).toContain('href="https://tickets.example/1"');
    const list = await visitor.get('/ui/tests?repo=memory.example/acme/widgets');
    expect(list.text).toContain(`href="/ui/tests/${id}"`);
  });

  it('attack: escape texts written by other people', async () => {
    const log = `${EVIL}\n${LONG}`;
    expectHarmless((await visitor.get(`/ui/logs/${await checkRun({ name: EVIL, command: EVIL, log })}`)).text);
    const id = await testCase({
      ...{ name: EVIL, parent: LONG, classname: EVIL, filePath: EVIL, variant: EVIL, codeowners: [EVIL] },
      ...{ statusReason: EVIL, ticketUrl: 'javascript:alert(1)' },
    });
    const { text } = await visitor.get(`/ui/tests/${id}`);
    expectHarmless(text.replace('>javascript:alert(1)<', '><'));
    expectHarmless((await visitor.get('/ui/tests?repo=memory.example/acme/widgets&list=flaky')).text);
    for (const path of [
      '/ui/tests?repo=<script>alert(1)</script>',
      '/ui/tests/<script>alert(1)</script>',
      `/ui/${EVIL}`,
    ]) {
      expectHarmless((await visitor.get(encodeURI(path))).text);
    }
  });

  it('attack: answer for an object of another organization as for a missing object', async () => {
    const [log, test] = [await checkRun({ log: 'secret' }), await testCase()];
    const wordsOf = async (path: string) => {
      const { status, text } = await stranger.get(path);
      expect(text).not.toContain('secret');
      return [status, /<p class="lede outside">([^<]*)</.exec(text)?.[1]?.replaceAll(/[0-9a-f-]{36}/g, '…')];
    };
    const none = randomUUID();
    expect(await wordsOf(`/ui/logs/${log}`)).toEqual(await wordsOf(`/ui/logs/${none}`));
    expect(await wordsOf(`/ui/logs/${log}/text`)).toEqual(await wordsOf(`/ui/logs/${none}/text`));
    expect(await wordsOf(`/ui/tests/${test}`)).toEqual(await wordsOf(`/ui/tests/${none}`));
    expect((await stranger.get('/ui/tests?repo=memory.example/acme/widgets')).status).toBe(404);
    for (const path of ['/ui/logs/x', '/ui/logs/%00', '/ui/tests/x', '/ui/tests/%00']) {
      expect((await visitor.get(path)).status).toBe(404);
    }
  });

  it.each(['', '?repo=', '?repo=x', '?repo=a/b', '?repo=a/b/c&repo=a/b/d', '?repo[x]=a/b/c'])(
    'name the parameter that the URL lacks: /ui/tests%s',
    async (question) => {
      const { status, text } = await visitor.get(`/ui/tests${question}`);
      expect([status, text.includes('must name a repository: host/owner/name')]).toEqual([400, true]);
    },
  );

  it('have the same content as the API for a check run', async () => {
    const id = await checkRun({ startedAt: NOW, log: 'x' });
    const { status, body } = await reader.get(`checkRuns/${id}`);
    expect([status, body]).toMatchObject([
      200,
      { id, name: 'tests', command: 'npm test', state: 'failure', exitCode: 1 },
    ]);
    expect(body).toMatchObject({ targetBranch: null, runNumber: null, prNumbers: [], startedAt: NOW.toISOString() });
    expect((await reader.get(`checkRuns/${randomUUID()}`)).status).toBe(404);
  });
});
