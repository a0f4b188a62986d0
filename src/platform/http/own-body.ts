import { SetMetadata } from '@nestjs/common';

export const OWN_BODY = Symbol('ownBody');

export type BodyKind = 'raw' | 'stream' | 'form';

/**
 * For handlers that need the body in another form. `raw` puts a Buffer of at most 20 MiB on `request.body`, for signed
 * webhooks; a compressed body is refused. `stream` leaves the stream unread, for uploads. `form` is for forms of pages, of at most
 * 64 KiB: it puts their fields on `request.body`, each a text, or a list of texts where a name comes twice.
 */
export const OwnBody = (kind: BodyKind) => SetMetadata(OWN_BODY, kind);
