import { codeOf, type Client } from './client';
import { NOW, Service } from './service';
import { Visitor } from './visitor';

const EVIL = '<script>alert(1)</script>"\'><img src=x onerror=alert(2)>';

describe('The pages of webhooks', () => {
  let service: Service;
  let admin: Client;
  let visitor: Visitor;

  beforeAll(async () => {
    service = await Service.inMemory();
    await service.organization('acme');
    await service.organization('other');
    admin = await service.client('acme', 'admin');
    visitor = new Visitor(service.url);
    await visitor.signIn(admin.token);
  });

  afterAll(() => service.stop());

  async function make(name: string): Promise<string> {
    const made = await admin.post('createWebhook', { name, url: 'https://hooks.example/very-secret-words' });
    expect(codeOf(made)).toBe('200');
    return (made.body as unknown as { webhook: { id: string } }).webhook.id;
  }

  it('show every webhook and every delivery with its result, and no secret', async () => {
    const id = await make(EVIL);
    const row = { webhookId: id, eventId: id, subject: 'queue', payload: { message: `Merged ${EVIL}.` } };
    const times = { createdAt: NOW, notBefore: NOW };
    const failed = { state: 'waiting', attempts: 3, lastStatus: 500, lastProblem: `answered 500: ${EVIL}` };
    for (let count = 0; count < 51; count++)
      await service.prisma.webhookDelivery.create({ data: { ...row, ...times, ...failed, type: 'merged' } });
    const list = await visitor.get('/ui/webhooks');
    expect(list.text).toContain(`<a href="/ui/webhooks/${id}">`);
    const shown = await visitor.get(`/ui/webhooks/${id}`);
    expect(shown.text).toContain('answered 500: &lt;script&gt;');
    expect(shown.text.match(/<tr data-row/g)).toHaveLength(50);
    const [, older = ''] = /rel="next" href="([^"]+)"/.exec(shown.text) ?? [];
    expect((await visitor.get(older)).text.match(/<tr data-row/g)).toHaveLength(1);
    for (const { status, text } of [list, shown]) {
      expect(status).toBe(200);
      expect(text).not.toContain('<script>alert');
      expect(text).not.toContain('<img src=x');
      expect(text).not.toContain('very-secret');
      expect(text).not.toContain('whsec_');
    }
  });

  it('show a new secret once, in the answer to its form; the same form sent again makes no other secret', async () => {
    const id = await make('rotated');
    const fields = { webhook: id, until: '' };
    const rotated = await visitor.post('/ui/webhooks/rotate', fields);
    expect([rotated.status, /whsec_[A-Za-z0-9+/=]{20,}/.test(rotated.text)]).toEqual([200, true]);
    expect(rotated.headers.get('cache-control')).toBe('no-store');
    const again = await visitor.post('/ui/webhooks/rotate', fields);
    expect([again.status, again.to]).toEqual([303, `/ui/webhooks/${id}?done=already_rotated`]);
    const shown = await visitor.get(again.to);
    expect(shown.text).toContain('Nothing was done');
    expect(shown.text).not.toContain('whsec_');
  });

  it('show next to the field why a webhook was not created, and keep the typed values', async () => {
    await make('taken');
    const typed = { name: 'taken', url: 'https://hooks.example/x', kind: 'slack', 'event.merged': 'yes' };
    const { status, text } = await visitor.post('/ui/webhooks/create', typed);
    expect(status).toBe(400);
    expect(text).toMatch(/id="webhook-name-problem">\s*It must not be the name of another webhook/);
    expect(text).toMatch(/<option value="slack" selected>/);
    expect(text.match(/checked/g)).toHaveLength(1);
  });

  it('are for administrators of the organization only, and only they get a link to these pages', async () => {
    const id = await make('theirs');
    const reader = new Visitor(service.url);
    await reader.signIn((await service.client('acme', 'read')).token);
    expect((await reader.get('/ui/webhooks')).status).toBe(403);
    expect((await reader.get(`/ui/webhooks/${id}`)).status).toBe(403);
    expect((await reader.get('/ui')).text).not.toContain('/ui/webhooks');
    expect((await visitor.get('/ui')).text).toContain('/ui/webhooks');
    const stranger = new Visitor(service.url);
    await stranger.signIn((await service.client('other', 'admin')).token);
    expect((await stranger.get(`/ui/webhooks/${id}`)).status).toBe(404);
    expect((await stranger.get('/ui/webhooks')).text).toContain('No webhooks');
    expect((await visitor.get('/ui/webhooks/x')).status).toBe(404);
  });
});
