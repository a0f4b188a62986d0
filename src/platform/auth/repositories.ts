import { randomUUID } from 'node:crypto';
import type { PrismaClient, Repository } from '../../generated/prisma/client';
import { changeRecorded } from '../audit/audit-log';
import { operator } from '../audit/audit-source';
import { isStillReferenced, isUniqueViolation } from '../database/database-errors';
import { lookupNameOf, type RepositoryName } from '../repository-name';
import { AccessError } from './access-error';
import { requireOrganization } from './organizations';

type Repositories = Pick<PrismaClient, 'organization' | 'repository'>;
type Transactions = Pick<PrismaClient, '$transaction'>;

/** Gives a repository to exactly one organization. The host may be in any letter case. Throws AccessError. */
export async function createRepository(
  prisma: Transactions,
  wanted: RepositoryName & { organizationSlug: string },
  now: Date,
  hostsIgnoringCase: readonly string[],
  by = operator(),
): Promise<Repository> {
  const { organizationSlug, owner, name } = wanted;
  const host = wanted.host.toLowerCase();
  const lookupName = lookupNameOf({ host, owner, name }, hostsIgnoringCase);
  try {
    return await prisma.$transaction(async (tx) => {
      const { id: organizationId } = await requireOrganization(tx, organizationSlug);
      const data = { id: randomUUID(), organizationId, host, owner, name, lookupName, createdAt: now };
      const made = await tx.repository.create({ data });
      const change = { organizationId, repositoryId: made.id, subject: `${host}/${owner}/${name}`, from: null, to: {} };
      await tx.$executeRaw(changeRecorded({ ...change, action: 'repository.added', at: now, by }));
      return made;
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new AccessError(`${host}/${owner}/${name} belongs to an organization already.`);
    throw error;
  }
}

/**
 * The ids of the named repositories, for a token that is limited to them. Throws AccessError for a repository of
 * another organization.
 */
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

/**
 * Takes a repository from its organization. Throws AccessError when it does not exist, or when it has stored records.
 */
export async function removeRepository(
  prisma: Transactions,
  which: RepositoryName & { organizationSlug: string },
  now: Date,
  hostsIgnoringCase: readonly string[],
  by = operator(),
): Promise<void> {
  const { organizationSlug, owner, name } = which;
  const host = which.host.toLowerCase();
  const lookupName = lookupNameOf({ host, owner, name }, hostsIgnoringCase);
  try {
    await prisma.$transaction(async (tx) => {
      const { id: organizationId } = await requireOrganization(tx, organizationSlug);
      const found = await tx.repository.findFirst({ where: { organizationId, host, lookupName } });
      if (found === null) throw new AccessError(`${organizationSlug} has no repository ${host}/${owner}/${name}.`);
      await tx.repository.delete({ where: { id: found.id } });
      const change = {
        organizationId,
        repositoryId: found.id,
        subject: `${host}/${owner}/${name}`,
        from: {},
        to: null,
      };
      await tx.$executeRaw(changeRecorded({ ...change, action: 'repository.removed', at: now, by }));
    });
  } catch (error) {
    if (!isStillReferenced(error)) throw error;
    throw new AccessError(
      `${host}/${owner}/${name} has had queues, statuses or targets. Their log is kept, so the repository stays.`,
    );
  }
}
