import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { publicPathFor } from '../platform/http/public-path';
import { Html } from './html';
import { withPublicPath } from './public-links';

/** Sends the Html that a handler returns as a page. */
@Injectable()
export class SendPage implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(map((answer: unknown) => (answer instanceof Html ? asPage(answer, response) : answer)));
  }
}

/** Sets the headers of a page. A page is personal and current, so it must not be cached. */
export function asPage(page: Html, response: Response): string {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  return withPublicPath(page.toString(), publicPathFor(response));
}
