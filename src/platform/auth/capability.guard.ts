import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { DomainError } from '../errors/domain-error';
import type { TrackedRequest } from '../requests/tracked-request';
import { ACCESS, type Access } from './access.decorators';
import { isOpenPath } from '../requests/open-paths';
import { rolesWith } from '../requests/roles';

/** Denies by default: a handler without a capability cannot be called. */
@Injectable()
export class CapabilityGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const { caller, path } = context.switchToHttp().getRequest<TrackedRequest>();
    const needed = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (needed === 'open' && isOpenPath(path)) return true;
    if (caller === undefined) {
      throw new DomainError(
        'AUTHENTICATION_REQUIRED',
        'Nobody may call this: its path is open, so no token is read, but its handler is not marked as open.',
      );
    }
    if (needed === undefined || needed === 'open') {
      throw new DomainError('INSUFFICIENT_PERMISSIONS', 'Nobody may call this: its handler names no capability.');
    }
    if (caller.capabilities.includes(needed)) return true;
    throw new DomainError(
      'INSUFFICIENT_PERMISSIONS',
      `This needs a token with the role ${rolesWith(needed).join(' or ')}; ${caller.tokenName} has the role ${caller.role}.`,
    );
  }
}
