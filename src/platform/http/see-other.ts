import type { Response } from 'express';

/** Sends a browser to another page, with GET, whatever it sent itself. */
export function seeOther(response: Response, location: string): void {
  response.redirect(303, location);
}

/** Whether a browser asks for a page. Programs send no `Accept`, or one for everything. */
export function asksForPage(accept: string | undefined): boolean {
  return /\btext\/html\b/i.test(accept ?? '');
}
