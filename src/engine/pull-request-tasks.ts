import type { Instant } from './vocabulary';

/**
 * A task that writes a comment, label or status check at a pull request. It has no outcome, and no decision depends on
 * it.
 */
export type PullRequestTask = UpdatePullRequestView | AnswerTask;

/**
 * Only the newest such task of a pull request is carried out: it shows the state at that time. It may also be for a
 * pull request that was never submitted.
 */
export interface UpdatePullRequestView {
  readonly type: 'updatePullRequestView';
  readonly number: number;
  /** The earliest time at which the task is carried out, so that several changes are shown at once. */
  readonly dueAt: Instant;
  /**
   * The latest host time at which the pull request was opened for the queue's branch, or its base was changed to that
   * branch.
   */
  readonly openedAt?: Instant;
  /**
   * The id of the event by which somebody edited the comment of the service, so that the text is restored. Kept until
   * the next such event.
   */
  readonly overwrittenBy?: string;
}

/** The answer to a user request. The decision about that request adds the task. */
export type AnswerTask = AnswerComment | AnswerTrigger;

/** The answer to a comment command. */
export interface AnswerComment {
  readonly type: 'answerComment';
  readonly number: number;
  readonly commentId: string;
  /** Why the command was refused; null if it was carried out. */
  readonly refusal: string | null;
}

/** The answer to a label or a checkbox. */
export interface AnswerTrigger {
  readonly type: 'answerTrigger';
  readonly number: number;
  readonly trigger: Trigger;
  /** Why the request was refused; null if it was carried out. */
  readonly refusal: string | null;
}

export type Trigger =
  /** `eventId`: the host's id of the event that set the label. */
  | { readonly type: 'label'; readonly eventId: string; readonly label: string }
  /** `editedAt`: when the service's own comment was edited, in host time. */
  | { readonly type: 'checkbox'; readonly commentId: string; readonly editedAt: Instant };
