import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  getOptionsToken,
  getStorageToken,
  ThrottlerGuard,
  type ThrottlerLimitDetail,
  type ThrottlerModuleOptions,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import { Config } from '../config/config';
import { DomainError } from '../errors/domain-error';
import type { TrackedRequest } from '../requests/tracked-request';

export const RATE_LIMIT_WINDOW_MS = 60_000;

/** Counts the requests of each token, over all routes. */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  constructor(
    @Inject(getOptionsToken()) options: ThrottlerModuleOptions,
    @Inject(getStorageToken()) storage: ThrottlerStorage,
    reflector: Reflector,
    private readonly config: Config,
  ) {
    super(options, storage, reflector);
  }

  protected override shouldSkip(context: ExecutionContext): Promise<boolean> {
    const { caller } = context.switchToHttp().getRequest<TrackedRequest>();
    return Promise.resolve(this.config.rateLimitPerMinute === 0 || caller === undefined);
  }

  protected override getTracker(request: Record<string, unknown>): Promise<string> {
    return Promise.resolve((request as unknown as TrackedRequest).caller?.tokenId ?? '');
  }

  protected override generateKey(_context: ExecutionContext, tokenId: string): string {
    return tokenId;
  }

  protected override throwThrottlingException(_context: ExecutionContext, limit: ThrottlerLimitDetail): Promise<void> {
    const seconds = Math.max(1, limit.timeToBlockExpire);
    const message = `This token has sent more than ${limit.limit} requests in a minute; try again in ${seconds} seconds.`;
    throw new DomainError('RATE_LIMIT_EXCEEDED', message, [], seconds);
  }
}
