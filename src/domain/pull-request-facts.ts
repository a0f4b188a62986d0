import type { PullRequestFacts } from '../engine/model';
import type { PullRequestObservation } from './code-host.port';

/** The part of an observation that the engine decides on. */
export function factsOf(seen: PullRequestObservation): PullRequestFacts {
  const { number, title, author, head, headBranch, base, state, draft, mergeability, observedAt } = seen;
  return { number, title, author, head, headBranch, base, state, draft, mergeability, seenAt: observedAt.getTime() };
}
