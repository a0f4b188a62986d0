import { runSluice } from '../../src/cli/run-sluice';
import { createToken } from '../../src/platform/auth/tokens';
import { Client, codeOf, wrongFields } from './client';
import { ALL_ROLES, REPO } from './operations';
import { Rows } from './rows';
import { NOW, Service } from './service';

const URL = 'https://hooks.example/services/T0/B0/very-secret-words';
const ID = '5b0c7a52-7c1e-4a39-9a55-0d7c0b7d9f11';

interface WebhookAnswer {
  readonly webhook: { readonly id: string; readonly address: string; readonly name: string };
  readonly webhooks: readonly { readonly name: string; readonly events: readonly string[] }[];
  readonly secret: string | null;
}

describe('Access to webhooks', () => {
  let service: Service;
  let admin: Client;
  let stranger: Client;
  let others: readonly Client[];
  let widgetsId: string;
  let made = 0;

  beforeAll(async () => {
    service = await Service.inMemory();
    const organization = await service.organization('acme');
    const rows = new Rows(service.prisma, NOW);
    widgetsId = await rows.repository(organization, 'widgets', 'acme', 'memory.example');
    await rows.repository(organization, 'gadgets', 'acme', 'memory.example');
    await service.organization('other');
    admin = await service.client('acme', 'admin');
    stranger = await service.client('other', 'admin');
    const roles = ALL_ROLES.filter((role) => role !== 'admin');
    others = await Promise.all(roles.map((role) => service.client('acme', role)));
  });

  afterAll(() => service.stop());

  const ask = async (client: Client, operation: string, body: object): Promise<WebhookAnswer> => {
    const answer = await client.post(operation, body);
    expect(answer.text).not.toMatch(/INTERNAL/);
    expect(answer.status).toBe(200);
    return answer.body as unknown as WebhookAnswer;
  };
  const make = (more: object = {}) => ask(admin, 'createWebhook', { name: `hook ${++made}`, url: URL, ...more });
  /** The fields of each operation's body besides the webhook's id. */
  const MORE: Readonly<Record<string, object>> = {
    updateWebhook: { paused: false },
    redeliverFailedWebhookDeliveries: { since: NOW.toISOString() },
  };
  const BY_ID = ['rotateWebhookSecret', 'testWebhook', 'listWebhookDeliveries', ...Object.keys(MORE), 'deleteWebhook'];

  it.each(['createWebhook', 'listWebhooks', 'redeliverWebhookDelivery', ...BY_ID])(
    '%s is for administrators only',
    async (operation) => {
      for (const client of others)
        expect(codeOf(await client.post(operation, {}))).toBe('403 INSUFFICIENT_PERMISSIONS');
      expect(others).toHaveLength(ALL_ROLES.length - 1);
      expect(codeOf(await service.anonymous().post(operation, {}))).toBe('401 AUTHENTICATION_REQUIRED');
    },
  );

  it.each(BY_ID)('%s finds no webhook of another organization or outside the limits of a token', async (operation) => {
    const { webhook } = await make();
    const limits = {
      organizationSlug: 'acme',
      name: `limited ${operation}`,
      role: 'admin',
      repositoryIds: [widgetsId],
    } as const;
    const limited = new Client(service.url, (await createToken(service.prisma, limits, NOW)).token);
    for (const client of [stranger, limited])
      expect(codeOf(await client.post(operation, { webhookId: webhook.id, ...MORE[operation] }))).toBe('404 NOT_FOUND');
    expect(codeOf(await admin.post(operation, { webhookId: ID, ...MORE[operation] }))).toBe('404 NOT_FOUND');
    const wrong = await admin.post(operation, { webhookId: 'x', ...MORE[operation] });
    expect(Object.keys(wrongFields(wrong))).toEqual(['webhookId']);
    expect((await admin.post(operation, { webhookId: webhook.id, ...MORE[operation] })).status).toBe(200);
  });

  it('a token that is limited to a repository creates and sees only webhooks of that repository', async () => {
    const limits = {
      organizationSlug: 'acme',
      name: 'widgets only',
      role: 'admin',
      repositoryIds: [widgetsId],
    } as const;
    const limited = new Client(service.url, (await createToken(service.prisma, limits, NOW)).token);
    await make({ repo: { ...REPO, name: 'gadgets' } });
    const refused = await limited.post('createWebhook', { name: 'all', url: URL });
    expect(wrongFields(refused)).toHaveProperty('repo');
    await ask(limited, 'createWebhook', { name: 'mine', url: URL, repo: REPO });
    const { webhooks } = await ask(limited, 'listWebhooks', {});
    expect(webhooks.map(({ name }) => name)).toEqual(['mine']);
  });

  it('a secret is shown once, and a secret in the URL is not shown in answers, lists, audit log or log', async () => {
    const { webhook, secret } = await make({ kind: 'slack' });
    const signed = await make();
    expect(secret).toBeNull();
    expect(signed.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook.address).toBe('https://hooks.example/…ords');
    await admin.post('rotateWebhookSecret', { webhookId: signed.webhook.id });
    await admin.post('deleteWebhook', { webhookId: webhook.id });
    const audit = await admin.get('audit');
    const listed = await admin.post('listWebhooks', {});
    expect(audit.text).toContain('webhook.created');
    expect(audit.text).toContain('webhook.rotated');
    expect(audit.text).toContain('webhook.deleted');
    for (const { text } of [audit, listed]) {
      expect(text).not.toContain('very-secret');
      expect(text).not.toContain('whsec_');
    }
  });

  it.each([
    ['name', { name: '' }],
    ['name', { name: 7 }],
    ['url', { url: 'ftp://hooks.example/' }],
    ['url', { url: 'https://user:word@hooks.example/' }],
    ['url', { url: 'hooks.example' }],
    ['kind', { kind: 'irc' }],
    ['events', { events: [] }],
    ['events', { events: ['merged', 'merged'] }],
    ['events', { events: ['landed'] }],
    ['people', { people: { octocat: 'U024BE7LH' } }],
    ['people', { kind: 'slack', people: { octocat: '!here' } }],
    ['people', { kind: 'mattermost', people: { octocat: 'channel' } }],
    ['people', { kind: 'discord', people: { octocat: '@everyone' } }],
    ['people', { kind: 'teams', people: { octocat: 'somebody' } }],
    ['people', { kind: 'slack', people: [] }],
    ['repo', { targetBranch: 'main' }],
  ])('createWebhook refuses a wrong %s: %j', async (field, wrong) => {
    const answer = await admin.post('createWebhook', { name: 'wrong', url: URL, ...wrong });
    expect(Object.keys(wrongFields(answer))).toEqual([field]);
  });

  it.each([
    ['name', { name: '' }],
    ['name', { name: 'is taken' }],
    ['url', { url: 'ftp://hooks.example/' }],
    ['description', { description: 'two\nlines' }],
    ['events', { events: [] }],
    ['people', { people: { octocat: '!channel' } }],
    ['paused', { paused: 'yes' }],
    ['gatherSeconds', { gatherSeconds: 3_601 }],
    ['gatherSeconds', { gatherSeconds: 1.5 }],
  ])('updateWebhook refuses a wrong %s: %j', async (field, wrong) => {
    if ('name' in wrong && wrong.name !== '') await make(wrong);
    const { webhook } = await make({ kind: 'slack' });
    const answer = await admin.post('updateWebhook', { webhookId: webhook.id, ...wrong });
    expect(Object.keys(wrongFields(answer))).toEqual([field]);
  });

  it('updateWebhook changes only the given fields, and the audit log has old and new values without the URL', async () => {
    const { webhook } = await make({ events: ['merged'] });
    const words = `${URL.slice(0, -4)}more-ords`;
    const changes = { url: words, description: 'for the shop', paused: true };
    const after = await ask(admin, 'updateWebhook', { webhookId: webhook.id, ...changes });
    expect(after.webhook).toMatchObject({ ...webhook, description: 'for the shop', paused: true });
    await ask(admin, 'updateWebhook', { webhookId: webhook.id, ...changes });
    const gathers = await admin.post('updateWebhook', { webhookId: webhook.id, gatherSeconds: 5 });
    expect(wrongFields(gathers)).toHaveProperty('gatherSeconds');
    const { text, body } = await admin.get(`audit?take=1`);
    expect(body).toMatchObject({
      items: [
        {
          action: 'webhook.updated',
          from: { address: 'https://hooks.example/…ords', description: '', paused: false },
          to: { address: 'https://hooks.example/…ords', description: 'for the shop', paused: true },
        },
      ],
    });
    expect(text).not.toContain('more-ords');
  });

  it('a delivery can be sent again only by naming its own webhook', async () => {
    const [one, two] = [await make(), await make()];
    const { deliveryId } = (await ask(admin, 'testWebhook', { webhookId: one.webhook.id })) as unknown as {
      deliveryId: string;
    };
    const again = (webhookId: string) => admin.post('redeliverWebhookDelivery', { webhookId, deliveryId });
    expect(codeOf(await again(two.webhook.id))).toBe('404 NOT_FOUND');
    expect((await again(one.webhook.id)).body).toEqual({ deliveryCount: 1 });
    const wrong = { webhookId: one.webhook.id, deliveryId: '42' };
    expect(Object.keys(wrongFields(await admin.post('redeliverWebhookDelivery', wrong)))).toEqual(['deliveryId']);
  });

  it('createWebhook refuses an existing name, and rotateWebhookSecret refuses a chat, which has no secret', async () => {
    const { webhook } = await make({ kind: 'discord', people: { octocat: '80351110224678912' } });
    const taken = await admin.post('createWebhook', { name: webhook.name, url: URL });
    expect(wrongFields(taken)).toHaveProperty('name');
    expect(wrongFields(await admin.post('rotateWebhookSecret', { webhookId: webhook.id }))).toHaveProperty('webhookId');
  });

  it('the command line creates, lists, tests, rotates and deletes webhooks by their names', async () => {
    const limits = { organizationSlug: 'acme', name: 'command line', role: 'admin' } as const;
    const { token } = await createToken(service.prisma, limits, NOW);
    const sluice = async (...args: string[]): Promise<string> => {
      let said = '';
      const terminal = { out: (text: string) => void (said += text), err: (text: string) => void (said += text) };
      const exit = await runSluice(['webhook', ...args, '--url', service.url, '--token', token], {
        ...terminal,
        columns: undefined,
      });
      return `${exit} ${said}`;
    };
    const person = ['--person', 'octocat=U024BE7LH', '--events', 'sent_back,merged'];
    const of = ['--repo', 'memory.example/acme/widgets', '--branch', 'main'];
    expect(await sluice('create', 'shop', URL, '--kind', 'slack', ...of, ...person)).toMatch(
      /^0 shop receives sent_back, merged\.\n\nNext: sluice webhook test shop\n$/,
    );
    expect(await sluice('create', 'bot', URL)).toMatch(/^0 bot receives submitted, .*\n.*not shown again:\n\nwhsec_/);
    expect(await sluice('list')).toMatch(
      /^shop +slack +memory\.example\/acme\/widgets main +0 +https:\/\/hooks\.example\/…ords/m,
    );
    expect(await sluice('test', 'bot')).toMatch(/^0 The test event of bot is being sent: msg_\d+\./);
    expect(await sluice('deliveries', 'bot')).toMatch(/ test +waiting +0 +not sent yet; again at .* This is a test/);
    expect(await sluice('redeliver', 'bot', '--failed-since', '2026-01-01')).toMatch(/^0 Nothing is sent again/);
    expect(await sluice('redeliver', 'bot')).toMatch(/^2 .*either a delivery or --failed-since/);
    const [delivery = ''] = /msg_\d+/.exec(await sluice('deliveries', 'bot')) ?? [];
    expect(await sluice('redeliver', 'bot', delivery)).toMatch(/^0 One delivery is sent again\./);
    expect(await sluice('update', 'bot')).toMatch(/^2 .*No change was given/);
    expect(await sluice('update', 'bot', '--pause', '--resume')).toMatch(/^2 /);
    expect(await sluice('update', 'bot', '--pause')).toBe('0 bot is paused: 1 delivery waits for a day.\n');
    expect(await sluice('list')).toMatch(/^bot +webhook +all +1, paused /m);
    expect(await sluice('update', 'bot', '--resume', '--events', 'merged', '--to', `${URL}-2`)).toBe(
      '0 bot receives merged at https://hooks.example/…ds-2.\n',
    );
    expect(await sluice('rotate', 'bot')).toMatch(/^0 Both secrets sign until 2026-.*\n\nwhsec_/);
    expect(await sluice('delete', 'bot')).toBe('0 The webhook bot was deleted.\n');
    expect(await sluice('delete', 'bot')).toBe(
      '1 sluice: There is no webhook bot.\nSee them with: sluice webhook list\n',
    );
    expect(await sluice('create', 'bot', URL, '--person', 'octocat')).toMatch(/^2 .*login=name/s);
  });
});
