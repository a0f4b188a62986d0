import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import type { Caller } from './caller';
import { runForRequest } from './current-work';

const REQUEST_ID_HEADER = 'x-request-id';
const LONGEST_SHOWN_PATH = 200;
const HARMLESS_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The fields that the service adds to every request. */
export interface TrackedRequest extends Request {
  requestId: string;
  /** Resolves when `ApiTokenGuard` knows who sent the request; rejects when the token is missing or invalid. */
  authenticated?: Promise<void>;
  /** Absent on the open paths, and until the request is authenticated. */
  caller?: Caller;
  /** On pages: the login at code hosts that the person gave at sign-in; "": none. The login is not verified. */
  personName?: string;
}

/** Takes the caller's request id if it is harmless, or else makes an id. The answer contains the request id too. */
export function trackRequest(request: Request, response: Response, next: NextFunction): void {
  const given = request.get(REQUEST_ID_HEADER);
  const requestId = given !== undefined && HARMLESS_ID.test(given) ? given : randomUUID();
  const tracked = Object.assign(request, { requestId });
  response.setHeader(REQUEST_ID_HEADER, requestId);
  runForRequest<TrackedRequest>(tracked, nameOf, next);
}

/** Without the query, which may hold secrets. */
function nameOf({ method, path, caller, requestId }: TrackedRequest): string {
  const sender = caller === undefined ? '' : `, organization ${caller.organizationSlug}, token ${caller.tokenName}`;
  return `the request ${method} ${path.slice(0, LONGEST_SHOWN_PATH)} (${requestId}${sender})`;
}

/**
 * The client's IP address; with SLUICE_TRUST_PROXY, the address that the proxies report. An IPv4 address has IPv4 form,
 * even on an IPv6 socket.
 */
export function addressOf({ ip = '' }: Request): string {
  return ip.replace(/^::ffff:(?=\d+\.)/i, '');
}
