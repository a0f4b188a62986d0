import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { DomainError } from '../errors/domain-error';
import type { TrackedRequest } from '../http/tracked-request';
import { ACCESS, type Access } from './access.decorators';
import { roleAllows } from './caller';
import { isOpenPath } from './open-paths';

/** Denies by default: a handler that names no role is refused, whoever asks. */
@Injectable()
export class RoleGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<TrackedRequest>();
    const needed = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (needed === 'open' && isOpenPath(request.path)) return true;
    const { caller } = request;
    if (caller === undefined)
      throw new DomainError('AUTHENTICATION_REQUIRED', 'Send an API token in the header x-api-token.');
    if (needed === undefined || needed === 'open') {
      throw new DomainError('INSUFFICIENT_PERMISSIONS', 'Nobody may call this: its handler names no role.');
    }
    if (roleAllows(caller.role, needed)) return true;
    throw new DomainError(
      'INSUFFICIENT_PERMISSIONS',
      `This needs a token with the role ${needed}; ${caller.tokenName} has the role ${caller.role}.`,
    );
  }
}
