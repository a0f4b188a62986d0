import { randomUUID } from 'node:crypto';
import type { Organization, PrismaClient } from '../../generated/prisma/client';
import { changeRecorded } from '../audit/audit-log';
import { operator } from '../audit/audit-source';
import { isUniqueViolation } from '../database/database-errors';
import { AccessError } from './access-error';

type Organizations = Pick<PrismaClient, 'organization'>;

const SLUG_PATTERN = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** `name`: shown to people; absent: the slug is shown. Throws AccessError for a slug that is wrong or taken. */
export async function createOrganization(
  prisma: Pick<PrismaClient, '$transaction'>,
  wanted: { slug: string; name?: string },
  now: Date,
  by = operator(),
): Promise<Organization> {
  const { slug, name = slug } = wanted;
  if (!SLUG_PATTERN.test(slug)) {
    throw new AccessError(
      `${JSON.stringify(slug)} is not a slug. Use 1 to 63 lower-case letters, digits and hyphens, no hyphen first.`,
    );
  }
  try {
    return await prisma.$transaction(async (tx) => {
      const made = await tx.organization.create({ data: { id: randomUUID(), slug, name, createdAt: now } });
      const change = { organizationId: made.id, repositoryId: null, subject: slug, from: null, to: { slug, name } };
      await tx.$executeRaw(changeRecorded({ ...change, action: 'organization.created', at: now, by }));
      return made;
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new AccessError(`There is an organization ${slug} already.`);
    throw error;
  }
}

export function listOrganizations(prisma: Organizations): Promise<Organization[]> {
  return prisma.organization.findMany({ orderBy: { slug: 'asc' } });
}

/** Throws AccessError when the organization does not exist. */
export async function requireOrganization(prisma: Organizations, slug: string): Promise<Organization> {
  const found = await prisma.organization.findUnique({ where: { slug } });
  if (found === null) throw new AccessError(`There is no organization ${slug}.`);
  return found;
}
