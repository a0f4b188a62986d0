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

/** The events to which a chat is subscribed by default. */
export const CHAT_EVENTS: readonly WebhookEventType[] = [
  'sent_back',
  'queue_paused',
  'queue_red',
  'test_status_changed',
];

export const WEBHOOK_KINDS = ['webhook', 'slack', 'teams', 'mattermost', 'discord'] as const;
export type WebhookKind = (typeof WEBHOOK_KINDS)[number];

/** The version of payloads. It is raised when a field changes its meaning or is removed, and not for a new field. */
export const PAYLOAD_VERSION = 1;

export interface PullRequestOfWebhook {
  readonly number: number;
  readonly title: string;
  readonly author: string;
  /** The head commit of the pull request. */
  readonly head: string;
  readonly attempt: number;
  /** The URL of the pull request at the host; null if it has none. */
  readonly url: string | null;
}

export interface TestOfWebhook {
  readonly id: string;
  readonly name: string;
  /** The file of the test; empty if it is not known. */
  readonly file: string;
  readonly codeowners: readonly string[];
}

/** The facts of an event. Fields that do not apply are null. */
export interface WebhookEventFacts {
  readonly organization: string;
  /** The repository; null in a test delivery to a webhook of a whole organization. */
  readonly repo: RepositoryName | null;
  readonly targetBranch: string | null;
  readonly pullRequest: PullRequestOfWebhook | null;
  readonly test: TestOfWebhook | null;
  /** The state after the event: of the pull request, the queue, the test or its quarantine. */
  readonly state: string;
  /** The state before the event; null if there is none, or if it does not matter. */
  readonly from: string | null;
  /** A reason of the API, or words that somebody gave. */
  readonly reason: string | null;
  /** The name of a token, or a login at the host; null for the service itself. */
  readonly actor: string | null;
  /** One plain text with the state, the cause and the way out. Parts of the text may come from anybody. */
  readonly message: string;
}

/** The prefix of subjects whose events a chat gathers: `tests <id of the repository>`. */
export const GATHERED = 'tests ';

/** An event, as it is stored with the decision. */
export interface WebhookEvent {
  readonly type: WebhookEventType;
  readonly at: Date;
  readonly repositoryId: string;
  /** The target branch; null for an event of the whole repository. */
  readonly branch: string | null;
  /** Events of one subject are delivered in the order in which they were stored. */
  readonly subject: string;
  /** Whether chats may subscribe to the event. */
  readonly isForChats: boolean;
  /** The subject under which chats gather events for a while. Absent: the event is a message of its own. */
  readonly gatheredIn?: string;
  readonly facts: WebhookEventFacts;
}
