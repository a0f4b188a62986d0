import type { RepositoryName } from '../../platform/repository-name';

/** The events that a webhook can subscribe to. */
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

/** The default events of a chat. */
export const CHAT_EVENTS: readonly WebhookEventType[] = [
  'sent_back',
  'queue_paused',
  'queue_red',
  'test_status_changed',
];

export const WEBHOOK_KINDS = ['webhook', 'slack', 'teams', 'mattermost', 'discord'] as const;
export type WebhookKind = (typeof WEBHOOK_KINDS)[number];

/** Grows when a field of a payload changes its meaning or is removed. New fields do not raise it. */
export const PAYLOAD_VERSION = 1;

export interface PullRequestOfWebhook {
  readonly number: number;
  readonly title: string;
  readonly author: string;
  /** The head commit of the pull request. */
  readonly head: string;
  readonly attempt: number;
  /** At the host; null: none. */
  readonly url: string | null;
}

export interface TestOfWebhook {
  readonly id: string;
  readonly name: string;
  /** Empty: unknown. */
  readonly file: string;
  readonly codeowners: readonly string[];
}

/** The facts of an event. Fields that do not apply are null. */
export interface WebhookEventFacts {
  readonly organization: string;
  /** Null: a test delivery to a webhook of a whole organization. */
  readonly repo: RepositoryName | null;
  readonly targetBranch: string | null;
  readonly pullRequest: PullRequestOfWebhook | null;
  readonly test: TestOfWebhook | null;
  /** The state after the event: of the pull request, the queue, the test or its quarantine. */
  readonly state: string;
  /** The state before the event; null: none, or irrelevant. */
  readonly from: string | null;
  /** A reason of the API, or words that somebody gave. */
  readonly reason: string | null;
  /** Name of a token, or a login at the host. Null: the service itself. */
  readonly actor: string | null;
  /** One plain text: the state, the cause, the way out. Anybody may have written parts of it. */
  readonly message: string;
}

/** Subjects with this prefix are gathered: `tests <id of the repository>`. */
export const GATHERED = 'tests ';

/** An event, as it is stored with the decision. */
export interface WebhookEvent {
  readonly type: WebhookEventType;
  readonly at: Date;
  readonly repositoryId: string;
  /** Null: the whole repository. */
  readonly branch: string | null;
  /** Events of one subject are delivered in the order in which they were stored. */
  readonly subject: string;
  /** Whether chats may subscribe to it. */
  readonly isForChats: boolean;
  /** The subject in chats, which gather its events for a while; absent: each event is a message. */
  readonly gatheredIn?: string;
  readonly facts: WebhookEventFacts;
}
