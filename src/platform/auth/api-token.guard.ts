import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Config } from '../config/config';
import { DomainError } from '../errors/domain-error';
import { addressOf, type TrackedRequest } from '../requests/tracked-request';
import { CHANNEL_HEADER, channelIn } from './channel';
import { FailedAttempts } from './failed-attempts';
import { BrowserSessions } from './browser-sessions';
import { isOpenPath, isPagePath, METRICS_PATHS } from '../requests/open-paths';
import { sessionCookieIn } from './session-cookie';
import { TOKEN_HEADER } from './token';
import { TokenResolver } from './token-resolver';

/**
 * The first global guard: it puts the caller on the request, or refuses with 401.
 *
 * Pages for browsers know their caller by a session (docs/security.md). How 401 stays the first answer (docs/adr/0028):
 * - The guard runs before the body is read: no middleware reads bodies. `BodyGuard` reads them, after this guard.
 * - For a path without a route and a path that cannot be decoded, the router runs no guard: it fails. `ErrorFilter`
 *   answers every failure, and calls `authenticate` first. `UnmatchedPaths` makes "no route" a failure.
 * - The handlers of extensions pass the same guards. `RouteChecks` stops the start when a module has middleware,
 *   because middleware runs before guards.
 */
@Injectable()
export class ApiTokenGuard implements CanActivate {
  constructor(
    private readonly tokens: TokenResolver,
    private readonly sessions: BrowserSessions,
    private readonly failedAttempts: FailedAttempts,
    private readonly config: Config,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.authenticate(context.switchToHttp().getRequest<TrackedRequest>());
    return true;
  }

  /**
   * Queries the database once per request. Throws the DomainErrors AUTHENTICATION_REQUIRED and INVALID_TOKEN, and
   * RATE_LIMIT_EXCEEDED after too many of these errors from one address.
   */
  authenticate(request: TrackedRequest): Promise<void> {
    request.authenticated ??= this.findCaller(request);
    return request.authenticated;
  }

  /** A browser without a session does not count as a failed attempt. */
  private async findVisitor(request: TrackedRequest): Promise<void> {
    const address = addressOf(request);
    const cookie = sessionCookieIn(request, this.config.publicUrl);
    if (cookie === undefined) throw new DomainError('AUTHENTICATION_REQUIRED', 'Sign in to see this page.');
    const session = await this.sessions.find(cookie, address);
    if (session === null) {
      this.failedAttempts.note(address);
      throw new DomainError('INVALID_TOKEN', 'Your session has ended. Sign in again.');
    }
    request.caller = session.caller;
    request.personName = session.personName;
  }

  private async findCaller(request: TrackedRequest): Promise<void> {
    if (isOpenPath(request.path)) return;
    if (isPagePath(request.path)) return this.findVisitor(request);
    const address = addressOf(request);
    try {
      const caller = await this.tokens.resolve(tokenIn(request), address);
      request.caller = { ...caller, channel: channelIn(request.get(CHANNEL_HEADER)) };
    } catch (error) {
      if (error instanceof DomainError) this.failedAttempts.note(address);
      throw error;
    }
  }
}

/** Metrics scrapers can only send a bearer token. All other API requests send the token in `TOKEN_HEADER`. */
function tokenIn(request: TrackedRequest): string | undefined {
  const given = request.get(TOKEN_HEADER);
  if (given !== undefined || !METRICS_PATHS.includes(request.path)) return given;
  return /^Bearer +(\S+)$/i.exec(request.get('authorization') ?? '')?.[1];
}
