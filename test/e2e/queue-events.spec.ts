import { readConfig } from '../../src/platform/config/read-config';
import { createToken, revokeToken } from '../../src/platform/auth/tokens';
import { QueueChanges } from '../../src/modules/views/queue-changes';
import { startApplication } from '../support/application';
import { RecordingLogger } from '../support/recording-logger';
import { Client, codeOf } from './client';
import { EventStream } from './event-stream';
import { Service } from './service';
import { Visitor } from './visitor';

const WIDGETS = { host: 'memory.example', owner: 'acme', name: 'widgets' };
const GADGETS = { ...WIDGETS, name: 'gadgets' };
const MAIN = { repo: WIDGETS, targetBranch: 'main' };
const OTHER = { repo: GADGETS, targetBranch: 'main' };
const ONE = '?repo=memory.example%2Facme%2Fwidgets&targetBranch=main';

interface Told {
  readonly repo: { readonly name: string };
  readonly targetBranch: string;
  readonly version: number;
}

describe('GET /v1/events', () => {
  let service: Service;
  let admin: Client;
  let reader: Client;
  const streams: EventStream[] = [];

  beforeEach(async () => {
    service = await Service.inMemory({ rateLimitPerMinute: 0 });
    await service.organization('acme');
    admin = await service.client('acme', 'admin');
    reader = await service.client('acme', 'read');
    for (const { repo } of [MAIN, OTHER]) service.memory.repository('acme', repo.name);
    for (const queue of [MAIN, OTHER]) await admin.post('createQueue', { ...queue, requiredStatuses: ['unit'] });
    await service.settles();
  });
  afterEach(async () => {
    for (const stream of streams.splice(0)) stream.close();
    await service.stop();
  });

  async function listen(query = '', token = reader.token!, url = service.url): Promise<EventStream> {
    const stream = await EventStream.withToken(`${url}/v1/events${query}`, token);
    streams.push(stream);
    return stream;
  }

  async function versionIn(stream: EventStream): Promise<Told> {
    const told = await stream.next();
    expect(told?.event).toBe('version');
    return JSON.parse(told!.data) as Told;
  }

  /** One event may report several decisions. */
  async function laterThan(stream: EventStream, before: number): Promise<Told> {
    let told;
    do told = await versionIn(stream);
    while (told.version <= before);
    return told;
  }

  async function submit(number: number): Promise<void> {
    service.memory.repository('acme', 'widgets').openPullRequest(number);
    await admin.post('submitPullRequest', { ...MAIN, pr: { number } });
    await service.settles();
  }

  it('begins with the version of every queue that the token may see, and sends each new version', async () => {
    const stream = await listen();
    expect(stream.response.status).toBe(200);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const first = [await versionIn(stream), await versionIn(stream)];
    expect(first.map(({ repo }) => repo.name).sort()).toEqual(['gadgets', 'widgets']);
    await submit(1);
    const before = first.find(({ repo }) => repo.name === 'widgets')!;
    expect(await laterThan(stream, before.version)).toMatchObject({ repo: WIDGETS, targetBranch: 'main' });
  });

  it('sends events of one queue only if the request names it, and ends when that queue is deleted', async () => {
    const stream = await listen(ONE);
    expect(await versionIn(stream)).toMatchObject(MAIN);
    await admin.post('deleteQueue', MAIN);
    await service.settles();
    let last = await stream.next();
    while (last?.event === 'version') last = await stream.next();
    expect(last).toEqual({ event: 'end', data: 'the queue is gone' });
    expect(await stream.next()).toBeNull();
  });

  it('sends deleted and new queues if the request names a repository or nothing, and continues', async () => {
    const stream = await listen('?repo=memory.example/acme/gadgets');
    expect(await versionIn(stream)).toMatchObject(OTHER);
    await admin.post('deleteQueue', OTHER);
    await service.settles();
    let told = await stream.next();
    while (told?.event === 'version') told = await stream.next();
    expect(told).toEqual({ event: 'gone', data: JSON.stringify(OTHER) });
    await admin.post('createQueue', OTHER);
    expect(await versionIn(stream)).toMatchObject(OTHER);
  });

  it('sends the version also when another instance on the same database decides', async () => {
    const environment = readConfig({ DATABASE_URL: process.env.DATABASE_URL, SLUICE_LOG_LEVEL: 'silent' });
    const parts = { config: environment, clock: service.clock, logger: new RecordingLogger() };
    const other = await startApplication({ ...parts, memory: service.memoryAdapter });
    try {
      const stream = await listen(ONE, reader.token, other.url);
      const { version } = await versionIn(stream);
      await submit(1);
      expect((await laterThan(stream, version)).version).toBeGreaterThan(version);
    } finally {
      await other.app.close();
    }
  });

  it('streams of tokens and of pages together need one SQL statement a second', async () => {
    const visitor = new Visitor(service.url);
    await visitor.signIn(reader.token);
    const page = `${service.url}/ui/live?repo=memory.example%2Facme%2Fwidgets&branch=main`;
    const all = await Promise.all([
      ...Array.from({ length: 10 }, () => listen(ONE)),
      ...Array.from({ length: 10 }, () => listen('?repo=memory.example/acme/widgets', admin.token)),
      ...Array.from({ length: 10 }, () => EventStream.open(page, visitor.cookie())),
    ]);
    streams.push(...all);
    await Promise.all(all.map((stream) => stream.next()));
    const asked = jest.spyOn(service.prisma, '$queryRaw');
    const ofStreams = () => asked.mock.calls.filter(([text]) => JSON.stringify(text).includes('living')).length;
    const began = performance.now();
    await service.prisma.queue.updateMany({ data: { version: { increment: 1 } } });
    await Promise.all(all.map((stream) => stream.next()));
    const seconds = (performance.now() - began) / 1000;
    expect(ofStreams()).toBeGreaterThanOrEqual(1);
    expect(ofStreams()).toBeLessThanOrEqual(seconds + 1);
    asked.mockRestore();
  });

  it('attack: ends when its token is revoked', async () => {
    const stream = await listen(ONE);
    await stream.next();
    await revokeToken(service.prisma, { organizationSlug: 'acme', name: 'read of acme' }, service.clock.now());
    expect(await stream.next()).toEqual({ event: 'end', data: 'the token is not valid any more' });
    expect(await stream.next()).toBeNull();
  });

  it('attack: sends no event of a queue that the token may not see', async () => {
    await service.organization('other');
    const stranger = await service.client('other', 'admin');
    expect(codeOf(await stranger.get(`events${ONE}`))).toBe('404 REPOSITORY_NOT_FOUND');
    const repository = await service.prisma.repository.findFirstOrThrow({ where: { name: 'gadgets' } });
    const request = { organizationSlug: 'acme', name: 'limited', role: 'read' } as const;
    const made = await createToken(service.prisma, { ...request, repositoryIds: [repository.id] }, service.clock.now());
    const limited = new Client(service.url, made.token);
    expect(codeOf(await limited.get(`events${ONE}`))).toBe('404 REPOSITORY_NOT_FOUND');
    const stream = await listen('', made.token);
    expect(await versionIn(stream)).toMatchObject(OTHER);
    await submit(1);
    const queue = await service.prisma.queue.findFirstOrThrow({ where: { repositoryId: repository.id } });
    await service.prisma.queue.update({ where: { id: queue.id }, data: { version: { increment: 1 } } });
    expect(await versionIn(stream)).toMatchObject(OTHER);
  });

  it('attack: refuses the 101st stream of a token until one has ended; other tokens are not affected', async () => {
    const all = await Promise.all(Array.from({ length: 100 }, () => listen(ONE)));
    const refused = await reader.get(`events${ONE}`);
    expect(codeOf(refused)).toBe('429 RATE_LIMIT_EXCEEDED');
    expect(refused.headers.get('retry-after')).toBe('30');
    expect((await listen(ONE, admin.token)).response.status).toBe(200);
    const changes = service.app.get(QueueChanges);
    const before = changes.count;
    all[0]!.close();
    while (changes.count === before) await new Promise((resolve) => setImmediate(resolve));
    expect((await listen(ONE)).response.status).toBe(200);
  });

  it.each(['?repo=widgets', '?targetBranch=main', '?repo=memory.example/acme/widgets&targetBranch=a..b'])(
    'refuses %s, which names no queue',
    async (query) => expect(codeOf(await reader.get(`events${query}`))).toBe('400 VALIDATION_FAILED'),
  );

  it('ends with an event of its own when the service stops', async () => {
    const stream = await listen();
    await stream.next();
    await stream.next();
    const stopped = service.app.get(QueueChanges);
    expect(stopped.count).toBe(1);
    const ended = service.app.close();
    expect(await stream.next()).toEqual({ event: 'end', data: 'the service stops' });
    expect(await stream.next()).toBeNull();
    await ended;
  });
});
