import { Injectable, Logger } from '@nestjs/common';
import { type ApiToken, Prisma } from '../../generated/prisma/client';
import { Clock } from '../clock/clock';
import { DatabaseOutage } from '../database/database-outage';
import { PrismaService } from '../database/prisma.service';
import { Sql } from '../database/sql';
import { DomainError } from '../errors/domain-error';
import type { Caller } from '../requests/caller';
import { capabilitiesOf } from '../requests/roles';
import { hashToken, looksLikeToken } from './token';

const LAST_USE_PRECISION_MS = 60_000;

/**
 * Finds the owner of a token. Queries the database for every request, so that a revoked token fails from the next
 * request on.
 */
@Injectable()
export class TokenResolver {
  private readonly logger = new Logger(TokenResolver.name);

  constructor(
    private readonly prisma: PrismaService,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly outage: DatabaseOutage,
  ) {}

  /** `address`: the client's IP address. Throws the DomainErrors AUTHENTICATION_REQUIRED and INVALID_TOKEN. */
  async resolve(header: string | undefined, address: string | null): Promise<Caller> {
    if (!header) throw new DomainError('AUTHENTICATION_REQUIRED', 'Send an API token in the header x-api-token.');
    if (!looksLikeToken(header)) throw invalidToken();
    const hash = hashToken(header);
    const token = await this.find(Prisma.sql`t."hash" = ${hash} OR t."previousHash" = ${hash}`);
    const now = this.clock.now();
    if (token === undefined) throw invalidToken();
    const secret = secretOf(token, hash);
    if (!isValid(token, secret, now)) throw invalidToken();
    await this.recordUse(token, now);
    return callerOf(token, secret, address);
  }

  /**
   * The caller of a token, if its secret has this hash; null: the token is revoked, expired or deleted, or has another
   * secret now.
   */
  async callerWith(secretHash: string, tokenId: string, address: string | null): Promise<Caller | null> {
    const token = await this.find(Prisma.sql`t."id" = ${tokenId}::uuid AND t."hash" = ${secretHash}`);
    const now = this.clock.now();
    if (token === undefined) return null;
    const secret = secretOf(token, secretHash);
    if (!isValid(token, secret, now)) return null;
    await this.recordUse(token, now);
    return callerOf(token, secret, address);
  }

  private async find(condition: Prisma.Sql): Promise<TokenOfOrganization | undefined> {
    const [token] = await this.sql.rows<TokenOfOrganization>`/* token-resolver find */
      SELECT t.*, o."slug" AS "organizationSlug"
      FROM "ApiToken" t JOIN "Organization" o ON o."id" = t."organizationId" WHERE ${condition}`;
    return token;
  }

  /** Once a minute, because a write for every request would cost more than the request. */
  private async recordUse({ id, lastUsedAt }: ApiToken, now: Date): Promise<void> {
    const before = new Date(now.getTime() - LAST_USE_PRECISION_MS);
    if (lastUsedAt !== null && lastUsedAt > before) return;
    try {
      const where = { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: before } }] };
      await this.prisma.apiToken.updateMany({ where, data: { lastUsedAt: now } });
    } catch (error) {
      this.outage.report(this.logger, 'the last use of a token could not be recorded', error, 'warn');
    }
  }
}

function invalidToken(): DomainError {
  return new DomainError('INVALID_TOKEN', 'The API token is unknown, expired or revoked.');
}

type TokenOfOrganization = ApiToken & { readonly organizationSlug: string };

function callerOf(token: TokenOfOrganization, { roleVersion }: Secret, address: string | null): Caller {
  return {
    organizationId: token.organizationId,
    organizationSlug: token.organizationSlug,
    tokenId: token.id,
    tokenName: token.name,
    role: token.role,
    capabilities: capabilitiesOf(token.role, roleVersion),
    repositoryIds: token.repositoryIds.length === 0 ? null : token.repositoryIds,
    bestPriority: token.bestPriority === null ? null : Number(token.bestPriority),
    address,
  };
}

interface Secret {
  readonly until: Date | null;
  readonly roleVersion: number;
}

/**
 * The secret with this hash: the current secret or, after a rotation, the previous one. A previous secret keeps its
 * capabilities until it ends.
 */
function secretOf(token: ApiToken, hash: string): Secret {
  const { roleVersion, previousRoleVersion, previousUntil } = token;
  if (token.hash === hash) return { until: token.expiresAt, roleVersion };
  return { until: previousUntil, roleVersion: previousRoleVersion ?? roleVersion };
}

function isValid({ revokedAt }: ApiToken, { until }: Secret, now: Date): boolean {
  return revokedAt === null && (until === null || until > now);
}
