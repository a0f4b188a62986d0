import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { ConfiguredGitLab } from '../gitlab-hosts';

/** Older and newer than this a signed delivery is not taken, as Standard Webhooks advises. */
const MOST_SECONDS_OFF = 300;
const LONGEST_ID = 200;

/** What counts of a delivery before its body is believed. */
export interface GitLabDelivery {
  /** Null: there is no such header. */
  readonly header: (name: string) => string | null;
  readonly body: Buffer;
}

/**
 * Null when the delivery is proven to come from the host, or why it is not. A signature, where the host has the key for one,
 * decides alone; without one the secret does, which the host sends as it is.
 */
export function objectionToDelivery(
  { webhookSecret, webhookKey }: ConfiguredGitLab,
  delivery: GitLabDelivery,
  now: Date,
): string | null {
  if (webhookSecret === null && webhookKey === null) return 'no webhook secret is configured';
  if (webhookKey !== null && delivery.header('webhook-signature') !== null)
    return objectionToSignature(webhookKey, delivery, now);
  const given = delivery.header('x-gitlab-token') ?? '';
  if (webhookSecret === null) return 'it is not signed';
  return isSame(given, webhookSecret) ? null : 'its secret is another one';
}

/** Takes the same time for any answer about the signature. */
function objectionToSignature(key: Buffer, { header, body }: GitLabDelivery, now: Date): string | null {
  const [id, seconds] = [header('webhook-id') ?? '', header('webhook-timestamp') ?? ''];
  const signed = createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest('base64');
  const given = (header('webhook-signature') ?? '').split(' ');
  if (!given.some((one) => isSame(one, `v1,${signed}`))) return 'its signature is wrong';
  const off = Math.abs(now.getTime() / 1000 - Number(seconds));
  return off <= MOST_SECONDS_OFF ? null : 'it was signed at another time than now: see the clocks of both machines';
}

/** Hashes have one length, so that comparing tells nothing of the secret, also not its length. */
function isSame(given: string, wanted: string): boolean {
  const [one, other] = [given, wanted].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}

/**
 * What tells a delivery from others, and is the same when it is sent again. `X-Gitlab-Event-UUID` does not: deliveries that set
 * each other off share it. Hosts before 17.4 send no id; then what was delivered is it.
 */
export function idOfDelivery({ header, body }: GitLabDelivery): string {
  const given = header('idempotency-key') ?? header('webhook-id') ?? '';
  if (given !== '' && given.length <= LONGEST_ID) return given;
  const content = createHash('sha256')
    .update(header('x-gitlab-event') ?? '')
    .update('\0')
    .update(body);
  return `content-${content.digest('hex').slice(0, 40)}`;
}
