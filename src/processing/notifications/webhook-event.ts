import type { RepositoryName } from '../../platform/repository-name';

/** What a webhook can be told of. */
export const WEBHOOK_EVENTS = [
  'submitted',
  'testing',
  'sent_back',
  'merged',
  'cancelled',
  'queue_paused',
  'queue_red',
  'test_status_changed',
  'quarantine_changed',
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENTS)[number];

/** What a chat is told of when nobody says otherwise. */
export const CHAT_EVENTS: readonly WebhookEventType[] = [
  'sent_back',
  'queue_paused',
  'queue_red',
  'test_status_changed',
];

export const WEBHOOK_KINDS = ['webhook', 'slack', 'teams', 'mattermost', 'discord'] as const;
export type WebhookKind = (typeof WEBHOOK_KINDS)[number];

/** The number that grows when a field of a payload changes its meaning or goes. New fields do not raise it. */
export const PAYLOAD_VERSION = 1;

export interface PullRequestOfWebhook {
  readonly number: number;
  readonly title: string;
  readonly author: string;
  /** The commit that this is about. */
  readonly head: string;
  readonly attempt: number;
  /** At the host; null: it has none. */
  readonly url: string | null;
}

export interface TestOfWebhook {
  readonly id: string;
  readonly name: string;
  /** Empty: unknown. */
  readonly file: string;
  readonly codeowners: readonly string[];
}

/** What happened. Fields that an event has nothing to say about are null. */
export interface WebhookEventFacts {
  readonly organization: string;
  /** Null: a test delivery to a webhook of a whole organization. */
  readonly repo: RepositoryName | null;
  readonly targetBranch: string | null;
  readonly pullRequest: PullRequestOfWebhook | null;
  readonly test: TestOfWebhook | null;
  /** The state after it: of the pull request, of the queue, of the test, or of its quarantine. */
  readonly state: string;
  /** The state before it; null: none, or it does not matter. */
  readonly from: string | null;
  /** A reason of the interface, or the words that somebody gave. */
  readonly reason: string | null;
  /** Name of a token, or a login at the host. Null: the service itself. */
  readonly actor: string | null;
  /** One plain text: the state, the cause, the way out. Parts of it anybody may have written. */
  readonly message: string;
}

/** Subjects that begin so are gathered: `tests <id of the repository>`. */
export const GATHERED = 'tests ';

/** An event as it is stored with the decision. */
export interface WebhookEvent {
  readonly type: WebhookEventType;
  readonly at: Date;
  readonly repositoryId: string;
  /** Null: it is about the whole repository. */
  readonly branch: string | null;
  /** Events of one subject are delivered in the order in which they were stored. */
  readonly subject: string;
  /** Whether a chat wants it. */
  readonly isForChats: boolean;
  /** The subject in chats, which gather what is told of it for a while; absent: they tell each by itself. */
  readonly gatheredIn?: string;
  readonly facts: WebhookEventFacts;
}
