import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { DomainError } from '../errors/domain-error';
import { addressOf, type TrackedRequest } from '../http/tracked-request';
import { FailedAttempts } from './failed-attempts';
import { isOpenPath, METRICS_PATHS } from './open-paths';
import { TOKEN_HEADER } from './token';
import { TokenResolver } from './token-resolver';

/**
 * The first of the global guards: it puts the caller on the request, or refuses with 401.
 *
 * How 401 stays the first answer (docs/adr/0013):
 * - Before the body: no middleware reads it. `BodyGuard` does, after this guard.
 * - Before 404 and before a path that cannot be decoded: the router runs no guard for these, it fails. Every failure is
 *   answered by `ErrorFilter`, which calls `authenticate` first. `UnmatchedPaths` makes "no route" a failure.
 * - For extensions: their handlers pass the same guards. `RouteChecks` stops the start when a module has middleware,
 *   because middleware runs before guards.
 */
@Injectable()
export class ApiTokenGuard implements CanActivate {
  constructor(
    private readonly tokens: TokenResolver,
    private readonly failedAttempts: FailedAttempts,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.authenticate(context.switchToHttp().getRequest<TrackedRequest>());
    return true;
  }

  /**
   * Asks the database once for each request. Throws the DomainErrors AUTHENTICATION_REQUIRED and INVALID_TOKEN, and
   * RATE_LIMIT_EXCEEDED for an address from which too many of these came.
   */
  authenticate(request: TrackedRequest): Promise<void> {
    request.authenticated ??= this.findCaller(request);
    return request.authenticated;
  }

  private async findCaller(request: TrackedRequest): Promise<void> {
    if (isOpenPath(request.path)) return;
    const address = addressOf(request);
    try {
      request.caller = await this.tokens.resolve(tokenIn(request), address);
    } catch (error) {
      if (error instanceof DomainError) this.failedAttempts.note(address);
      throw error;
    }
  }
}

/** Scrapers of metrics send a bearer token and nothing else. The interface itself knows one header. */
function tokenIn(request: TrackedRequest): string | undefined {
  const given = request.get(TOKEN_HEADER);
  if (given !== undefined || !METRICS_PATHS.includes(request.path)) return given;
  return /^Bearer +(\S+)$/i.exec(request.get('authorization') ?? '')?.[1];
}
