import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Prisma } from '../../generated/prisma/client';
import { Clock } from '../clock/clock';
import { PrismaService } from '../database/prisma.service';
import { DomainError } from '../errors/domain-error';
import type { Caller } from '../requests/caller';
import { FailedAttempts } from './failed-attempts';
import { hashToken } from './token';
import { TokenResolver } from './token-resolver';

type Sessions = Pick<Prisma.TransactionClient, 'browserSession'>;

const TERM_MS = 30 * 86_400_000;
const ID_BYTES = 32;
const ID = /^[A-Za-z0-9_-]{43}$/;
/** Sessions of one token. People use a few browsers; beyond this limit the oldest sessions end. */
const MOST_SESSIONS = 100;

export interface BegunSession {
  readonly cookie: string;
  readonly expiresAt: Date;
}

/** The token of a session, and the hash of the token's secret. The session ends when the token or this secret ends. */
interface SessionToken {
  readonly tokenId: string;
  readonly secretHash: string;
}

interface BrowserVisitor {
  readonly caller: Caller;
  /** The login at code hosts that the person gave; "": none. */
  readonly personName: string;
}

/**
 * Browser sessions, started with an API token. A session is valid on pages only, and ends when the secret of its token
 * ends.
 */
@Injectable()
export class BrowserSessions {
  constructor(
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
    private readonly tokens: TokenResolver,
    private readonly failedAttempts: FailedAttempts,
  ) {}

  /**
   * Errors: AUTHENTICATION_REQUIRED, INVALID_TOKEN; RATE_LIMIT_EXCEEDED after too many of these errors from one
   * address.
   */
  async begin(secret: string, personName: string, address: string): Promise<BegunSession> {
    const tokenId = await this.tokenWith(secret, address);
    return this.beginOf({ tokenId, secretHash: hashToken(secret) }, personName);
  }

  /** Begins a session with a token that the caller has checked. */
  async beginOf(
    { tokenId, secretHash }: SessionToken,
    personName: string,
    tx: Sessions = this.prisma,
  ): Promise<BegunSession> {
    const cookie = randomBytes(ID_BYTES).toString('base64url');
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + TERM_MS);
    const data = { hash: hashToken(cookie), tokenId, secretHash, personName, createdAt: now, expiresAt };
    await tx.browserSession.create({ data });
    await endOldest(tx, tokenId);
    return { cookie, expiresAt };
  }

  /** Null: the session is unknown, or has ended. */
  async find(cookie: string, address: string): Promise<BrowserVisitor | null> {
    if (!ID.test(cookie)) return null;
    const session = await this.prisma.browserSession.findUnique({ where: { hash: hashToken(cookie) } });
    if (session === null || session.expiresAt <= this.clock.now()) return null;
    const caller = await this.tokens.callerWith(session.secretHash, session.tokenId, address);
    return caller === null ? null : { caller: { ...caller, channel: 'page' }, personName: session.personName };
  }

  async end(cookie: string): Promise<void> {
    await this.prisma.browserSession.deleteMany({ where: { hash: hashToken(cookie) } });
  }

  private async tokenWith(secret: string, address: string): Promise<string> {
    try {
      const { tokenId } = await this.tokens.resolve(secret, address);
      // After a rotation, the previous secret stays valid for programs only, because operators need time to give the
      // new secret to their programs.
      const isPresent = await this.prisma.apiToken.count({ where: { id: tokenId, hash: hashToken(secret) } });
      if (isPresent > 0) return tokenId;
      throw new DomainError('INVALID_TOKEN', 'This token was rotated. Sign in with its new secret.');
    } catch (error) {
      if (error instanceof DomainError) this.failedAttempts.note(address);
      throw error;
    }
  }
}

async function endOldest(tx: Sessions, tokenId: string): Promise<void> {
  const surplus = await tx.browserSession.findMany({
    where: { tokenId },
    orderBy: [{ createdAt: 'desc' }, { hash: 'asc' }],
    skip: MOST_SESSIONS,
    select: { hash: true },
  });
  if (surplus.length === 0) return;
  await tx.browserSession.deleteMany({ where: { hash: { in: surplus.map(({ hash }) => hash) } } });
}
