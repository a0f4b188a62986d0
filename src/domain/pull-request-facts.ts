import type { PullRequestFacts } from '../engine/model';
import type { PullRequestObservation } from './code-host.port';

/** Whether it is open, no draft, and aimed at the branch. */
export function isOpenFor(
  { state, draft, base }: Pick<PullRequestObservation, 'state' | 'draft' | 'base'>,
  targetBranch: string,
): boolean {
  return state === 'open' && !draft && (base === null || base === targetBranch);
}

/** The part of an observation that the engine decides on. */
export function factsOf(seen: PullRequestObservation): PullRequestFacts {
  const { number, title, author, head, headBranch, base, state, draft, mergeability, unmet = [], observedAt } = seen;
  const described = { number, title, author, head, headBranch, base, state, draft, mergeability };
  return { ...described, unmet, seenAt: observedAt.getTime() };
}
