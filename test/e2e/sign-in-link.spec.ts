import { Retention } from '../../src/processing/retention/retention';
import { rotateToken } from '../../src/platform/auth/rotate-token';
import { createSignInLink } from '../../src/platform/auth/sign-in-links';
import { createToken, revokeToken } from '../../src/platform/auth/tokens';
import { Service } from './service';
import { Visitor } from './visitor';

const TERM_MS = 10 * 60_000;
const GUESS = `sll_${'x'.repeat(43)}`;

describe('A sign-in link', () => {
  let service: Service;
  let organization: string;
  let visitor: Visitor;
  let times = 0;

  beforeAll(async () => {
    service = await Service.inMemory({ trustProxy: 1 });
  });
  beforeEach(async () => {
    organization = `acme-${++times}`;
    await service.organization(organization);
    visitor = new Visitor(service.url);
  });
  afterAll(() => service.stop());

  const makeToken = (name: string, role: 'admin' | 'submit' = 'admin', expiresAt: Date | null = null) =>
    createToken(service.prisma, { organizationSlug: organization, name, role, expiresAt }, service.clock.now());
  const makeCode = async (tokenName?: string) => {
    const request = { organizationSlug: organization, tokenName };
    return (await createSignInLink(service.prisma, request, service.clock.now())).code;
  };
  const openLink = (code: string, who = visitor) => who.get(`/ui/sign-in-link?code=${code}`);
  const pressButton = (code: string, who = visitor, person = '') => who.post('/ui/sign-in-link', { code, person });
  const isSignedIn = async (who = visitor) => (await who.get('/ui')).status === 200;

  /** The number of statements that wait for a lock of another transaction. */
  const countWaiting = async () => {
    const [found] = await service.prisma.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS "count" FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ 'SignInLink'`;
    return found?.count ?? 0;
  };

  describe('of an organization with one admin token', () => {
    beforeEach(() => makeToken('me'));

    it('is used up when somebody presses its button, not when the page is opened', async () => {
      const code = await makeCode();
      for (let n = 0; n < 3; n++) {
        const page = await openLink(code, new Visitor(service.url));
        expect([page.status, page.text.includes(`Sign in to ${organization}`)]).toEqual([200, true]);
        expect(page.text).toContain(`name="code" value="${code}"`);
      }
      const signedIn = await pressButton(code, visitor, '@ada');
      expect([signedIn.status, signedIn.to]).toEqual([303, '/ui']);
      expect((await visitor.get('/ui')).text).toContain('ada');
    });

    it('signs in one browser only', async () => {
      const code = await makeCode();
      await pressButton(code);
      const other = new Visitor(service.url);
      const [opened, pressed] = [await openLink(code, other), await pressButton(code, other)];
      expect([opened.status, pressed.status, await isSignedIn(other)]).toEqual([401, 401, false]);
      expect(pressed.text).toContain('This link was used already');
      expect(pressed.text).toContain('sluice sign-in-link --org');
      expect(await isSignedIn()).toBe(true);
    });

    it('signs in one of two browsers that use it at the same time', async () => {
      const code = await makeCode();
      const visitors = [new Visitor(service.url), new Visitor(service.url)];
      // Both requests have found the link before either request uses it.
      const answers = await service.prisma.$transaction(async (tx) => {
        await tx.$queryRaw`SELECT FROM "SignInLink" FOR UPDATE`;
        const pressed = visitors.map((who) => pressButton(code, who));
        while ((await countWaiting()) < 2) await new Promise(setImmediate);
        return pressed;
      });
      const statuses = await Promise.all(answers.map(async (answer) => (await answer).status));
      expect(statuses.sort()).toEqual([303, 401]);
      expect((await Promise.all(visitors.map((who) => isSignedIn(who)))).sort()).toEqual([false, true]);
    });

    it('expires after 10 minutes, and retention deletes its row', async () => {
      const code = await makeCode();
      service.clock.advance(TERM_MS - 1);
      expect((await openLink(code)).status).toBe(200);
      service.clock.advance(1);
      expect([(await openLink(code)).status, (await pressButton(code)).status]).toEqual([401, 401]);
      await service.app.get(Retention).deleteExpired();
      expect(await service.prisma.signInLink.count()).toBe(0);
    });

    it('begins a session that ends when its token is revoked', async () => {
      await pressButton(await makeCode());
      expect(await isSignedIn()).toBe(true);
      await revokeToken(service.prisma, { organizationSlug: organization, name: 'me' }, service.clock.now());
      expect(await isSignedIn()).toBe(false);
    });

    it.each([
      ['revoked', revokeToken],
      ['rotated', rotateToken],
    ])('signs nobody in once its token is %s', async (_, end) => {
      const code = await makeCode();
      await end(service.prisma, { organizationSlug: organization, name: 'me' }, service.clock.now());
      expect([(await openLink(code)).status, (await pressButton(code)).status]).toEqual([401, 401]);
      expect(await isSignedIn()).toBe(false);
    });

    it('is not sent to other pages as a referrer, and is not cached', async () => {
      const { headers } = await openLink(await makeCode());
      expect([headers.get('referrer-policy'), headers.get('cache-control')]).toEqual(['strict-origin', 'no-store']);
    });

    it('is stored as a hash, and the audit log has its creation and its use', async () => {
      const code = await makeCode();
      const stored = JSON.stringify(await service.prisma.signInLink.findMany());
      await pressButton(code);
      const audited = await service.prisma.auditEvent.findMany({
        where: { action: { startsWith: 'sign_in_link.' } },
        orderBy: { id: 'desc' },
        take: 2,
      });
      expect(audited.map(({ action, channel, subject }) => [action, channel, subject])).toEqual([
        ['sign_in_link.used', 'page', 'me'],
        ['sign_in_link.created', 'command_line', 'me'],
      ]);
      expect(stored + JSON.stringify(audited.map(({ after }) => after))).not.toContain(code);
    });

    it.each(['', 'sll_short', GUESS, `${GUESS}&code=${GUESS}`])(
      'attack: the code "%s" signs nobody in',
      async (code) => {
        expect((await openLink(code)).status).toBe(401);
        expect((await pressButton(code)).status).toBe(401);
        expect(await isSignedIn()).toBe(false);
      },
    );

    it('attack: signs nobody in by a form of another site, and stays usable', async () => {
      const code = await makeCode();
      for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'null' }, {}] as Record<string, string>[])
        expect((await visitor.post('/ui/sign-in-link', { code }, headers)).status).toBe(403);
      expect((await pressButton(code)).status).toBe(303);
    });

    it('attack: refuses guessed codes after 300 a minute', async () => {
      const from = { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': '192.0.2.7' };
      const guess = async () => (await visitor.post('/ui/sign-in-link', { code: GUESS }, from)).status;
      const statuses = new Set<number>();
      for (let n = 0; n < 300; n++) statuses.add(await guess());
      expect([[...statuses], await guess()]).toEqual([[401], 429]);
      expect((await visitor.get(`/ui/sign-in-link?code=${GUESS}`, from)).status).toBe(429);
    });
  });

  it('belongs to the named token if the organization has several', async () => {
    await makeToken('ada');
    await makeToken('bob');
    await expect(makeCode()).rejects.toThrow('has more than one valid admin token: ada, bob.');
    await pressButton(await makeCode('bob'));
    await revokeToken(service.prisma, { organizationSlug: organization, name: 'ada' }, service.clock.now());
    expect(await isSignedIn()).toBe(true);
  });

  it('needs a valid token with the role admin', async () => {
    await expect(makeCode()).rejects.toThrow(`${organization} has no valid admin token.`);
    await makeToken('ci', 'submit');
    await makeToken('old', 'admin', new Date(service.clock.now().getTime() + 1));
    service.clock.advance(1);
    await expect(makeCode()).rejects.toThrow(`${organization} has no valid admin token.`);
    for (const name of ['ci', 'old'])
      await expect(makeCode(name)).rejects.toThrow(`The token ${name} of ${organization} is not a valid admin token.`);
  });
});
