import type { Instant } from './vocabulary';

/** An order about what people see at a pull request. Nothing the queue decides hangs on it, and it has no outcome. */
export type PageOrder = ShowPullRequest | AnswerComment;

/** Latest wins: what is shown is what is true when it is carried out. */
export interface ShowPullRequest {
  readonly type: 'showPullRequest';
  readonly entryId: string;
  readonly number: number;
  /** Not before then: what will have changed again by then is shown once. */
  readonly dueAt: Instant;
}

/** What became of a command that somebody wrote. */
export interface AnswerComment {
  readonly type: 'answerComment';
  readonly number: number;
  readonly commentId: string;
  /** Null: it was done. */
  readonly refusal: string | null;
}
