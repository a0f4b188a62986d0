import type { Response } from 'express';
import { publicPathFor } from './public-path';

/** Sends a browser to another page of ours, with GET, whatever it sent itself. `path`: as the service knows it. */
export function seeOther(response: Response, path: string): void {
  response.redirect(303, publicPathFor(response) + path);
}

/** Whether a browser asks for a page. Programs send no `Accept`, or one for everything. */
export function asksForPage(accept: string | undefined): boolean {
  return /\btext\/html\b/i.test(accept ?? '');
}
