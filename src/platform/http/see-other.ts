import type { Response } from 'express';
import { publicPathFor } from './public-path';

/** Redirects a browser to another page of ours, with GET. `path`: without the public path. */
export function seeOther(response: Response, path: string): void {
  response.redirect(303, publicPathFor(response) + path);
}

/** Whether a browser requests a page. Programs send no `Accept` header, or a header that accepts everything. */
export function asksForPage(accept: string | undefined): boolean {
  return /\btext\/html\b/i.test(accept ?? '');
}
