import type { Instant } from './vocabulary';

/** A task that changes what people see at a pull request. It has no outcome, and no decision depends on it. */
export type PullRequestTask = UpdatePullRequestView | AnswerTask;

/**
 * The newest task wins: it shows the state at the time of its execution. Also for a pull request without submission.
 */
export interface UpdatePullRequestView {
  readonly type: 'updatePullRequestView';
  readonly number: number;
  /** Earliest execution, so that several changes are shown at once. */
  readonly dueAt: Instant;
  /** Host time at which the pull request was opened for, or changed to, the queue's branch; the latest is kept. */
  readonly openedAt?: Instant;
  /** The event by which somebody edited the comment, so that it is restored. Kept until the next one. */
  readonly overwrittenBy?: string;
}

/** The answer to a user request; added by the decision about that request. */
export type AnswerTask = AnswerComment | AnswerTrigger;

/** The answer to a comment command. */
export interface AnswerComment {
  readonly type: 'answerComment';
  readonly number: number;
  readonly commentId: string;
  /** Null: the command was successful. */
  readonly refusal: string | null;
}

/** The answer to a label or a checkbox. */
export interface AnswerTrigger {
  readonly type: 'answerTrigger';
  readonly number: number;
  readonly trigger: Trigger;
  /** Null: the command was successful. */
  readonly refusal: string | null;
}

export type Trigger =
  /** `eventId`: the host's id of the event that set the label. */
  | { readonly type: 'label'; readonly eventId: string; readonly label: string }
  /** `editedAt`: of the service's own comment, in host time. */
  | { readonly type: 'checkbox'; readonly commentId: string; readonly editedAt: Instant };
