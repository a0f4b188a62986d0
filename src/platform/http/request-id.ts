import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import type { TrackedRequest } from './tracked-request';

const HEADER = 'x-request-id';
const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/;

/** Takes the caller's request id when it is harmless, else makes one; answers it either way. */
export function trackRequest(request: Request, response: Response, next: NextFunction): void {
  const given = request.get(HEADER);
  const requestId = given !== undefined && ACCEPTED.test(given) ? given : randomUUID();
  (request as TrackedRequest).requestId = requestId;
  response.setHeader(HEADER, requestId);
  next();
}
