import { randomUUID } from 'node:crypto';
import type { ApiToken, PrismaClient } from '../../generated/prisma/client';
import { changeRecorded } from '../audit/audit-log';
import { operator } from '../audit/audit-source';
import { isUniqueViolation } from '../database/database-errors';
import { AccessError } from './access-error';
import { requireOrganization } from './organizations';
import { isWiderThanRole, type Role, ROLES_VERSION } from '../requests/roles';
import { generateToken, hashToken } from './token';

type Tokens = Pick<PrismaClient, 'organization' | 'apiToken' | 'repository'>;
type Transactions = Pick<PrismaClient, '$transaction'>;

const DAY_MS = 86_400_000;
/** CI runs code of pull requests, so tokens of CI leak most easily. */
const DEFAULT_TERM_MS: Partial<Record<Role, number>> = { ci: 90 * DAY_MS, status: 90 * DAY_MS };

export interface TokenRequest {
  readonly organizationSlug: string;
  /**
   * The name of the token, unique in the organization even among revoked tokens, because logs identify actors by this
   * name.
   */
  readonly name: string;
  readonly role: Role;
  /** Null: never expires. Absent: 90 days from now for `ci` and `status`, never for other roles. */
  readonly expiresAt?: Date | null;
  /** Ids of repositories of the organization. Absent or empty: all repositories, including future ones. */
  readonly repositoryIds?: readonly string[];
  /** The highest priority that the token may request; 0 is the highest. Absent: any. */
  readonly bestPriority?: number;
}

interface MadeToken {
  readonly id: string;
  /** Shown only once: the database stores its hash. */
  readonly token: string;
  readonly expiresAt: Date | null;
}

/** Throws AccessError. */
export async function createToken(
  prisma: Transactions,
  request: TokenRequest,
  now: Date,
  by = operator(),
): Promise<MadeToken> {
  const { organizationSlug, name, role, repositoryIds = [], bestPriority } = request;
  if (!/^[\x21-\x7e][\x20-\x7e]{0,99}$/.test(name))
    throw new AccessError('The name of a token has 1 to 100 printable characters.');
  const expiresAt = expiryOf(request, now);
  const id = randomUUID();
  const token = generateToken();
  const rights = { role, expiresAt, repositoryIds: [...repositoryIds], bestPriority: bestPriority ?? null };
  try {
    await prisma.$transaction(async (tx) => {
      const { id: organizationId } = await requireOrganization(tx, organizationSlug);
      const stored = { id, organizationId, name, hash: hashToken(token), roleVersion: ROLES_VERSION, createdAt: now };
      await tx.apiToken.create({ data: { ...stored, ...rights } });
      const change = { organizationId, repositoryId: null, subject: name, from: null, to: rights };
      await tx.$executeRaw(changeRecorded({ ...change, action: 'token.created', at: now, by }));
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new AccessError(`${organizationSlug} has a token ${name} already.`);
    throw error;
  }
  return { id, token, expiresAt };
}

function expiryOf({ role, expiresAt }: TokenRequest, now: Date): Date | null {
  const term = DEFAULT_TERM_MS[role];
  if (expiresAt === undefined) return term === undefined ? null : new Date(now.getTime() + term);
  if (expiresAt !== null && expiresAt <= now) throw new AccessError('The token would have expired already.');
  return expiresAt;
}

type HiddenFields = 'hash' | 'organizationId' | 'roleVersion' | 'previousHash' | 'previousRoleVersion';

/** The fields of a token that people may see. */
export interface TokenRecord extends Omit<ApiToken, HiddenFields | 'repositoryIds' | 'bestPriority'> {
  /** True: an earlier version made the token when its role had more capabilities. */
  readonly widerThanRole: boolean;
  /** Null: not limited. Repositories that were removed since are omitted. */
  readonly repositories: readonly string[] | null;
  readonly bestPriority: number | null;
}

/** Oldest first, including revoked and expired tokens. */
export async function listTokens(prisma: Tokens, organizationSlug: string): Promise<TokenRecord[]> {
  const { id: organizationId } = await requireOrganization(prisma, organizationSlug);
  const [rows, repositories] = await Promise.all([
    prisma.apiToken.findMany({
      where: { organizationId },
      omit: { hash: true, organizationId: true, previousHash: true, previousRoleVersion: true },
      orderBy: [{ createdAt: 'asc' }, { name: 'asc' }],
    }),
    prisma.repository.findMany({ where: { organizationId }, orderBy: [{ host: 'asc' }, { lookupName: 'asc' }] }),
  ]);
  return rows.map(({ roleVersion, repositoryIds, bestPriority, ...row }) => {
    const limits = repositories.filter(({ id }) => repositoryIds.includes(id));
    return {
      ...row,
      widerThanRole: isWiderThanRole(row.role, roleVersion),
      repositories: repositoryIds.length === 0 ? null : limits.map((one) => `${one.host}/${one.owner}/${one.name}`),
      bestPriority: bestPriority === null ? null : Number(bestPriority),
    };
  });
}

interface NamedToken {
  readonly organizationSlug: string;
  readonly name: string;
}

/**
 * Takes effect with the next request, also for the previous secret of a rotation. Revoking again changes nothing.
 * Throws AccessError.
 */
export async function revokeToken(prisma: Transactions, which: NamedToken, now: Date, by = operator()): Promise<void> {
  await prisma.$transaction(async (tx) => {
    const { id, organizationId, revokedAt } = await requireNamedToken(tx, which);
    if (revokedAt !== null) return;
    await tx.apiToken.update({ where: { id }, data: { revokedAt: now } });
    const change = { organizationId, repositoryId: null, subject: which.name, from: null, to: { revokedAt: now } };
    await tx.$executeRaw(changeRecorded({ ...change, action: 'token.revoked', at: now, by }));
  });
}

/** Throws AccessError when the token does not exist. */
export async function requireNamedToken(
  prisma: Pick<Tokens, 'organization' | 'apiToken'>,
  { organizationSlug, name }: NamedToken,
): Promise<ApiToken> {
  const { id: organizationId } = await requireOrganization(prisma, organizationSlug);
  const token = await prisma.apiToken.findUnique({ where: { organizationId_name: { organizationId, name } } });
  if (token === null) throw new AccessError(`${organizationSlug} has no token ${name}.`);
  return token;
}
