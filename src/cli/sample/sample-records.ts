import { createOrganization } from '../../platform/auth/organizations';
import { createRepository } from '../../platform/auth/repositories';
import { createToken } from '../../platform/auth/tokens';
import { SystemClock } from '../../platform/clock/clock';
import type { RepositoryName } from '../../platform/repository-name';
import { CliError } from '../cli-error';
import type { Database } from '../database-session';

export const SAMPLE_ORGANIZATION = 'sample';
/** The display name of the organization. The sample also recognizes its own organization by this name. */
const NAME = 'Sample of Sluice';

export interface SampleToken {
  readonly name: string;
  readonly token: string;
}

/** Every run of the sample has its own token, so that sessions of earlier runs stay valid. */
const TOKEN_NAME = /^sample-(\d+)$/;

export function isSampleToken(name: string): boolean {
  return TOKEN_NAME.test(name);
}

/** Null: the sample has not created its organization. Throws a CliError when another organization has that slug. */
export async function findOrganization(prisma: Database): Promise<{ readonly id: string } | null> {
  const found = await prisma.organization.findUnique({ where: { slug: SAMPLE_ORGANIZATION } });
  if (found === null || found.name === NAME) return found;
  throw new CliError(`The organization ${SAMPLE_ORGANIZATION} was not made by this command, so it is left alone.`);
}

/** Creates a missing organization and repository, and another admin token. */
export async function makeRecords(prisma: Database, repository: RepositoryName): Promise<SampleToken> {
  const now = new SystemClock().now();
  const slug = SAMPLE_ORGANIZATION;
  const { id: organizationId } =
    (await findOrganization(prisma)) ?? (await createOrganization(prisma, { slug, name: NAME }, now));
  const { host, owner, name: lookupName } = repository;
  const where = { organizationId, host, owner, name: lookupName };
  if ((await prisma.repository.count({ where })) === 0)
    await createRepository(prisma, { ...repository, organizationSlug: slug }, now, []);
  return makeToken(prisma, organizationId);
}

export async function makeToken(prisma: Database, organizationId: string): Promise<SampleToken> {
  const tokens = await prisma.apiToken.findMany({ where: { organizationId }, select: { name: true } });
  const numbers = tokens.map(({ name }) => Number(TOKEN_NAME.exec(name)?.[1] ?? 0));
  const name = `sample-${Math.max(0, ...numbers) + 1}`;
  const wanted = { organizationSlug: SAMPLE_ORGANIZATION, name, role: 'admin' } as const;
  return { name, token: (await createToken(prisma, wanted, new SystemClock().now())).token };
}
