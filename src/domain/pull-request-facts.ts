import type { PullRequestFacts } from '../engine/model';
import type { PullRequestObservation } from './code-host.port';

/** Whether it may still land on the branch: it is open, no draft, and aimed at it. */
export function isOpenFor(
  { state, draft, base }: Pick<PullRequestObservation, 'state' | 'draft' | 'base'>,
  targetBranch: string,
): boolean {
  return state === 'open' && !draft && (base === null || base === targetBranch);
}

/** The part of an observation that the engine decides on. */
export function factsOf(seen: PullRequestObservation): PullRequestFacts {
  const { number, title, author, head, headBranch, base, state, draft, mergeability, observedAt } = seen;
  return { number, title, author, head, headBranch, base, state, draft, mergeability, seenAt: observedAt.getTime() };
}
