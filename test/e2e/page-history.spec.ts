import { Service } from './service';
import { Visitor } from './visitor';

const MAIN = { repo: { host: 'memory.example', owner: 'acme', name: 'widgets' }, targetBranch: 'main' };
const QUEUE = 'repo=memory.example/acme/widgets&branch=main';
const EVIL = '<script>alert(1)</script>" onmouseover="alert(2)';

describe('The history page', () => {
  let service: Service;
  let visitor: Visitor;
  let day: string;

  beforeAll(async () => {
    service = await Service.inMemory();
    const host = service.memory.repository('acme', 'widgets');
    await service.organization('acme');
    const admin = await service.client('acme', 'admin');
    await admin.post('createQueue', { ...MAIN, requiredStatuses: ['unit'] });
    host.openPullRequest(1, { title: EVIL, author: EVIL });
    await admin.post('submitPullRequest', { ...MAIN, pr: { number: 1 } });
    await service.settles();
    await admin.post('cancelPullRequest', { ...MAIN, pr: { number: 1 } });
    await service.settles();
    visitor = new Visitor(service.url);
    await visitor.signIn((await service.client('acme', 'read')).token);
    day = service.clock.now().toISOString().slice(0, 10);
  });
  afterAll(() => service.stop());

  it('says why each pull request left the queue without a merge, and links to the day', async () => {
    const { status, text } = await visitor.get(`/ui/history?${QUEUE}`);
    expect(status).toBe(200);
    expect(text).toContain('Cancelled by an API client');
    expect(text).toContain(`&amp;day=${day}"`);
  });

  it('attack 13: escapes titles and authors of pull requests', async () => {
    const { text } = await visitor.get(`/ui/history/day?${QUEUE}&day=${day}`);
    expect(text).toContain('0 merged, 0 failed, 1 cancelled');
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot; onmouseover=&quot;alert(2)');
    expect(text).not.toContain('<script>alert');
  });

  it.each([`day=2026-02-30`, `day=${encodeURIComponent(EVIL)}`, ''])('refuses the day %j', async (asked) => {
    expect((await visitor.get(`/ui/history/day?${QUEUE}&${asked}`)).status).toBe(400);
  });
});
