import type { Instant, Mergeability } from './vocabulary';

/** The newest observation of a pull request at its host. */
export interface PullRequestFacts {
  readonly number: number;
  readonly title: string;
  readonly author: string;
  /** Commit id, 40 hex. */
  readonly head: string;
  readonly headBranch: string | null;
  /**
   * The base branch; in a stack of the host, the branch into which the stack merges. Null if any base is right (plain
   * git).
   */
  readonly base: string | null;
  readonly state: 'open' | 'closed' | 'merged';
  readonly draft: boolean;
  /** Whether the pull request can be merged into the target branch of the queue that asked. */
  readonly mergeability: Mergeability;
  /**
   * Demands of the host on the pull request itself that are not met: approvals, open conversations, and checks of its
   * head if the host requires them for a merge. If there is any, `mergeability` is `not_mergeable`. Absent: none, or
   * the host does not say.
   */
  readonly unmet?: readonly UnmetDemand[];
  /**
   * The pull requests that `Depends-On` lines of its description name and that are not on the target yet, by number.
   * Absent: the description was not read this time.
   */
  readonly dependsOn?: readonly number[];
  /**
   * The pull requests in `dependsOn` that are for another branch, so that they cannot merge in this queue. Absent:
   * none.
   */
  readonly elsewhere?: readonly ForAnotherBranch[];
  /** The place of the pull request in a stack. Absent: the host merges it alone. */
  readonly stack?: StackPlace;
  readonly seenAt: Instant;
}

/** The place of a pull request in a stack of the host. The host merges a layer with all layers below it. */
export interface StackPlace {
  /** The number of the stack at the host. */
  readonly number: number;
  /** The numbers of the unmerged pull requests below this one in the stack, the lowest first. */
  readonly below: readonly number[];
}

export interface ForAnotherBranch {
  readonly number: number;
  readonly base: string;
}

/** An unmet demand of the host on a pull request, such as a missing approval. */
export interface UnmetDemand {
  /** The demand in words that follow "Missing:". */
  readonly words: string;
  /** Set if the demand may be met without anybody's action, like the result of a check. */
  readonly isPending?: true;
  /** Set, with `isPending`, if the check is under way and not only expected. */
  readonly isRunning?: true;
  /** With `isPending`: since when the queue has seen the demand unmet. Absent: only one look has seen it. */
  readonly since?: Instant;
}

/**
 * The facts with the time at which each pending demand was first seen: a demand that is still unmet keeps its earlier
 * time.
 */
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
