import type { RunResult } from './tested-run';

export type MonitorState = 'active' | 'inactive';

export type MonitorEvaluation =
  | {
      readonly type: 'active';
      readonly reason: string;
      /** The time at which the alarm may end without new results. */
      readonly lookAgainAt: Date;
      /** The event that would end the alarm, as text after "until". */
      readonly endsWith: string;
      /** Whether the monitor would be inactive without results of pull requests. */
      readonly isFromPullRequests: boolean;
      /** The runs that make the monitor active, oldest first, at most MOST_EVIDENCE. */
      readonly evidence: readonly RunResult[];
    }
  | { readonly type: 'inactive'; readonly reason: string };

export const MOST_EVIDENCE = 10;
