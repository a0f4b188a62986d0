import { revokeToken } from '../../src/platform/auth/tokens';
import { QueueChanges } from '../../src/modules/views/queue-changes';
import type { QueuePicture } from '../../src/modules/views/queue-picture.dto';
import { readConfig } from '../../src/platform/config/read-config';
import { startApplication } from '../support/application';
import { RecordingLogger } from '../support/recording-logger';
import type { Answer, Client } from './client';
import { EventStream } from './event-stream';
import { Service } from './service';
import { Visitor } from './visitor';

const REPO = { host: 'memory.example', owner: 'acme', name: 'widgets' };
const MAIN = { repo: REPO, targetBranch: 'main' };
const QUESTION = '?repo=memory.example%2Facme%2Fwidgets&branch=main';

describe('Live pages', () => {
  let service: Service;
  let admin: Client;
  let visitor: Visitor;
  const streams: EventStream[] = [];

  beforeEach(async () => {
    service = await Service.inMemory({ rateLimitPerMinute: 0 });
    await service.organization('acme');
    admin = await service.client('acme', 'admin');
    service.memory.repository('acme', 'widgets');
    await admin.post('createQueue', { ...MAIN, requiredStatuses: ['unit'] });
    await service.settles();
    visitor = new Visitor(service.url);
    await visitor.signIn((await service.client('acme', 'read')).token);
  });
  afterEach(async () => {
    for (const stream of streams.splice(0)) stream.close();
    await service.stop();
  });

  async function listen(url = service.url, question = QUESTION): Promise<EventStream> {
    const stream = await EventStream.open(`${url}/ui/live${question}`, visitor.cookie());
    streams.push(stream);
    return stream;
  }
  const version = async () => ((await admin.post('getQueuePicture', MAIN)).body as unknown as QueuePicture).version;

  async function submit(number: number): Promise<Answer> {
    service.memory.repository('acme', 'widgets').openPullRequest(number);
    const answer = await admin.post('submitPullRequest', { ...MAIN, pr: { number } });
    await service.settles();
    return answer;
  }

  it('get each version of the queue from the stream; the page itself names the version that it shows', async () => {
    const stream = await listen();
    expect(stream.response.status).toBe(200);
    expect(stream.response.headers.get('content-type')).toContain('text/event-stream');
    expect(stream.response.headers.get('x-accel-buffering')).toBe('no');
    expect(stream.response.headers.get('cache-control')).toBe('no-store, no-transform');
    const before = await version();
    expect(await stream.next()).toEqual({ event: 'version', data: String(before) });
    const { text } = await visitor.get(`/ui/queue${QUESTION}`);
    expect(text).toContain(`data-live="/ui/live${QUESTION.replace('&', '&amp;')}"`);
    expect(text).toContain(`data-version="${before}"`);
    await submit(1);
    // One read may cover several decisions.
    let told;
    do told = await stream.next();
    while (Number(told?.data) < (await version()));
    expect(await version()).toBeGreaterThan(before);
  });

  it.each(['/ui/queue', '/ui/pull-request', '/ui/history'])('%s names the same version as the stream', async (path) => {
    await submit(1);
    const { text } = await visitor.get(`${path}${QUESTION}&number=1`);
    expect(text).toContain(`data-live="/ui/live${QUESTION.replace('&', '&amp;')}"`);
    expect(text).toContain(`data-version="${await version()}"`);
  });

  it.each(['', '?repo=memory.example%2Facme%2Fwidgets'])(
    'the list of queues (/ui%s) has one version, which changes when a queue decides, is created or is deleted',
    async (question) => {
      await submit(1);
      const shown = async () => /data-version="([^"]+)"/.exec((await visitor.get(`/ui${question}`)).text)![1];
      const stream = await listen(service.url, question);
      expect(await stream.next()).toEqual({ event: 'version', data: await shown() });
      const next = { ...MAIN, targetBranch: 'next' };
      const { branches } = service.memory.repository('acme', 'widgets');
      branches.set('next', branches.get('main')!);
      const changes = [
        () => submit(2),
        () => admin.post('createQueue', { ...next, requiredStatuses: ['unit'] }),
        () => admin.post('deleteQueue', next),
      ];
      for (const change of changes) {
        const before = await shown();
        expect(await change()).toMatchObject({ status: 200 });
        await service.settles();
        const after = await shown();
        expect(after).not.toBe(before);
        let told;
        do told = await stream.next();
        while (told?.data !== after);
      }
    },
  );

  it('attack: the version of the list of queues reveals nothing about queues that the session may not see', async () => {
    await service.organization('other');
    const stranger = new Visitor(service.url);
    await stranger.signIn((await service.client('other', 'admin')).token);
    const theirs = await EventStream.open(`${service.url}/ui/live`, stranger.cookie());
    streams.push(theirs);
    const first = await theirs.next();
    const ours = await listen(service.url, '');
    expect((await ours.next())?.data).not.toBe(first?.data);
    expect(first?.data).toBe(/data-version="([^"]+)"/.exec((await stranger.get('/ui')).text)![1]);
    expect((await stranger.get('/ui/live?repo=memory.example/acme/widgets')).status).toBe(404);
  });

  it.each([
    ['/ui/live', () => ({ cookie: `sluice_session=${visitor.cookie()}` })],
    ['/v1/events', () => ({ 'x-api-token': admin.token! })],
  ])('a HEAD request for %s is answered, and opens no stream', async (path, headers) => {
    const answer = await fetch(service.url + path, { method: 'HEAD', headers: headers() });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(await answer.text()).toBe('');
    expect(service.app.get(QueueChanges).count).toBe(0);
  });

  it('get the version also when another instance on the same database decides', async () => {
    const environment = readConfig({ DATABASE_URL: process.env.DATABASE_URL, SLUICE_LOG_LEVEL: 'silent' });
    const parts = { config: environment, clock: service.clock, logger: new RecordingLogger() };
    const other = await startApplication({ ...parts, memory: service.memoryAdapter });
    try {
      const stream = await listen(other.url);
      const before = await stream.next();
      await submit(1);
      const after = await stream.next();
      expect(Number(after?.data)).toBeGreaterThan(Number(before?.data));
    } finally {
      await other.app.close();
    }
  });

  it('need one SQL statement a second for 50 streams, and none without a stream', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => listen()));
    await Promise.all(all.map((stream) => stream.next()));
    const asked = jest.spyOn(service.prisma, '$queryRaw');
    const ofStreams = () => asked.mock.calls.filter(([text]) => JSON.stringify(text).includes('living')).length;
    const began = performance.now();
    await service.prisma.queue.updateMany({ data: { version: { increment: 1 } } });
    await Promise.all(all.map((stream) => stream.next()));
    const seconds = (performance.now() - began) / 1000;
    expect(ofStreams()).toBeGreaterThanOrEqual(1);
    expect(ofStreams()).toBeLessThanOrEqual(seconds + 1);
    for (const stream of all) stream.close();
    const changes = service.app.get(QueueChanges);
    while (changes.count > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(changes.count).toBe(0);
    asked.mockRestore();
  });

  it('attack: a stream ends when its session ends, its token is revoked, or its queue is deleted', async () => {
    const signedOut = await listen();
    await signedOut.next();
    await visitor.post('/ui/sign-out', {});
    expect(await signedOut.next()).toEqual({ event: 'end', data: 'the session ended' });
    expect(await signedOut.next()).toBeNull();
    await visitor.signIn((await service.client('acme', 'submit')).token);
    const revoked = await listen();
    await revoked.next();
    const which = { organizationSlug: 'acme', name: 'submit of acme' };
    await revokeToken(service.prisma, which, service.clock.now());
    expect(await revoked.next()).toEqual({ event: 'end', data: 'the session ended' });
    await visitor.signIn(admin.token);
    const gone = await listen();
    await gone.next();
    await admin.post('deleteQueue', MAIN);
    await service.settles();
    let last = await gone.next();
    while (last?.event === 'version') last = await gone.next();
    expect(last).toEqual({ event: 'end', data: 'the queue is gone' });
  });

  it('attack: no stream opens without a session, or for a queue that its token may not see', async () => {
    expect((await new Visitor(service.url).get(`/ui/live${QUESTION}`)).status).toBe(303);
    await service.organization('other');
    const stranger = new Visitor(service.url);
    await stranger.signIn((await service.client('other', 'admin')).token);
    expect((await stranger.get(`/ui/live${QUESTION}`)).status).toBe(404);
  });
});
