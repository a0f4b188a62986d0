import type { Instant, Mergeability } from './vocabulary';

/** The newest observation of a pull request at its host. */
export interface PullRequestFacts {
  readonly number: number;
  readonly title: string;
  readonly author: string;
  /** Commit id, 40 hex. */
  readonly head: string;
  readonly headBranch: string | null;
  /** Null: any base is right (plain git). In a stack of the host: the branch into which the stack merges. */
  readonly base: string | null;
  readonly state: 'open' | 'closed' | 'merged';
  readonly draft: boolean;
  /** For the target branch of the queue that asked. */
  readonly mergeability: Mergeability;
  /**
   * Demands of the host on the pull request itself that are not met: approvals, open conversations, checks of its head
   * where they decide about landing. With any of them, `mergeability` is `not_mergeable`. Absent: none, or the host
   * does not say.
   */
  readonly unmet?: readonly UnmetDemand[];
  /** Numbers in `Depends-On` lines of its description that are not on the target yet. Absent: not read this time. */
  readonly dependsOn?: readonly number[];
  /** Dependencies in `dependsOn` that are for another branch, so that they cannot merge in this queue. Absent: none. */
  readonly elsewhere?: readonly ForAnotherBranch[];
  /** Absent: the host merges it alone, not as part of a stack. */
  readonly stack?: StackPlace;
  readonly seenAt: Instant;
}

/** The place of a pull request in a stack of the host. The host merges a layer with all layers below it. */
export interface StackPlace {
  /** The host's number of the stack. */
  readonly number: number;
  /** Numbers of the unmerged pull requests below it, the lowest first. */
  readonly below: readonly number[];
}

export interface ForAnotherBranch {
  readonly number: number;
  readonly base: string;
}

/** An unmet demand of the host on a pull request, such as a missing approval. */
export interface UnmetDemand {
  /** Follows "Missing:". */
  readonly words: string;
  /** It may be met without anybody's action, like the result of a check. */
  readonly isPending?: true;
  /** With `isPending`: it is under way, and not only expected. */
  readonly isRunning?: true;
  /** With `isPending`: since when the queue has seen it unmet. Absent: seen once. */
  readonly since?: Instant;
}

/** A demand that is still unmet keeps the time at which it was first seen. */
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
