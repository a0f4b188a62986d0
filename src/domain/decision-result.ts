import type { Refusal } from '../engine/decision';

/** What became of an event that a queue was asked to decide on. */
export type DecisionResult =
  /** `areTargetsNeeded`: the queue asks which targets pull requests share. Absent: it was not asked. */
  | { readonly type: 'decided'; readonly areTargetsNeeded?: boolean }
  /** Nothing was changed. */
  | { readonly type: 'refused'; readonly refusal: Refusal }
  /** There is no such queue, or it was deleted. */
  | { readonly type: 'gone' };
