import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { TrackedRequest } from '../http/tracked-request';
import { isOpenPath } from './open-paths';
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
  constructor(private readonly tokens: TokenResolver) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.authenticate(context.switchToHttp().getRequest<TrackedRequest>());
    return true;
  }

  /** Asks the database once for each request. Throws the DomainErrors AUTHENTICATION_REQUIRED and INVALID_TOKEN. */
  authenticate(request: TrackedRequest): Promise<void> {
    request.authenticated ??= this.findCaller(request);
    return request.authenticated;
  }

  private async findCaller(request: TrackedRequest): Promise<void> {
    if (isOpenPath(request.path)) return;
    request.caller = await this.tokens.resolve(request.get(TOKEN_HEADER), request.ip ?? null);
  }
}
