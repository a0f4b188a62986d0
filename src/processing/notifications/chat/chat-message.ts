import { assertNever } from '../../../engine/vocabulary';
import type { WebhookEventType, WebhookEventFacts } from '../webhook-event';

/** The content of a chat message. All texts are plain: each chat escapes them its own way. */
export interface ChatMessage {
  /** One line with the subject, and what happened to the subject. */
  readonly title: string;
  /** The cause and the way out. */
  readonly text: string;
  /** The place of the event: `acme/shop main`. */
  readonly place: string;
  /** The page with the details. */
  readonly page: string;
  readonly tone: 'good' | 'bad' | 'neutral';
  /** The name of the author in this chat; null: unknown. */
  readonly mention: string | null;
}

export const LONGEST_TITLE = 200;
export const LONGEST_TEXT = 1_500;

export function chatMessageOf(
  type: WebhookEventType | 'test',
  facts: WebhookEventFacts,
  page: string,
  people: Readonly<Record<string, string>>,
): ChatMessage {
  const { repo, targetBranch, pullRequest, message } = facts;
  const name = repo === null ? facts.organization : `${repo.owner}/${repo.name}`;
  const author = pullRequest?.author.toLowerCase();
  const known = Object.entries(people).find(([login]) => login.toLowerCase() === author);
  return {
    title: cut(titleOf(type, facts), LONGEST_TITLE),
    text: cut(message, LONGEST_TEXT),
    place: targetBranch === null ? name : `${name} ${targetBranch}`,
    page,
    tone: toneOf(type, facts),
    // The author is mentioned only if the author has to act.
    mention: type === 'sent_back' ? (known?.[1] ?? null) : null,
  };
}

function titleOf(
  type: WebhookEventType | 'test',
  { pullRequest, targetBranch, test, state, reason }: WebhookEventFacts,
): string {
  const what = pullRequest === null ? '' : `#${pullRequest.number} ${pullRequest.title}`;
  switch (type) {
    case 'submitted':
      return `Submitted: ${what}`;
    case 'testing':
      return `In test: ${what}`;
    case 'sent_back':
      return `Failed: ${what}`;
    case 'merged':
      return `Merged: ${what}`;
    case 'cancelled':
      return `Cancelled: ${what}`;
    case 'queue_paused':
      return `The queue of ${targetBranch} is ${state}`;
    case 'queue_red':
      return reason === 'wrong_tree' ? `${targetBranch} has wrong content` : `${targetBranch} fails its tests`;
    case 'test_status_changed':
      return test === null ? `Several tests are ${state}` : `A test is ${state}: ${test.name}`;
    case 'quarantine_changed':
      return `A test is ${state.replaceAll('_', ' ')}: ${test?.name ?? ''}`;
    case 'test':
      return 'A test of this webhook';
    default:
      return assertNever(type);
  }
}

function toneOf(type: WebhookEventType | 'test', { state }: WebhookEventFacts): ChatMessage['tone'] {
  if (type === 'merged' || state === 'healthy') return 'good';
  return type === 'sent_back' || type === 'queue_red' || state === 'broken' ? 'bad' : 'neutral';
}

/** The text on one line of at most `most` characters, without characters that reverse the reading direction. */
export function cut(text: string, most: number): string {
  const line = text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .trim();
  const signs = [...line];
  return signs.length <= most ? line : `${signs.slice(0, most - 1).join('')}…`;
}
