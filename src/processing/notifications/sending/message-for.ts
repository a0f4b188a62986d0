import { assertNever } from '../../../engine/vocabulary';
import { chatMessageOf } from '../chat/chat-message';
import { gatheredMessage } from '../chat/gathered-message';
import { discordBody } from '../chat/discord';
import { mattermostBody } from '../chat/mattermost';
import { slackBody } from '../chat/slack';
import { teamsBody } from '../chat/teams';
import { PAYLOAD_VERSION, type WebhookEventFacts } from '../webhook-event';
import type { OutgoingMessage } from './post-message';
import { signedHeaders } from '../signature';
import type { LeasedDelivery } from '../webhook-delivery.store';

const HEADERS = { 'content-type': 'application/json', 'user-agent': 'sluice-webhooks/1' };

/**
 * The message for one or more deliveries, which is the same for every attempt, apart from timestamp and signatures.
 * Several deliveries about one subject in a chat are one message, which grows until it is delivered.
 */
export function messageFor(told: readonly LeasedDelivery[], publicUrl: string, now: Date): OutgoingMessage {
  const delivery = told[0]!;
  const body = JSON.stringify(bodyOf(delivery, told, publicUrl));
  const { url } = delivery;
  if (delivery.kind !== 'webhook') return { url, headers: HEADERS, body };
  const timestamp = Math.floor(now.getTime() / 1_000);
  const signed = signedHeaders({ id: `msg_${delivery.id}`, timestamp, body }, secretsOf(delivery, now));
  return { url, headers: { ...HEADERS, ...signed }, body };
}

function bodyOf(delivery: LeasedDelivery, told: readonly LeasedDelivery[], publicUrl: string): object {
  const { kind, type, payload, eventId: id, createdAt, people } = delivery;
  const page = pageOf(payload, publicUrl);
  if (kind === 'webhook')
    return { type, version: PAYLOAD_VERSION, id, timestamp: createdAt.toISOString(), data: { ...payload, page } };
  const message =
    told.length === 1
      ? chatMessageOf(type, payload, page, people)
      : gatheredMessage(
          told.map((one) => one.payload),
          testsPageOf(payload, publicUrl),
        );
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

/** The secrets with which to sign, the newest first. */
function secretsOf({ secret, previousSecret, previousUntil }: LeasedDelivery, now: Date): readonly string[] {
  const isKept = previousSecret !== null && previousUntil !== null && previousUntil > now;
  return isKept ? [secret, previousSecret] : [secret];
}

/** The URL of the page about the subject of the event. */
function pageOf({ repo, targetBranch, pullRequest, test }: WebhookEventFacts, publicUrl: string): string {
  if (test !== null) return `${publicUrl}/ui/tests/${test.id}`;
  if (repo === null || targetBranch === null) return `${publicUrl}/ui`;
  const question = new URLSearchParams({
    repo: `${repo.host}/${repo.owner}/${repo.name}`,
    branch: targetBranch,
    ...(pullRequest !== null && { number: String(pullRequest.number) }),
  });
  return `${publicUrl}/ui/${pullRequest === null ? 'queue' : 'pull-request'}?${question.toString()}`;
}

/** The URL of the page with all tests of the repository. */
function testsPageOf({ repo }: WebhookEventFacts, publicUrl: string): string {
  if (repo === null) return `${publicUrl}/ui`;
  const question = new URLSearchParams({ repo: `${repo.host}/${repo.owner}/${repo.name}` });
  return `${publicUrl}/ui/tests?${question.toString()}`;
}
