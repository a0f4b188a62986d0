import type { Instant, Mergeability } from './vocabulary';

/** What the newest look at the host said of a pull request. */
export interface PullRequestFacts {
  readonly number: number;
  readonly title: string;
  readonly author: string;
  /** Commit id, 40 hex. */
  readonly head: string;
  readonly headBranch: string | null;
  /** Null: it fits any base (plain git). Of one in a stack of the host: the branch that the stack merges into. */
  readonly base: string | null;
  readonly state: 'open' | 'closed' | 'merged';
  readonly draft: boolean;
  /** Into the target branch that was asked about. */
  readonly mergeability: Mergeability;
  /**
   * What the host demands of the pull request itself and does not have: approvals, open conversations, checks of its head where
   * they decide about landing. With any of them, `mergeability` is `not_mergeable`. Absent: nothing, or the host does not say.
   */
  readonly unmet?: readonly UnmetDemand[];
  /** Numbers that its description depends on, without those that are on the target. Absent: this look did not read it. */
  readonly dependsOn?: readonly number[];
  /** Of those in `dependsOn`: which are for another branch, so that they cannot merge in this queue. Absent: none. */
  readonly elsewhere?: readonly ForAnotherBranch[];
  /** Absent: it is in no stack that the host merges as one. */
  readonly stack?: StackPlace;
  readonly seenAt: Instant;
}

/** The place of a pull request in a stack that the host knows, and of which it merges a layer with all below it. */
export interface StackPlace {
  /** The host's number of the stack. */
  readonly number: number;
  /** Numbers of those below it that have not merged, the lowest first. */
  readonly below: readonly number[];
}

export interface ForAnotherBranch {
  readonly number: number;
  readonly base: string;
}

/** Something that the host demands of a pull request, such as an approval, as long as it is missing. */
export interface UnmetDemand {
  /** Follows "Missing:". */
  readonly words: string;
  /** It may come by itself, like the result of a check. */
  readonly isPending?: true;
  /** Of what may come by itself: it is under way, and not only expected. */
  readonly isRunning?: true;
  /** Of what may come by itself: since when the queue has seen it missing. Absent: it was seen once. */
  readonly since?: Instant;
}

/** What is still missing has been so since it was first seen. */
export function withSince(before: PullRequestFacts, facts: PullRequestFacts): PullRequestFacts {
  if (facts.unmet === undefined || !facts.unmet.some(({ isPending }) => isPending)) return facts;
  const isOfSameHead = before.head === facts.head;
  const unmet = facts.unmet.map((demand) => {
    if (demand.isPending !== true) return demand;
    const earlier = before.unmet?.find(({ words, isPending }) => isPending && words === demand.words);
    return { ...demand, since: (isOfSameHead ? earlier?.since : undefined) ?? facts.seenAt };
  });
  return { ...facts, unmet };
}
