import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../clock/clock';
import { PrismaService } from '../database/prisma.service';
import { DomainError } from '../errors/domain-error';
import type { Caller } from './caller';
import { capabilitiesOf } from './roles';
import { hashToken, looksLikeToken } from './token';

const LAST_USE_PRECISION_MS = 60_000;

interface StoredToken {
  readonly id: string;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** Finds the owner of a token. Asks the database each time, so a revoked token fails from the next request on. */
@Injectable()
export class TokenResolver {
  private readonly logger = new Logger(TokenResolver.name);

  constructor(
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
  ) {}

  /** Throws the DomainErrors AUTHENTICATION_REQUIRED and INVALID_TOKEN. */
  async resolve(header: string | undefined): Promise<Caller> {
    if (!header) throw new DomainError('AUTHENTICATION_REQUIRED', 'Send an API token in the header x-api-token.');
    const invalid = new DomainError('INVALID_TOKEN', 'The API token is unknown, expired or revoked.');
    if (!looksLikeToken(header)) throw invalid;
    const token = await this.prisma.apiToken.findUnique({
      where: { hash: hashToken(header) },
      include: { organization: { select: { slug: true } } },
    });
    const now = this.clock.now();
    if (token === null || !isValid(token, now)) throw invalid;
    await this.recordUse(token, now);
    return {
      organizationId: token.organizationId,
      organizationSlug: token.organization.slug,
      tokenId: token.id,
      tokenName: token.name,
      role: token.role,
      capabilities: capabilitiesOf(token.role, token.roleVersion),
    };
  }

  /** Once a minute: a write for every request would cost more than the request. */
  private async recordUse({ id, lastUsedAt }: StoredToken, now: Date): Promise<void> {
    const before = new Date(now.getTime() - LAST_USE_PRECISION_MS);
    if (lastUsedAt !== null && lastUsedAt > before) return;
    try {
      const where = { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: before } }] };
      await this.prisma.apiToken.updateMany({ where, data: { lastUsedAt: now } });
    } catch (error) {
      this.logger.warn(`the last use of a token could not be recorded: ${String(error)}`);
    }
  }
}

function isValid({ expiresAt, revokedAt }: StoredToken, now: Date): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now);
}
