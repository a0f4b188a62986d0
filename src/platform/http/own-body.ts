import { SetMetadata } from '@nestjs/common';

export const OWN_BODY = Symbol('ownBody');

/**
 * For a handler that reads the request's stream itself, such as an upload, or needs the raw bytes, such as a signed
 * webhook: `raw` puts a Buffer of at most 20 MiB on `request.body`, `stream` leaves the stream alone.
 */
export const OwnBody = (kind: 'raw' | 'stream') => SetMetadata(OWN_BODY, kind);
