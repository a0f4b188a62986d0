import { assertNever } from '../../engine/vocabulary';
import { chatMessageOf } from '../chat/chat-message';
import { discordBody } from '../chat/discord';
import { mattermostBody } from '../chat/mattermost';
import { slackBody } from '../chat/slack';
import { teamsBody } from '../chat/teams';
import { PAYLOAD_VERSION } from '../events/webhook-event';
import { pageOf } from './page-of';
import type { OutgoingMessage } from './post-message';
import { signedHeaders } from './signature';
import type { LeasedDelivery } from './webhook-delivery.store';

const HEADERS = { 'content-type': 'application/json', 'user-agent': 'sluice-webhooks/1' };

/** The same for every attempt, but for the timestamp and the signatures. */
export function messageFor(delivery: LeasedDelivery, publicUrl: string, now: Date): OutgoingMessage {
  const body = JSON.stringify(bodyOf(delivery, publicUrl));
  const { url } = delivery;
  if (delivery.kind !== 'webhook') return { url, headers: HEADERS, body };
  const timestamp = Math.floor(now.getTime() / 1_000);
  const signed = signedHeaders({ id: `msg_${delivery.id}`, timestamp, body }, secretsOf(delivery, now));
  return { url, headers: { ...HEADERS, ...signed }, body };
}

function bodyOf(delivery: LeasedDelivery, publicUrl: string): object {
  const { kind, type, payload, eventId: id, createdAt, people } = delivery;
  const page = pageOf(payload, publicUrl);
  if (kind === 'webhook')
    return { type, version: PAYLOAD_VERSION, id, timestamp: createdAt.toISOString(), data: { ...payload, page } };
  const message = chatMessageOf(type, payload, page, people);
  switch (kind) {
    case 'slack':
      return slackBody(message);
    case 'teams':
      return teamsBody(message);
    case 'mattermost':
      return mattermostBody(message);
    case 'discord':
      return discordBody(message);
    default:
      return assertNever(kind);
  }
}

/** The newest first. */
function secretsOf({ secret, previousSecret, previousUntil }: LeasedDelivery, now: Date): readonly string[] {
  const isKept = previousSecret !== null && previousUntil !== null && previousUntil > now;
  return isKept ? [secret, previousSecret] : [secret];
}
