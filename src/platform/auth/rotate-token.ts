import type { Prisma, PrismaClient } from '../../generated/prisma/client';
import { changeRecorded } from '../audit/audit-log';
import { type AuditSource, operator } from '../audit/audit-source';
import { AccessError } from './access-error';
import { ROLES_VERSION } from '../requests/roles';
import { generateToken, hashToken } from './token';
import { requireNamedToken } from './tokens';

const OVERLAP_MS = 24 * 3_600_000;

interface RotationRequest {
  readonly organizationSlug: string;
  readonly name: string;
  /** Null: never expires. Absent: the same lifetime as before, from now on. */
  readonly expiresAt?: Date | null;
}

interface RotatedToken {
  /** Shown only once: the database stores its hash. */
  readonly token: string;
  readonly expiresAt: Date | null;
  /** The previous secret stays valid until this time, with its previous capabilities. */
  readonly previousUntil: Date;
}

/**
 * Gives a token a new secret. Name, role and limits stay. If the token had more capabilities than its role has now, the
 * new secret lacks the extra capabilities. The previous secret stays valid for 24 hours, or until it would have
 * expired. A still older secret ends now. Throws AccessError.
 */
export function rotateToken(
  prisma: Pick<PrismaClient, '$transaction'>,
  request: RotationRequest,
  now: Date,
  by = operator(),
): Promise<RotatedToken> {
  return prisma.$transaction((tx) => rotate(tx, request, now, by));
}

async function rotate(
  tx: Prisma.TransactionClient,
  request: RotationRequest,
  now: Date,
  by: AuditSource,
): Promise<RotatedToken> {
  const before = await requireNamedToken(tx, request);
  const { id, organizationId, hash, name, roleVersion } = before;
  if (before.revokedAt !== null) throw new AccessError(`The token ${name} is revoked: create another token.`);
  const expiresAt = request.expiresAt === undefined ? sameTermFrom(now, before) : request.expiresAt;
  if (expiresAt !== null && expiresAt <= now) throw new AccessError('The token would have expired already.');
  const token = generateToken();
  const overlap = now.getTime() + OVERLAP_MS;
  const previousUntil = new Date(Math.min(overlap, before.expiresAt?.getTime() ?? overlap));
  const previous = { previousHash: hash, previousRoleVersion: roleVersion, previousUntil };
  const data = { ...previous, hash: hashToken(token), roleVersion: ROLES_VERSION, rotatedAt: now, expiresAt };
  // With the hash in the condition, two simultaneous rotations cannot end each other's new secret.
  const { count } = await tx.apiToken.updateMany({ where: { id, hash }, data });
  if (count === 0) throw new AccessError(`The token ${name} was rotated meanwhile: nothing was changed.`);
  const [from, to] = [{ expiresAt: before.expiresAt }, { expiresAt, previousUntil }];
  const change = { organizationId, repositoryId: null, subject: name, from, to };
  await tx.$executeRaw(changeRecorded({ ...change, action: 'token.rotated', at: now, by }));
  return { token, expiresAt, previousUntil };
}

interface Term {
  readonly createdAt: Date;
  readonly rotatedAt: Date | null;
  readonly expiresAt: Date | null;
}

function sameTermFrom(now: Date, { createdAt, rotatedAt, expiresAt }: Term): Date | null {
  if (expiresAt === null) return null;
  return new Date(now.getTime() + expiresAt.getTime() - (rotatedAt ?? createdAt).getTime());
}
