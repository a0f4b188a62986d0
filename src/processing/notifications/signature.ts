import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
/** The length of a secret. Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32;

export function makeSigningSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

interface SignedMessage {
  readonly id: string;
  /** Unix time in seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/** The headers of Standard Webhooks, with a signature for each secret. */
export function signedHeaders(
  { id, timestamp, body }: SignedMessage,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
