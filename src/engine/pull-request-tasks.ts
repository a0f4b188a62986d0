import type { Instant } from './vocabulary';

/** A task that changes what people see at a pull request. It has no outcome, and no decision depends on it. */
export type PullRequestTask = UpdatePullRequestView | AnswerTask;

/** The latest wins: it shows what is true when it is carried out. Also for a pull request that was never submitted. */
export interface UpdatePullRequestView {
  readonly type: 'updatePullRequestView';
  readonly number: number;
  /** Not carried out before then, so that several changes are shown at once. */
  readonly dueAt: Instant;
  /** Host time at which it was opened for, or changed to, the queue's branch; the latest is kept. */
  readonly openedAt?: Instant;
  /** The event by which somebody edited what is shown, so that it is restored. Kept until the next one. */
  readonly overwrittenBy?: string;
}

/** The answer to a user request; added where the request was decided on. */
export type AnswerTask = AnswerComment | AnswerTrigger;

/** The answer to a comment command. */
export interface AnswerComment {
  readonly type: 'answerComment';
  readonly number: number;
  readonly commentId: string;
  /** Null: it was done. */
  readonly refusal: string | null;
}

/** The answer to a label or a checkbox. */
export interface AnswerTrigger {
  readonly type: 'answerTrigger';
  readonly number: number;
  readonly trigger: Trigger;
  /** Null: it was done. */
  readonly refusal: string | null;
}

export type Trigger =
  /** `eventId`: the host's id of the event that set the label. */
  | { readonly type: 'label'; readonly eventId: string; readonly label: string }
  /** `editedAt`: of the service's own comment, by the host's time. */
  | { readonly type: 'checkbox'; readonly commentId: string; readonly editedAt: Instant };
