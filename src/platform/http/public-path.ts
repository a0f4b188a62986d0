import type { Response } from 'express';

/** The application setting that holds the public path. */
export const PUBLIC_PATH = 'sluice public path';

/**
 * `/merge-queue` for `https://host.example/merge-queue`; "" for a URL without a path. A proxy adds this path for
 * clients and removes it from requests. So requests never contain it, but every redirect and link must.
 */
export function publicPathOf(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, '');
}

/** The public path of the answering service. */
export function publicPathFor(response: Response): string {
  return (response.app.get(PUBLIC_PATH) as string | undefined) ?? '';
}
