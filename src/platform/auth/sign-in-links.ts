import { Injectable } from '@nestjs/common';
import type { ApiToken, Prisma, PrismaClient, SignInLink } from '../../generated/prisma/client';
import { changeRecorded } from '../audit/audit-log';
import { operator, sourceOf } from '../audit/audit-source';
import { Clock } from '../clock/clock';
import { PrismaService } from '../database/prisma.service';
import { DomainError } from '../errors/domain-error';
import { AccessError } from './access-error';
import { type BegunSession, BrowserSessions } from './browser-sessions';
import type { Caller } from '../requests/caller';
import { FailedAttempts } from './failed-attempts';
import { requireOrganization } from './organizations';
import { generateLinkCode, hashToken, looksLikeLinkCode } from './token';
import { TokenResolver } from './token-resolver';
import { requireNamedToken } from './tokens';

const TERM_MS = 10 * 60_000;

interface SignInLinkRequest {
  readonly organizationSlug: string;
  /** Absent: the only valid admin token of the organization. */
  readonly tokenName?: string;
}

export interface MadeSignInLink {
  /** Shown only once: the database stores its hash. */
  readonly code: string;
  readonly tokenName: string;
  readonly expiresAt: Date;
}

/** The URL that signs a browser in. `publicUrl`: without a slash at the end. */
export function signInLinkUrl(publicUrl: string, code: string): string {
  return `${publicUrl}/ui/sign-in-link?code=${code}`;
}

/** Creates a link that signs one browser in within ten minutes. Throws AccessError. */
export function createSignInLink(
  prisma: Pick<PrismaClient, '$transaction'>,
  request: SignInLinkRequest,
  now: Date,
  by = operator(),
): Promise<MadeSignInLink> {
  return prisma.$transaction(async (tx) => {
    const { id: tokenId, organizationId, name, hash: secretHash } = await tokenFor(tx, request, now);
    const code = generateLinkCode();
    const expiresAt = new Date(now.getTime() + TERM_MS);
    await tx.signInLink.create({ data: { hash: hashToken(code), tokenId, secretHash, createdAt: now, expiresAt } });
    const change = { organizationId, repositoryId: null, subject: name, from: null, to: { expiresAt } };
    await tx.$executeRaw(changeRecorded({ ...change, action: 'sign_in_link.created', at: now, by }));
    return { code, tokenName: name, expiresAt };
  });
}

async function tokenFor(
  tx: Prisma.TransactionClient,
  { organizationSlug, tokenName }: SignInLinkRequest,
  now: Date,
): Promise<ApiToken> {
  if (tokenName !== undefined) {
    const named = await requireNamedToken(tx, { organizationSlug, name: tokenName });
    if (isValidAdmin(named, now)) return named;
    throw new AccessError(`The token ${tokenName} of ${organizationSlug} is not a valid admin token.`);
  }
  const { id: organizationId } = await requireOrganization(tx, organizationSlug);
  const admins = await tx.apiToken.findMany({
    where: { organizationId, role: 'admin' },
    orderBy: { createdAt: 'asc' },
  });
  const [only, ...others] = admins.filter((token) => isValidAdmin(token, now));
  if (only === undefined) throw new AccessError(`${organizationSlug} has no valid admin token.`);
  if (others.length === 0) return only;
  const names = [only, ...others].map(({ name }) => name).join(', ');
  throw new AccessError(`${organizationSlug} has more than one valid admin token: ${names}.`);
}

function isValidAdmin({ role, revokedAt, expiresAt }: ApiToken, now: Date): boolean {
  return role === 'admin' && revokedAt === null && (expiresAt === null || expiresAt > now);
}

/** Sign-in links that are opened in a browser. Opening a link does not use it up; signing in does. */
@Injectable()
export class SignInLinks {
  constructor(
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
    private readonly tokens: TokenResolver,
    private readonly sessions: BrowserSessions,
    private readonly failedAttempts: FailedAttempts,
  ) {}

  /**
   * The caller as whom the link signs in. Errors: INVALID_TOKEN; RATE_LIMIT_EXCEEDED after too many of these errors
   * from one address.
   */
  async callerOf(code: string, address: string): Promise<Caller> {
    return (await this.find(code, address)).caller;
  }

  /** Errors: as `callerOf`. If several browsers use the link at the same time, only one browser succeeds. */
  async signIn(code: string, personName: string, address: string): Promise<BegunSession> {
    const { link, caller } = await this.find(code, address);
    const by = sourceOf({ ...caller, channel: 'page' });
    const session = await this.prisma.$transaction(async (tx) => {
      const { count } = await tx.signInLink.deleteMany({ where: { hash: link.hash } });
      if (count === 0) return null;
      const { organizationId, tokenName: subject } = caller;
      const change = { organizationId, repositoryId: null, subject, from: null, to: null };
      await tx.$executeRaw(changeRecorded({ ...change, action: 'sign_in_link.used', at: this.clock.now(), by }));
      return this.sessions.beginOf(link, personName, tx);
    });
    return session ?? this.refuse(address);
  }

  private async find(code: string, address: string): Promise<{ link: SignInLink; caller: Caller }> {
    if (!looksLikeLinkCode(code)) return this.refuse(address);
    const link = await this.prisma.signInLink.findUnique({ where: { hash: hashToken(code) } });
    if (link === null || link.expiresAt <= this.clock.now()) return this.refuse(address);
    const caller = await this.tokens.callerWith(link.secretHash, link.tokenId, address);
    return caller === null ? this.refuse(address) : { link, caller };
  }

  private refuse(address: string): never {
    this.failedAttempts.note(address);
    throw new DomainError('INVALID_TOKEN', 'This link was used already, has expired, or its token is no longer valid.');
  }
}
