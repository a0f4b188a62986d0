import { randomUUID } from 'node:crypto';
import { AccessError } from '../../src/platform/auth/access-error';
import { createOrganization, listOrganizations } from '../../src/platform/auth/organizations';
import { createRepository, listRepositories } from '../../src/platform/auth/repositories';
import { generateToken, hashToken } from '../../src/platform/auth/token';
import { TokenResolver } from '../../src/platform/auth/token-resolver';
import { rotateToken } from '../../src/platform/auth/rotate-token';
import { createToken, listTokens, revokeToken } from '../../src/platform/auth/tokens';
import type { Role } from '../../src/platform/requests/roles';
import { SystemClock } from '../../src/platform/clock/clock';
import { Connections } from '../support/connections';
import { ManualClock } from '../support/manual-clock';

const now = new Date('2026-11-21T12:00:00.000Z');
const later = new Date('2026-11-21T13:00:00.000Z');
const in90Days = new Date('2027-02-19T12:00:00.000Z');
const HOUR_MS = 3_600_000;

describe('organizations, tokens and repositories', () => {
  const connections = new Connections();
  const { prisma, sql, outage } = connections;
  const organizationSlug = 'platform-access';
  const token = { organizationSlug, name: 'ci', role: 'submit' as const };

  beforeAll(() => createOrganization(prisma, { slug: organizationSlug, name: 'Access' }, now));
  afterAll(() => connections.close());

  it('have names that are used only once and are well-formed', async () => {
    expect(await listOrganizations(prisma)).toContainEqual(
      expect.objectContaining({ slug: organizationSlug, name: 'Access' }),
    );
    await expect(createOrganization(prisma, { slug: organizationSlug }, now)).rejects.toThrow(AccessError);
    await expect(createOrganization(prisma, { slug: 'Not A Slug' }, now)).rejects.toThrow(/is not a slug/);
    await createToken(prisma, token, now);
    await expect(createToken(prisma, token, now)).rejects.toThrow('platform-access has a token ci already.');
    await expect(createToken(prisma, { ...token, organizationSlug: 'nobody' }, now)).rejects.toThrow(
      /no organization nobody/,
    );
  });

  it('store a token only as a hash', async () => {
    const made = await createToken(prisma, { ...token, name: 'hashed' }, now);
    const row = await prisma.apiToken.findUniqueOrThrow({ where: { id: made.id } });
    expect(JSON.stringify(row)).not.toContain(made.token);
    expect(row.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('let a token of an earlier version keep its permissions', async () => {
    const made = await createToken(prisma, { ...token, name: 'new' }, now);
    const { organizationId } = await prisma.apiToken.findUniqueOrThrow({ where: { id: made.id } });
    const old = generateToken();
    // The row is written as the earlier version would write it, without a column that this version has added.
    await prisma.$executeRaw`INSERT INTO "ApiToken" (id, "organizationId", name, hash, role, "createdAt")
      VALUES (${randomUUID()}::uuid, ${organizationId}::uuid, 'old', ${hashToken(old)}, 'submit', ${now})`;
    const tokens = new TokenResolver(prisma, sql, new SystemClock(), outage);
    expect((await tokens.resolve(made.token, null)).capabilities).toEqual(['read', 'upload', 'submit']);
    expect((await tokens.resolve(old, null)).capabilities).toEqual(['read', 'upload', 'submit', 'report_status']);
  });

  it('refuse a new token whose expiry is in the past', async () => {
    await expect(createToken(prisma, { ...token, name: 'late', expiresAt: now }, now)).rejects.toThrow(
      /expired already/,
    );
    expect((await listTokens(prisma, organizationSlug)).map(({ name }) => name)).not.toContain('late');
  });

  it('let CI tokens expire after 90 days by default', async () => {
    const make = async (name: string, role: Role, expiresAt?: Date | null) =>
      (await createToken(prisma, { organizationSlug, name, role, expiresAt }, now)).expiresAt;
    expect([await make('e1', 'ci'), await make('e2', 'status')]).toEqual([in90Days, in90Days]);
    expect([await make('e3', 'read'), await make('e4', 'submit'), await make('e5', 'admin')]).toEqual([
      null,
      null,
      null,
    ]);
    expect([await make('e6', 'ci', null), await make('e7', 'ci', later)]).toEqual([null, later]);
  });

  describe('rotate a token', () => {
    const clock = new ManualClock(now);
    const tokens = new TokenResolver(prisma, sql, clock, outage);
    const rotate = (name: string, expiresAt?: Date | null) =>
      rotateToken(prisma, { organizationSlug, name, expiresAt }, clock.now());
    const isValid = (secret: string) =>
      tokens.resolve(secret, null).then(
        () => true,
        () => false,
      );

    it('and accept its earlier secret for 24 more hours, as the same token', async () => {
      const made = await createToken(prisma, { ...token, name: 'r1' }, clock.now());
      const rotated = await rotate('r1');
      const [before, after] = [await tokens.resolve(made.token, null), await tokens.resolve(rotated.token, null)];
      expect(after).toEqual(before);
      clock.advance(24 * HOUR_MS - 1);
      expect([await isValid(made.token), await isValid(rotated.token)]).toEqual([true, true]);
      clock.advance(1);
      expect([await isValid(made.token), await isValid(rotated.token)]).toEqual([false, true]);
    });

    it('and repeat its original term; the earlier secret is never valid longer than it was', async () => {
      const expiresAt = new Date(clock.now().getTime() + 30 * HOUR_MS);
      const made = await createToken(prisma, { ...token, name: 'r2', expiresAt }, clock.now());
      clock.advance(10 * HOUR_MS);
      const rotated = await rotate('r2');
      expect(rotated.expiresAt).toEqual(new Date(clock.now().getTime() + 30 * HOUR_MS));
      expect(rotated.previousUntil).toEqual(expiresAt);
      clock.advance(20 * HOUR_MS);
      expect([await isValid(made.token), await isValid(rotated.token)]).toEqual([false, true]);
      expect((await rotate('r2', null)).expiresAt).toBeNull();
    });

    it('a second time, which ends the first secret at once', async () => {
      const made = await createToken(prisma, { ...token, name: 'r3' }, clock.now());
      const second = await rotate('r3');
      const third = await rotate('r3');
      const secrets = [made.token, second.token, third.token];
      expect(await Promise.all(secrets.map(isValid))).toEqual([false, true, true]);
      await revokeToken(prisma, { organizationSlug, name: 'r3' }, clock.now());
      expect(await Promise.all(secrets.map(isValid))).toEqual([false, false, false]);
      await expect(rotate('r3')).rejects.toThrow('The token r3 is revoked');
    });

    it('only once if two rotations run at the same time', async () => {
      const made = await createToken(prisma, { ...token, name: 'r5' }, clock.now());
      const [one, two] = await Promise.allSettled([rotate('r5'), rotate('r5')]);
      const shown = [one, two].flatMap((result) => (result.status === 'fulfilled' ? [result.value.token] : []));
      expect(await isValid(shown.at(-1)!)).toBe(true);
      expect(await isValid(made.token)).toBe(shown.length === 1);
    });

    it('and keep permissions beyond its role only for the earlier secret', async () => {
      const made = await createToken(prisma, { ...token, name: 'r4' }, clock.now());
      await prisma.apiToken.update({ where: { id: made.id }, data: { roleVersion: 1 } });
      const wide = async () =>
        (await listTokens(prisma, organizationSlug)).find(({ name }) => name === 'r4')?.widerThanRole;
      expect(await wide()).toBe(true);
      const rotated = await rotate('r4');
      expect(await wide()).toBe(false);
      expect((await tokens.resolve(made.token, null)).capabilities).toContain('report_status');
      expect((await tokens.resolve(rotated.token, null)).capabilities).not.toContain('report_status');
    });
  });

  it('keep the time at which a token was revoked first', async () => {
    await createToken(prisma, { ...token, name: 'leaver' }, now);
    await revokeToken(prisma, { organizationSlug, name: 'leaver' }, now);
    await revokeToken(prisma, { organizationSlug, name: 'leaver' }, later);
    const leaver = (await listTokens(prisma, organizationSlug)).find(({ name }) => name === 'leaver');
    expect(leaver?.revokedAt).toEqual(now);
    await expect(revokeToken(prisma, { organizationSlug, name: 'nobody' }, now)).rejects.toThrow(/has no token nobody/);
  });

  it('let a repository belong to one organization only', async () => {
    await createOrganization(prisma, { slug: 'platform-access-other' }, now);
    const shop = { host: 'Git.Example', owner: 'acme', name: 'shop' };
    await createRepository(prisma, { ...shop, organizationSlug }, now, []);
    const again = createRepository(prisma, { ...shop, organizationSlug: 'platform-access-other' }, now, []);
    await expect(again).rejects.toThrow('git.example/acme/shop belongs to an organization already.');
    expect(await listRepositories(prisma, organizationSlug)).toMatchObject([{ host: 'git.example', name: 'shop' }]);
  });
});
