import type { MergeMethod, PullRequestObservation } from '../../../domain/code-host.port';
import type { BranchDemands } from './branch-rules';
import type { Layer } from './stacks';

/**
 * How a pull request lands. `button`: by GitHub's merge operation, which checks the statuses of the head. `push`: by a
 * push of the tested commit, whose own checks count.
 */
export type LandingBy = 'button' | 'push';

/** The branch into which a pull request is to land, and how. */
export interface Aim {
  readonly targetBranch: string;
  readonly landsBy: LandingBy;
  readonly mergeMethod?: MergeMethod;
}

/** Facts that a landing reads once for all of its pull requests. */
export interface KnownOfTarget {
  readonly demands?: BranchDemands;
  readonly layers?: readonly Layer[];
  /** Whether people may write to the repository, by login. */
  readonly mayWrite?: Map<string, boolean>;
}

export interface SeenInStack extends PullRequestObservation {
  /** The head of the pull request below in the stack. Absent: there is none. */
  readonly headBelow?: string;
}
