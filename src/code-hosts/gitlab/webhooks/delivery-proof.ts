import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { ConfiguredGitLab } from '../gitlab-hosts';

/**
 * A signed delivery is refused if its time differs from the service's time by more than this, as Standard Webhooks
 * advises.
 */
const MOST_SECONDS_OFF = 300;
const LONGEST_ID = 200;

/** The parts of a delivery that are checked before its body is trusted. */
export interface GitLabDelivery {
  /** The value of a header; null if the delivery lacks it. */
  readonly header: (name: string) => string | null;
  readonly body: Buffer;
}

/**
 * Null if the delivery is proven to come from the host; otherwise the reason for refusing it. If a key for signatures
 * is configured and the delivery is signed, only the signature decides. Otherwise the secret in the delivery decides.
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

/**
 * Like `objectionToDelivery`, but only the signature decides. A comparison takes equally long whether signatures are
 * equal or not.
 */
function objectionToSignature(key: Buffer, { header, body }: GitLabDelivery, now: Date): string | null {
  const [id, seconds] = [header('webhook-id') ?? '', header('webhook-timestamp') ?? ''];
  const signed = createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest('base64');
  const given = (header('webhook-signature') ?? '').split(' ');
  if (!given.some((one) => isSame(one, `v1,${signed}`))) return 'its signature is wrong';
  const off = Math.abs(now.getTime() / 1000 - Number(seconds));
  return off <= MOST_SECONDS_OFF ? null : 'its time differs from the current time: check the clocks of both machines';
}

/**
 * Compares hashes, which have the same length, so the duration reveals nothing about the secret, not even its length.
 */
function isSame(given: string, wanted: string): boolean {
  const [one, other] = [given, wanted].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}

/**
 * The id of a delivery, which stays the same when GitLab sends the delivery again. `X-Gitlab-Event-UUID` is unsuitable,
 * because deliveries that trigger each other share it. GitLab before 17.4 sends no id, so the content identifies the
 * delivery.
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
