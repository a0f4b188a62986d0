import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import type { Caller } from '../auth/caller';

const REQUEST_ID_HEADER = 'x-request-id';
const HARMLESS_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** What we leave on every request. */
export interface TrackedRequest extends Request {
  requestId: string;
  /** Settles when `ApiTokenGuard` knows who sent the request; rejects when nobody may. */
  authenticated?: Promise<void>;
  /** Absent on the open paths, and until the request is authenticated. */
  caller?: Caller;
}

/** Takes the caller's request id when it is harmless, else makes one. The answer carries it either way. */
export function trackRequest(request: Request, response: Response, next: NextFunction): void {
  const given = request.get(REQUEST_ID_HEADER);
  const requestId = given !== undefined && HARMLESS_ID.test(given) ? given : randomUUID();
  (request as TrackedRequest).requestId = requestId;
  response.setHeader(REQUEST_ID_HEADER, requestId);
  next();
}
