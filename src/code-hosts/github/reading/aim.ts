import type { MergeMethod, PullRequestObservation } from '../../../domain/code-host.port';
import type { BranchDemands } from './branch-rules';
import type { Layer } from './stacks';

/** `button`: GitHub's merge operation lands it, and looks at the checks of its head. `push`: that of a run is pushed. */
export type LandingBy = 'button' | 'push';

/** How a pull request is to land. */
export interface Aim {
  readonly targetBranch: string;
  readonly landsBy: LandingBy;
  readonly mergeMethod?: MergeMethod;
}

/** What one landing reads once for all of its pull requests. */
export interface KnownOfTarget {
  readonly demands?: BranchDemands;
  readonly layers?: readonly Layer[];
  /** By login. */
  readonly mayWrite?: Map<string, boolean>;
}

export interface SeenInStack extends PullRequestObservation {
  /** The head of the one below it in its stack. Absent: there is none. */
  readonly headBelow?: string;
}
