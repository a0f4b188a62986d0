import type { PullRequestFacts } from '../engine/model';
import type { Instant } from '../engine/vocabulary';
import type { PullRequestObservation } from './code-host.port';

/** Whether the pull request is open, not a draft, and aimed at the branch. */
export function isOpenFor(
  { state, draft, base }: Pick<PullRequestObservation, 'state' | 'draft' | 'base'>,
  targetBranch: string,
): boolean {
  return state === 'open' && !draft && (base === null || base === targetBranch);
}

/**
 * Whether the author of a request could have seen the head. `thereBy`: times at which the head already existed; null if
 * not known. `askedAt`: the time of the request; null if the request is for any head.
 */
export function couldSeeHead(askedAt: Instant | null, ...thereBy: readonly (Instant | null)[]): boolean {
  return askedAt === null || thereBy.some((at) => at !== null && at <= askedAt);
}

/** The part of an observation on which the engine decides. */
export function factsOf(seen: PullRequestObservation): PullRequestFacts {
  const { number, title, author, head, headBranch, base, state, draft, mergeability, unmet = [], stack } = seen;
  const described = { number, title, author, head, headBranch, base, state, draft, mergeability };
  return { ...described, unmet, ...(stack && { stack }), seenAt: seen.observedAt.getTime() };
}
