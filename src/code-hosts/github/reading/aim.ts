import type { MergeMethod, PullRequestObservation } from '../../../domain/code-host.port';
import type { BranchDemands } from './branch-rules';
import type { Layer } from './stacks';

/**
 * `button`: GitHub's merge operation lands it, and checks the statuses of its head. `push`: the tested commit is
 * pushed, and its own checks count.
 */
export type LandingBy = 'button' | 'push';

/** The way in which a pull request is to land. */
export interface Aim {
  readonly targetBranch: string;
  readonly landsBy: LandingBy;
  readonly mergeMethod?: MergeMethod;
}

/** Facts that a landing reads once for all of its pull requests. */
export interface KnownOfTarget {
  readonly demands?: BranchDemands;
  readonly layers?: readonly Layer[];
  /** By login. */
  readonly mayWrite?: Map<string, boolean>;
}

export interface SeenInStack extends PullRequestObservation {
  /** The head of the pull request below it in its stack. Absent: there is none. */
  readonly headBelow?: string;
}
