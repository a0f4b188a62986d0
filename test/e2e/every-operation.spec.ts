import type { Role } from '../../src/platform/requests/roles';
import { type Client, codeOf, wrongFields } from './client';
import { ALL_ROLES, OPERATIONS, REPO } from './operations';
import { NOW, Service } from './service';
import { Rows } from './rows';

const JSON_TYPE = { 'content-type': 'application/json' };

type Callers = Readonly<Record<Role, Client>>;

describe.each(OPERATIONS)('$name', ({ name, roles, body }) => {
  let service: Service;
  let clients: Callers;
  let stranger: Client;

  beforeAll(async () => {
    service = await shared();
    clients = await callers('acme');
    stranger = (await callers('other')).admin;
  });

  afterAll(async () => {
    if (name === OPERATIONS.at(-1)?.name) await service.stop();
  });

  const right = () => clients[roles[0]!];

  it('needs a token before anything else is checked', async () => {
    for (const [method, text, headers] of [
      ['POST', JSON.stringify(body), JSON_TYPE],
      ['POST', '{', JSON_TYPE],
      ['POST', 'x', { 'content-type': 'text/plain' }],
      ['GET', undefined, {}],
    ] as const) {
      expect(codeOf(await service.anonymous().send(method, name, text, headers))).toBe('401 AUTHENTICATION_REQUIRED');
    }
    const forked = { ...JSON_TYPE, 'x-forked-workflow-run-id': '1' };
    expect(codeOf(await service.anonymous().send('POST', name, JSON.stringify(body), forked))).toBe(
      '401 AUTHENTICATION_REQUIRED',
    );
    const wrong = { ...JSON_TYPE, 'x-api-token': 'slc_wrong' };
    expect(codeOf(await service.anonymous().send('POST', name, JSON.stringify(body), wrong))).toBe('401 INVALID_TOKEN');
  });

  it('needs a readable body before the role is checked', async () => {
    for (const client of [clients.read, right()]) {
      expect(codeOf(await client.send('POST', name, '{}', { 'content-type': 'text/plain' }))).toBe(
        '415 UNSUPPORTED_MEDIA_TYPE',
      );
      expect(codeOf(await client.send('POST', name, '{"repo":', JSON_TYPE))).toBe('400 MALFORMED_JSON');
    }
  });

  it(`needs the role (${roles.join(', ')}) before the fields are checked`, async () => {
    for (const role of ALL_ROLES) {
      const code = codeOf(await clients[role].post(name, {}));
      expect({ role, code }).toEqual({
        role,
        code: roles.includes(role) ? '400 VALIDATION_FAILED' : '403 INSUFFICIENT_PERMISSIONS',
      });
    }
  });

  it('needs its fields, and the error names every required field that is missing', async () => {
    const fields = Object.keys(wrongFields(await right().post(name, {})));
    expect(fields).toEqual(expect.arrayContaining(requiredOf(name, body)));
    for (const value of [null, [], 'x', 7]) expect((await right().post(name, value)).status).toBe(400);
    expect(codeOf(await right().send('POST', name, undefined, {}))).toBe('400 VALIDATION_FAILED');
  });

  it.each([
    ['host', ''],
    ['host', 7],
    ['owner', undefined],
    ['owner', 'a\u0000b'],
    ['name', 'x'.repeat(256)],
    ['name', ['widgets']],
  ])('refuses a repository whose %s is %j', async (field, value) => {
    const answer = await right().post(name, { ...body, repo: { ...REPO, [field]: value } });
    expect(Object.keys(wrongFields(answer))).toEqual([`repo.${field}`]);
  });

  it('gives the same answer for a repository of another organization as for a missing repository', async () => {
    const slug = name.startsWith('flaky-tests') ? { org_url_slug: 'other' } : {};
    const foreign = await stranger.post(name, { ...body, ...slug });
    const none = await stranger.post(name, { ...body, ...slug, repo: { ...REPO, name: 'nowhere' } });
    expect([codeOf(foreign), codeOf(none)]).toEqual(['404 REPOSITORY_NOT_FOUND', '404 REPOSITORY_NOT_FOUND']);
    expect(foreign.body.error?.message.replace('widgets', 'nowhere')).toBe(none.body.error?.message);
  });

  it('exists for POST only', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect(codeOf(await clients.admin.send(method, name, undefined, {}))).toBe('404 NOT_FOUND');
    }
  });

  if ('targetBranch' in body && name !== 'createQueue') {
    it('answers 404 for a missing queue', async () => {
      expect(codeOf(await right().post(name, { ...body, targetBranch: 'nowhere' }))).toBe('404 MERGE_QUEUE_NOT_FOUND');
    });

    it.each(['refs/heads/main', 'a..b', '', 7, null, undefined])('refuses the branch %j', async (targetBranch) => {
      const answer = await right().post(name, { ...body, targetBranch });
      expect(Object.keys(wrongFields(answer))).toEqual(['targetBranch']);
    });
  }

  async function callers(slug: string): Promise<Callers> {
    const found = known.get(slug);
    if (found) return found;
    const pairs = ALL_ROLES.map(async (role) => [role, await service.client(slug, role)] as const);
    const made = Object.fromEntries(await Promise.all(pairs)) as Callers;
    known.set(slug, made);
    return made;
  }
});

/** One application serves the tests of all operations, because they leave nothing behind. */
let started: Promise<Service> | undefined;
const known = new Map<string, Callers>();

function shared(): Promise<Service> {
  started ??= (async () => {
    const service = await Service.inMemory();
    await new Rows(service.prisma, NOW).repository(
      await service.organization('acme'),
      'widgets',
      'acme',
      'memory.example',
    );
    await service.organization('other');
    return service;
  })();
  return started;
}

function requiredOf(name: string, body: object): string[] {
  // One of two fields is required, and the rule for them is attached to the second field.
  if (name === 'getMergeQueueTestingDetails') return ['repo', 'targetBranch', 'testRunId'];
  // Without a filter, a webhook receives the events of the whole organization.
  if (name === 'createWebhook') return ['name', 'url'];
  return Object.keys(body);
}
