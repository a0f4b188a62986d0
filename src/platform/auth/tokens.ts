import { randomUUID } from 'node:crypto';
import type { ApiToken, PrismaClient } from '../../generated/prisma/client';
import { isUniqueViolation } from '../database/database-errors';
import { AccessError } from './access-error';
import { requireOrganization } from './organizations';
import { isWiderThanRole, type Role, ROLES_VERSION } from './roles';
import { generateToken, hashToken } from './token';

type Tokens = Pick<PrismaClient, 'organization' | 'apiToken'>;

interface TokenRequest {
  readonly organizationSlug: string;
  /** Unique in the organization, revoked tokens included: the log names actors by it. */
  readonly name: string;
  readonly role: Role;
  readonly expiresAt?: Date;
}

/** The part of a token that people may see. */
export interface TokenRecord extends Omit<ApiToken, 'hash' | 'organizationId' | 'roleVersion'> {
  /** Made by an earlier version, under which its role could do more. */
  readonly widerThanRole: boolean;
}

/** `token` is shown this once; only its hash is stored. Throws AccessError. */
export async function createToken(
  prisma: Tokens,
  request: TokenRequest,
  now: Date,
): Promise<{ id: string; token: string }> {
  const { organizationSlug, name, role, expiresAt } = request;
  if (!/^[\x21-\x7e][\x20-\x7e]{0,99}$/.test(name))
    throw new AccessError('The name of a token has 1 to 100 printable characters.');
  if (expiresAt && expiresAt <= now) throw new AccessError('The token would have expired already.');
  const organization = await requireOrganization(prisma, organizationSlug);
  const id = randomUUID();
  const token = generateToken();
  const rights = { role, roleVersion: ROLES_VERSION, expiresAt };
  const data = { id, organizationId: organization.id, name, hash: hashToken(token), ...rights, createdAt: now };
  try {
    await prisma.apiToken.create({ data });
  } catch (error) {
    if (isUniqueViolation(error)) throw new AccessError(`${organizationSlug} has a token ${name} already.`);
    throw error;
  }
  return { id, token };
}

/** The oldest first; revoked and expired ones included. */
export async function listTokens(prisma: Tokens, organizationSlug: string): Promise<TokenRecord[]> {
  const organization = await requireOrganization(prisma, organizationSlug);
  const rows = await prisma.apiToken.findMany({
    where: { organizationId: organization.id },
    omit: { hash: true, organizationId: true },
    orderBy: [{ createdAt: 'asc' }, { name: 'asc' }],
  });
  return rows.map(({ roleVersion, ...row }) => ({ ...row, widerThanRole: isWiderThanRole(row.role, roleVersion) }));
}

/** Takes effect with the next request. Revoking again changes nothing. Throws AccessError. */
export async function revokeToken(
  prisma: Tokens,
  which: { organizationSlug: string; name: string },
  now: Date,
): Promise<void> {
  const organization = await requireOrganization(prisma, which.organizationSlug);
  const where = { organizationId_name: { organizationId: organization.id, name: which.name } };
  const token = await prisma.apiToken.findUnique({ where });
  if (token === null) throw new AccessError(`${which.organizationSlug} has no token ${which.name}.`);
  if (token.revokedAt === null) await prisma.apiToken.update({ where, data: { revokedAt: now } });
}
