import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whether the header `X-Hub-Signature-256` was made of these bytes with this secret; takes the same time for any answer. */
export function isSignedWith(secret: string, body: Buffer, header: string | undefined): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = Buffer.from(header ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
