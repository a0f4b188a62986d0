import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { TrackedRequest } from '../http/tracked-request';
import { isOpenPath } from './open-paths';
import { TokenResolver } from './token-resolver';

/** Puts the caller on the request, or refuses it, before anything of it is routed or read. */
@Injectable()
export class TokenMiddleware implements NestMiddleware {
  constructor(private readonly tokens: TokenResolver) {}

  async use(request: Request, _response: Response, next: NextFunction): Promise<void> {
    if (!isOpenPath(request.path)) {
      (request as TrackedRequest).caller = await this.tokens.resolve(request.get('x-api-token'));
    }
    next();
  }
}
