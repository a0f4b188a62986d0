import { Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { TrackedRequest } from '../requests/tracked-request';

const logger = new Logger('Request');

/** Monitoring requests these paths every few seconds. */
const PROBES: readonly string[] = ['/healthz', '/readyz'];

/** Logs one line per answer. Headers, bodies and queries are left out, because they may hold secrets. */
export function logRequests(request: Request, response: Response, next: NextFunction): void {
  const startedAt = performance.now();
  response.once('close', () => {
    const { requestId, caller } = request as TrackedRequest;
    const level = PROBES.includes(request.path) ? 'debug' : 'log';
    logger[level]({
      message: `${request.method} ${request.path} ${response.writableFinished ? response.statusCode : 'aborted'}`,
      requestId,
      method: request.method,
      path: request.path,
      status: response.statusCode,
      durationMs: Math.round(performance.now() - startedAt),
      ...(caller && { organization: caller.organizationSlug, token: caller.tokenName }),
    });
  });
  next();
}
