import type { Instant } from './vocabulary';

/** An order about what people see at a pull request. Nothing the queue decides hangs on it, and it has no outcome. */
export type PullRequestTask = UpdatePullRequestView | AnswerTask;

/** Latest wins: what is shown is what is true when it is carried out. Also of one that was never submitted. */
export interface UpdatePullRequestView {
  readonly type: 'updatePullRequestView';
  readonly number: number;
  /** Not before then: what will have changed again by then is shown once. */
  readonly dueAt: Instant;
  /** By the host's time, when it was opened against the queue's branch or turned to it; the latest one is kept. */
  readonly openedAt?: Instant;
  /** By what somebody changed what is shown there: it is shown once more. Kept until there is another one. */
  readonly overwrittenBy?: string;
}

/** What became of what somebody asked for. Where it is ordered, that was decided on. */
export type AnswerTask = AnswerComment | AnswerTrigger;

/** What became of a command that somebody wrote. */
export interface AnswerComment {
  readonly type: 'answerComment';
  readonly number: number;
  readonly commentId: string;
  /** Null: it was done. */
  readonly refusal: string | null;
}

/** What became of a label that somebody set, or of a box that somebody ticked. */
export interface AnswerTrigger {
  readonly type: 'answerTrigger';
  readonly number: number;
  readonly trigger: Trigger;
  /** Null: it was done. */
  readonly refusal: string | null;
}

export type Trigger =
  /** `eventId`: the host's own, of the setting. */
  | { readonly type: 'label'; readonly eventId: string; readonly label: string }
  /** `editedAt`: of the service's own comment, by the host's time. */
  | { readonly type: 'checkbox'; readonly commentId: string; readonly editedAt: Instant };
