import { SetMetadata } from '@nestjs/common';

export const OWN_BODY = Symbol('ownBody');

/**
 * For handlers that need the body in another form. `raw` puts a Buffer of at most 20 MiB on `request.body`, for signed
 * webhooks; a compressed body is refused. `stream` leaves the stream unread, for uploads.
 */
export const OwnBody = (kind: 'raw' | 'stream') => SetMetadata(OWN_BODY, kind);
