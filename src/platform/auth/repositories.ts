import { randomUUID } from 'node:crypto';
import type { PrismaClient, Repository } from '../../generated/prisma/client';
import { isStillReferenced, isUniqueViolation } from '../database/database-errors';
import { lookupNameOf, type RepositoryName } from '../repository-name';
import { AccessError } from './access-error';
import { requireOrganization } from './organizations';

type Repositories = Pick<PrismaClient, 'organization' | 'repository'>;

/** Gives a repository to an organization; it belongs to exactly one. The host may be in any letter case. Throws AccessError. */
export async function createRepository(
  prisma: Repositories,
  wanted: RepositoryName & { organizationSlug: string },
  now: Date,
  hostsIgnoringCase: readonly string[],
): Promise<Repository> {
  const { organizationSlug, owner, name } = wanted;
  const host = wanted.host.toLowerCase();
  const organization = await requireOrganization(prisma, organizationSlug);
  const lookupName = lookupNameOf({ host, owner, name }, hostsIgnoringCase);
  const data = { id: randomUUID(), organizationId: organization.id, host, owner, name, lookupName, createdAt: now };
  try {
    return await prisma.repository.create({ data });
  } catch (error) {
    if (isUniqueViolation(error)) throw new AccessError(`${host}/${owner}/${name} belongs to an organization already.`);
    throw error;
  }
}

/** Their ids, for a token that is limited to them. Throws AccessError for one that is not the organization's. */
export async function requireRepositories(
  prisma: Repositories,
  organizationSlug: string,
  names: readonly RepositoryName[],
  hostsIgnoringCase: readonly string[],
): Promise<string[]> {
  const { id: organizationId } = await requireOrganization(prisma, organizationSlug);
  return Promise.all(
    names.map(async (named) => {
      const host = named.host.toLowerCase();
      const lookupName = lookupNameOf({ ...named, host }, hostsIgnoringCase);
      const found = await prisma.repository.findFirst({ where: { organizationId, host, lookupName } });
      if (found !== null) return found.id;
      throw new AccessError(`${organizationSlug} has no repository ${host}/${named.owner}/${named.name}.`);
    }),
  );
}

export async function listRepositories(prisma: Repositories, organizationSlug: string): Promise<Repository[]> {
  const organization = await requireOrganization(prisma, organizationSlug);
  return prisma.repository.findMany({
    where: { organizationId: organization.id },
    orderBy: [{ host: 'asc' }, { owner: 'asc' }, { name: 'asc' }],
  });
}

/** Takes a repository from its organization. Throws AccessError when there is none, or when it has stored records. */
export async function removeRepository(
  prisma: Repositories,
  which: RepositoryName & { organizationSlug: string },
  hostsIgnoringCase: readonly string[],
): Promise<void> {
  const { organizationSlug, owner, name } = which;
  const host = which.host.toLowerCase();
  const organization = await requireOrganization(prisma, organizationSlug);
  try {
    const lookupName = lookupNameOf({ host, owner, name }, hostsIgnoringCase);
    const { count } = await prisma.repository.deleteMany({
      where: { organizationId: organization.id, host, lookupName },
    });
    if (count === 0) throw new AccessError(`${organizationSlug} has no repository ${host}/${owner}/${name}.`);
  } catch (error) {
    if (!isStillReferenced(error)) throw error;
    throw new AccessError(
      `${host}/${owner}/${name} has had queues, statuses or targets. Their log is kept, so the repository stays.`,
    );
  }
}
