import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Config } from '../config/config';
import { DomainError } from '../errors/domain-error';
import { isPagePath } from '../requests/open-paths';

const READS: readonly string[] = ['GET', 'HEAD'];

/**
 * Refuses forms that another site made a browser send. Only pages need this guard: an API request needs a header that
 * other sites cannot make a browser send.
 */
@Injectable()
export class SameOriginGuard implements CanActivate {
  constructor(private readonly config: Config) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (!isPagePath(request.path) || READS.includes(request.method) || this.isOurs(request)) return true;
    throw new DomainError(
      'INSUFFICIENT_PERMISSIONS',
      'This form was not sent by a page of this service, so nothing was done.',
    );
  }

  /** Browsers send `Sec-Fetch-Site` over https and to localhost, and `Origin` with every POST. */
  private isOurs(request: Request): boolean {
    if (request.get('sec-fetch-site') === 'same-origin') return true;
    const origin = request.get('origin');
    if (origin === undefined || !URL.canParse(origin)) return false;
    return (
      origin === new URL(this.config.publicUrl).origin || origin === `${request.protocol}://${request.get('host')}`
    );
  }
}
