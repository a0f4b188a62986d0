import type { PullRequestFacts } from '../engine/model';
import type { Instant } from '../engine/vocabulary';
import type { PullRequestObservation } from './code-host.port';

/** Whether it is open, no draft, and aimed at the branch. */
export function isOpenFor(
  { state, draft, base }: Pick<PullRequestObservation, 'state' | 'draft' | 'base'>,
  targetBranch: string,
): boolean {
  return state === 'open' && !draft && (base === null || base === targetBranch);
}

/**
 * Whether the author of a request could see a head: one of these moments shows that it was there by then. Null: that is not
 * known; of the request: it means any head.
 */
export function couldSeeHead(askedAt: Instant | null, ...thereBy: readonly (Instant | null)[]): boolean {
  return askedAt === null || thereBy.some((at) => at !== null && at <= askedAt);
}

/** The part of an observation that the engine decides on. */
export function factsOf(seen: PullRequestObservation): PullRequestFacts {
  const { number, title, author, head, headBranch, base, state, draft, mergeability, unmet = [], stack } = seen;
  const described = { number, title, author, head, headBranch, base, state, draft, mergeability };
  return { ...described, unmet, ...(stack && { stack }), seenAt: seen.observedAt.getTime() };
}
