import type { MemoryRepository } from '../../src/code-hosts/memory/memory-repository';
import type { QueuePicture } from '../../src/modules/views/queue-picture.dto';
import type { Client } from './client';
import { Service } from './service';
import { Visitor } from './visitor';

const REPO = { host: 'memory.example', owner: 'acme', name: 'widgets' };
const MAIN = { repo: REPO, targetBranch: 'main' };
const QUEUE = '/ui/queue?repo=memory.example/acme/widgets&branch=main';
const EVIL = '<script>alert(1)</script>" onmouseover="alert(2)';

describe('The page of a queue', () => {
  let service: Service;
  let host: MemoryRepository;
  let admin: Client;
  let visitor: Visitor;

  beforeAll(async () => {
    service = await Service.inMemory();
    host = service.memory.repository('acme', 'widgets');
    await service.organization('acme');
    await service.organization('other');
    admin = await service.client('acme', 'admin');
    await admin.post('createQueue', { ...MAIN, requiredStatuses: ['unit'], concurrency: 2 });
    for (const number of [1, 2, 3, 4]) host.openPullRequest(number, { title: `Change ${number}`, author: 'ada' });
    host.openPullRequest(5, { title: EVIL, author: EVIL, body: EVIL });
    for (const number of [1, 2, 3, 4, 5]) {
      await admin.post('submitPullRequest', { ...MAIN, pr: { number } });
      await service.settles();
    }
    visitor = new Visitor(service.url);
    await visitor.signIn((await service.client('acme', 'read')).token, { person: 'ada' });
    await report(1, 'success');
    await report(2, 'failure');
  });
  afterAll(() => service.stop());

  async function report(number: number, state: string): Promise<void> {
    const { body } = await admin.post('getMergeQueueTestingDetails', { ...MAIN, pr: { number } });
    await admin.post('reportStatus', {
      repo: REPO,
      sha: body.testBranchSha,
      context: 'unit',
      state,
      url: `https://ci.example/${number}`,
    });
    await service.settles();
  }

  const drawn = (text: string) => text.replaceAll(/\s+/g, ' ');

  it('says that the queue cannot decide if its decisions fail', async () => {
    await service.prisma.queue.updateMany({ data: { failures: 2, version: { increment: 1 } } });
    const stands = drawn((await visitor.get(QUEUE)).text);
    await service.prisma.queue.updateMany({ data: { failures: 0, version: { increment: 1 } } });
    expect(stands).toContain('The queue is blocked: its last 2 decisions failed, and it keeps retrying.');
    expect(drawn((await visitor.get(QUEUE)).text)).not.toContain('The queue is blocked');
  });

  it('draws every run with its base and its pull requests, as getQueuePicture answers them', async () => {
    const picture = (await admin.post('getQueuePicture', MAIN)).body as unknown as QueuePicture;
    const { status, text } = await visitor.get(QUEUE);
    expect(status).toBe(200);
    expect(picture.runs.length).toBeGreaterThan(0);
    for (const { number, baseSha, builtOn, members } of picture.runs) {
      const card = text.split('<article ').find((part) => part.includes(`>Run ${number}<`))!;
      const tree = [...card.matchAll(/<span\s+class="b (tipb|if|own)"[^>]*>(?:<bdi>([^<]*)<\/bdi>)?([^<]*)</g)].map(
        ([, kind, branch = '', what]) => `${kind} ${branch}${what}`,
      );
      expect(tree).toEqual([
        `tipb main ${baseSha.slice(0, 7)}`,
        ...builtOn.map((one) => `if #${one}`),
        ...members.map(({ prNumber }) => `own #${prNumber}`),
      ]);
    }
  });

  it('says what merged, what failed and what waits, with reasons', async () => {
    const text = drawn((await visitor.get(QUEUE)).text);
    expect(text).toMatch(/<li class="tip is-mine"/);
    expect(text).toContain('href="https://ci.example/2"');
    expect(text).toContain('data-number="2"');
    expect(text).toMatch(/<h1>\d in the queue: /);
    expect(text).toContain('waits for a free slot');
  });

  it('attack: escapes titles, authors and descriptions', async () => {
    for (const path of [QUEUE, '/ui/pull-request?repo=memory.example/acme/widgets&branch=main&number=5']) {
      const { status, text } = await visitor.get(path);
      expect([status, text.includes('<script>alert'), text.includes('" onmouseover="')]).toEqual([200, false, false]);
      expect(text).toContain('&lt;script&gt;alert(1)');
    }
  });

  it('has a story for each pull request, with the run that made it fail', async () => {
    const { status, text } = await visitor.get(
      '/ui/pull-request?repo=memory.example/acme/widgets&branch=main&number=2',
    );
    expect(status).toBe(200);
    expect(text.replaceAll(/href="[^"]*"/g, '')).not.toContain('https://ci.example/2');
    expect(text).toContain('href="https://ci.example/2"');
    expect(drawn(text)).toMatch(/verdict-box failed.*required status failed: .*unit.*Open the log.*What happened/);
  });

  it('opens the story of a pull request whose number is searched, and explains valid searches', async () => {
    const { to } = await visitor.get(`${QUEUE}&q=%23412`);
    expect(to).toBe('/ui/pull-request?repo=memory.example%2Facme%2Fwidgets&branch=main&number=412');
    expect((await visitor.get(to)).status).toBe(404);
    expect((await visitor.get(`${QUEUE}&q=discount`)).text).toContain(
      'Search by number: enter the number of a pull request.',
    );
  });

  it('is in the list of all queues; an empty list shows the first step', async () => {
    const { text } = await visitor.get('/ui');
    expect(text).toContain('/ui/queue?repo=memory.example%2Facme%2Fwidgets&amp;branch=main');
    const stranger = new Visitor(service.url);
    await stranger.signIn((await service.client('other', 'admin')).token);
    expect((await stranger.get('/ui')).text).toContain('No queue yet');
    expect((await stranger.get(QUEUE)).status).toBe(404);
  });

  it.each(['repo=memory.example/acme/widgets', 'repo=memory.example/acme/widgets&branch=refs/heads/x', 'branch=main'])(
    'names the parameter that the URL lacks: ?%s',
    async (question) => expect((await visitor.get(`/ui/queue?${question}`)).status).toBe(400),
  );

  it('has no button that changes anything if the token is read-only', async () => {
    const forms = [...(await visitor.get(QUEUE)).text.matchAll(/<form[^>]*method="post"[^>]*action="([^"]*)"/g)];
    expect(forms.map(([, action]) => action)).toEqual(['/ui/sign-out']);
  });
});
