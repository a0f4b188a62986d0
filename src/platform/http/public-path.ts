import type { Response } from 'express';

/** The setting of the application that holds it. */
export const PUBLIC_PATH = 'sluice public path';

/**
 * `/merge-queue` of `https://host.example/merge-queue`, "" of an address without a path. A proxy publishes the service below it and
 * takes it away from what it passes on: so requests never have it, and whatever leads a browser somewhere does.
 */
export function publicPathOf(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, '');
}

/** That of the service which answers. */
export function publicPathFor(response: Response): string {
  return (response.app.get(PUBLIC_PATH) as string | undefined) ?? '';
}
