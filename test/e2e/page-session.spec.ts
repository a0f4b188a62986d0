import { rotateToken } from '../../src/platform/auth/rotate-token';
import { createToken, revokeToken } from '../../src/platform/auth/tokens';
import { Retention } from '../../src/processing/retention/retention';
import type { Client } from './client';
import { Service } from './service';
import { Visitor } from './visitor';

const DAY_MS = 86_400_000;
const GUESS = `slc_${'x'.repeat(43)}`;

describe('The session of a browser', () => {
  let service: Service;
  let reader: Client;
  let visitor: Visitor;

  let organization: string;
  let times = 0;

  beforeAll(async () => {
    service = await Service.inMemory({ trustProxy: 1 });
  });
  beforeEach(async () => {
    organization = `acme-${++times}`;
    await service.organization(organization);
    reader = await service.client(organization, 'read');
    visitor = new Visitor(service.url);
  });
  afterAll(() => service.stop());

  const stored = () =>
    service.prisma.browserSession.count({ where: { token: { organization: { slug: organization } } } });

  const isSignedIn = async (who = visitor) => (await who.get('/ui')).status === 200;

  it('begins with a token, and continues to the requested page', async () => {
    const before = await visitor.get('/ui/tests/1?x=y');
    expect([before.status, before.to]).toEqual([303, '/ui/sign-in?to=%2Fui%2Ftests%2F1%3Fx%3Dy']);
    const form = await visitor.get(before.to);
    expect(form.text).toContain('name="to" value="/ui/tests/1?x=y"');
    const after = await visitor.signIn(reader.token, { to: '/ui/tests/1?x=y', person: '@ada' });
    expect([after.status, after.to]).toEqual([303, '/ui/tests/1?x=y']);
    const page = await visitor.get('/ui');
    expect(page.status).toBe(200);
    expect(page.text).toContain('ada');
    expect(page.headers.get('cache-control')).toBe('no-store');
  });

  it('is a cookie that scripts, other sites and plain HTTP cannot read, and is stored as a hash', async () => {
    const { headers } = await visitor.signIn(reader.token);
    const [line] = headers.getSetCookie();
    const attributes = line!.split('; ').slice(1);
    expect(attributes.sort()).toEqual([
      'Expires=Sun, 20 Dec 2026 12:00:00 GMT',
      'HttpOnly',
      'Path=/ui',
      'SameSite=Lax',
    ]);
    expect(JSON.stringify(await service.prisma.browserSession.findMany())).not.toContain(visitor.cookie());
  });

  it.each([
    ['https://queue.example', '__Host-sluice_session', '/'],
    ['https://host.example/queue', '__Secure-sluice_session', '/queue/ui'],
  ])('at %s has a cookie that only this service can set, and only over TLS', async (publicUrl, name, path) => {
    const secure = await Service.inMemory({ publicUrl });
    await secure.organization('acme');
    const { token } = await secure.client('acme', 'read');
    const there = new Visitor(secure.url);
    const { headers } = await there.signIn(token);
    const [set, ...attributes] = headers.getSetCookie()[0]!.split('; ');
    expect(set).toMatch(new RegExp(`^${name}=.`));
    expect(attributes).toEqual(expect.arrayContaining(['Secure', 'HttpOnly', `Path=${path}`]));
    expect(attributes.join()).not.toContain('Domain');
    expect((await there.get('/ui')).status).toBe(200);
    // A site of the same domain can set a cookie without the prefix.
    const old = { cookie: `sluice_session=${there.cookie(name)}` };
    expect((await fetch(`${secure.url}/ui`, { headers: old, redirect: 'manual' })).status).toBe(303);
    await secure.stop();
  });

  it('attack: is not accepted together with another cookie of the same name', async () => {
    await visitor.signIn(reader.token);
    const own = `sluice_session=${visitor.cookie()}`;
    const statusWith = async (cookie: string): Promise<number> =>
      (await fetch(`${service.url}/ui`, { headers: { cookie }, redirect: 'manual' })).status;
    expect(await statusWith(own)).toBe(200);
    expect(await statusWith(`${own}; sluice_session=other`)).toBe(303);
    expect(await statusWith(`sluice_session=other; ${own}`)).toBe(303);
  });

  it('is not needed for the API, whose answers no cache may keep', async () => {
    const answer = await fetch(`${service.url}/v1/getQueue`, { method: 'POST' });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([401, 'no-store']);
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000');
  });

  it('is valid for pages only; the API accepts a token only', async () => {
    await visitor.signIn(reader.token);
    const cookie = `sluice_session=${visitor.cookie()}`;
    for (const path of ['/v1/getMergeQueueMetrics', '/metrics', '/v1/checkRuns/x/log']) {
      expect((await fetch(service.url + path, { headers: { cookie } })).status).toBe(401);
    }
    const stranger = new Visitor(service.url);
    expect((await stranger.get('/ui', { 'x-api-token': reader.token! })).status).toBe(303);
  });

  it('ends when somebody signs out, also on the server', async () => {
    await visitor.signIn(reader.token);
    const kept = visitor.cookie()!;
    const { status, to } = await visitor.post('/ui/sign-out', {});
    expect([status, to, visitor.cookie()]).toEqual([303, '/ui/sign-in', undefined]);
    visitor.setCookie('sluice_session', kept);
    expect(await isSignedIn()).toBe(false);
    expect(visitor.cookie()).toBeUndefined();
  });

  it('ends after 30 days, and its row is deleted', async () => {
    await visitor.signIn(reader.token);
    service.clock.advance(30 * DAY_MS - 1);
    expect(await isSignedIn()).toBe(true);
    service.clock.advance(1);
    expect(await isSignedIn()).toBe(false);
    await service.app.get(Retention).deleteExpired();
    expect(await stored()).toBe(0);
  });

  describe('ends with its token', () => {
    const named = () => ({ organizationSlug: organization, name: 'mine' });

    const signInWith = async (expiresAt: Date | null = null) => {
      const { token } = await createToken(service.prisma, { ...named(), role: 'read', expiresAt }, service.clock.now());
      await visitor.signIn(token);
      expect(await isSignedIn()).toBe(true);
      return token;
    };

    it('when the token is revoked', async () => {
      await signInWith();
      await revokeToken(service.prisma, named(), service.clock.now());
      expect(await isSignedIn()).toBe(false);
    });

    it('when the token expires', async () => {
      await signInWith(new Date(service.clock.now().getTime() + 1_000));
      service.clock.advance(1_000);
      expect(await isSignedIn()).toBe(false);
    });

    it('when the token is rotated, although programs may still use the earlier secret', async () => {
      const before = await signInWith();
      const { token } = await rotateToken(service.prisma, named(), service.clock.now());
      expect(await isSignedIn()).toBe(false);
      const refused = await visitor.signIn(before);
      expect([refused.status, refused.text.includes('This token was rotated')]).toEqual([401, true]);
      await visitor.signIn(token);
      expect(await isSignedIn()).toBe(true);
    });
  });

  it('is one of at most 100 for a token: a further sign-in ends the oldest session', async () => {
    const first = new Visitor(service.url);
    await first.signIn(reader.token);
    for (let n = 0; n < 100; n++) {
      service.clock.advance(1);
      await visitor.signIn(reader.token);
    }
    expect([await isSignedIn(first), await isSignedIn()]).toEqual([false, true]);
    expect(await stored()).toBe(100);
  });

  it('attack: guessed tokens at the sign-in are refused after 300 a minute', async () => {
    const guess = () =>
      visitor.post(
        '/ui/sign-in',
        { token: GUESS },
        { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': '192.0.2.1' },
      );
    const statuses = new Set<number>();
    for (let n = 0; n < 300; n++) statuses.add((await guess()).status);
    expect([...statuses]).toEqual([401]);
    const refused = await guess();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect(refused.text).toContain('try again in 60 seconds');
    expect((await visitor.signIn(reader.token)).status).toBe(303);
  });

  it('attack: an invented cookie shows nothing, and too many of them are refused', async () => {
    visitor.setCookie('sluice_session', 'x'.repeat(43));
    expect(await isSignedIn()).toBe(false);
    const statuses: number[] = [];
    for (let n = 0; n < 301; n++) {
      visitor.setCookie('sluice_session', 'x'.repeat(43));
      statuses.push((await visitor.get('/ui')).status);
    }
    expect([statuses[0], statuses.at(-1)]).toEqual([303, 429]);
  });

  it.each<[string, Record<string, string>, number]>([
    ['of this service', { 'sec-fetch-site': 'same-origin' }, 303],
    ['of this service by a browser that says only where it is', { origin: 'http://localhost:3000' }, 303],
    ['of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 403],
    ['of a neighbour on the same domain', { 'sec-fetch-site': 'same-site', origin: 'http://localhost:4000' }, 403],
    ['of a page without an address', { origin: 'null' }, 403],
    ['of a page with an address that is none', { origin: '://' }, 403],
    ['of nobody', {}, 403],
  ])('attack: a form %s is accepted only from the origin of the service', async (_what, headers, status) => {
    expect((await visitor.post('/ui/sign-in', { token: reader.token! }, headers)).status).toBe(status);
    await visitor.signIn(reader.token);
    expect((await visitor.post('/ui/sign-out', {}, headers)).status).toBe(status);
    expect(await stored()).toBe(1);
  });

  it('attack: a form is accepted from the URL that the browser uses for the service', async () => {
    const origin = service.url;
    expect((await visitor.post('/ui/sign-in', { token: reader.token! }, { origin })).status).toBe(303);
  });

  it('attack: a form is refused from the same host with another scheme', async () => {
    const origin = service.url.replace('http:', 'https:');
    expect((await visitor.post('/ui/sign-in', { token: reader.token! }, { origin })).status).toBe(403);
  });

  it.each(['https://evil.example', '//evil.example', '/\\evil.example', '/v1/audit', 'javascript:alert(1)'])(
    'attack: sign-in does not redirect to %s',
    async (to) => expect((await visitor.signIn(reader.token, { to })).to).toBe('/ui'),
  );

  it('attack: no page contains a token, and names are escaped', async () => {
    const wrong = await visitor.signIn(GUESS, { person: '"><script>alert(1)</script>' });
    expect(wrong.text).not.toContain(GUESS);
    expect(wrong.text).not.toContain('<script>alert');
    await visitor.signIn(reader.token, { person: '<script>alert(2)</script>' });
    const { text } = await visitor.get('/ui');
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('&lt;script&gt;alert(2)');
    expect(text).not.toContain('slc_');
  });
});
