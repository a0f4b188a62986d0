import { randomUUID } from 'node:crypto';
import { AccessError } from '../../src/platform/auth/access-error';
import { createOrganization, listOrganizations } from '../../src/platform/auth/organizations';
import { createRepository, listRepositories } from '../../src/platform/auth/repositories';
import { generateToken, hashToken } from '../../src/platform/auth/token';
import { TokenResolver } from '../../src/platform/auth/token-resolver';
import { createToken, listTokens, revokeToken } from '../../src/platform/auth/tokens';
import { SystemClock } from '../../src/platform/clock/clock';
import { connectPrisma, type PrismaService } from '../../src/platform/database/prisma.service';

const now = new Date('2026-11-21T12:00:00.000Z');
const later = new Date('2026-11-21T13:00:00.000Z');

describe('organizations, tokens and repositories', () => {
  const prisma = connectPrisma(process.env.DATABASE_URL ?? '');
  const organizationSlug = 'platform-access';
  const token = { organizationSlug, name: 'ci', role: 'submit' as const };

  beforeAll(() => createOrganization(prisma, { slug: organizationSlug, name: 'Access' }, now));
  afterAll(() => prisma.$disconnect());

  it('have names of their own', async () => {
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

  it('let the tokens of an earlier version keep what they could', async () => {
    const made = await createToken(prisma, { ...token, name: 'new' }, now);
    const { organizationId } = await prisma.apiToken.findUniqueOrThrow({ where: { id: made.id } });
    const old = generateToken();
    // As that version writes it: without a column that it does not know.
    await prisma.$executeRaw`INSERT INTO "ApiToken" (id, "organizationId", name, hash, role, "createdAt")
      VALUES (${randomUUID()}::uuid, ${organizationId}::uuid, 'old', ${hashToken(old)}, 'submit', ${now})`;
    const tokens = new TokenResolver(prisma as PrismaService, new SystemClock());
    expect((await tokens.resolve(made.token)).capabilities).toEqual(['read', 'upload', 'submit']);
    expect((await tokens.resolve(old)).capabilities).toEqual(['read', 'upload', 'submit', 'report_status']);
  });

  it('refuse a token that would have expired already', async () => {
    await expect(createToken(prisma, { ...token, name: 'late', expiresAt: now }, now)).rejects.toThrow(
      /expired already/,
    );
    expect((await listTokens(prisma, organizationSlug)).map(({ name }) => name)).not.toContain('late');
  });

  it('keep the time at which a token was first revoked', async () => {
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
