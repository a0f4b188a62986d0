import type { PullRequestObservation } from '../../code-hosts/code-host.port';
import type { PullRequestFacts } from '../../engine/model';

/** What the engine knows of a pull request. */
export function factsOf(seen: PullRequestObservation): PullRequestFacts {
  const { number, title, author, head, headBranch, base, state, draft, mergeability, observedAt } = seen;
  return { number, title, author, head, headBranch, base, state, draft, mergeability, seenAt: observedAt.getTime() };
}
