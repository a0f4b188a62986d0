import type { NextFunction, Request, Response } from 'express';
import { TOKEN_HEADER } from '../platform/auth/token';
import { asksForPage, seeOther } from '../platform/http/see-other';
import { assetNamed } from './assets';

const OLD_LOG = /^\/v1\/checkRuns\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/log$/i;

/**
 * Redirects browsers from known API addresses to pages: from the root URL, and from log links in statuses that an older
 * version wrote. Answers for programs stay the same. This middleware may run before the guards, because its redirects
 * reveal no data.
 */
export function leadBrowsersToPages(request: Request, response: Response, next: NextFunction): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') return next();
  if (request.path === '/favicon.ico') return sendIcon(response);
  const page = pageFor(request);
  return page === null ? next() : seeOther(response, page);
}

function pageFor(request: Request): string | null {
  if (request.get(TOKEN_HEADER) !== undefined || !asksForPage(request.get('accept'))) return null;
  if (request.path === '/') return '/ui';
  const [, id] = OLD_LOG.exec(request.path) ?? [];
  return id === undefined ? null : `/ui/logs/${id.toLowerCase()}`;
}

function sendIcon(response: Response): void {
  const { content, type } = assetNamed('icon.svg')!;
  response.setHeader('Cache-Control', 'public, max-age=86400');
  response.type(type).send(content);
}
