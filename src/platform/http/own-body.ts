import { SetMetadata } from '@nestjs/common';

export const OWN_BODY = Symbol('ownBody');

export type BodyKind = 'raw' | 'stream' | 'form';

/**
 * Marks a handler that needs the body in another form than parsed JSON.
 * - `raw` puts a Buffer of at most 20 MiB on `request.body`, for signed webhooks. A compressed body is refused.
 * - `stream` leaves the stream unread, for uploads.
 * - `form` puts the fields of a page's form on `request.body`, each as a text, or as a list of texts if a name is
 *   repeated. The limit is 64 KiB.
 */
export const OwnBody = (kind: BodyKind) => SetMetadata(OWN_BODY, kind);
