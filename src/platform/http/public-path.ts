import type { Response } from 'express';

/** The application setting that holds the public path. */
export const PUBLIC_PATH = 'sluice public path';

/**
 * `/merge-queue` for `https://host.example/merge-queue`; "" for a URL without a path. Clients use URLs with this path,
 * and a proxy removes the path from their requests. So a request that arrives never contains the path, but every
 * redirect and link must contain it.
 */
export function publicPathOf(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, '');
}

/** The public path of the answering service. */
export function publicPathFor(response: Response): string {
  return (response.app.get(PUBLIC_PATH) as string | undefined) ?? '';
}
