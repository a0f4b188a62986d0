import type { Refusal } from '../engine/decision';

/** The outcome of an event on which a queue was asked to decide. */
export type DecisionResult =
  /** `areTargetsNeeded`: the queue needs the impacted targets of pull requests. Absent: it does not. */
  | { readonly type: 'decided'; readonly areTargetsNeeded?: boolean }
  /** The event was refused, and nothing was changed. */
  | { readonly type: 'refused'; readonly refusal: Refusal }
  /** There is no such queue, or it was deleted. */
  | { readonly type: 'gone' };
