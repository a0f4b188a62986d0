import type { RunResult } from './tested-run';

export type MonitorState = 'active' | 'inactive';

export type MonitorEvaluation =
  | {
      readonly type: 'active';
      readonly reason: string;
      /** The time at which it may end without new results. */
      readonly lookAgainAt: Date;
      /** The event that would end it, as text after "until". */
      readonly endsWith: string;
      /** Whether it would be inactive without results of pull requests. */
      readonly isFromPullRequests: boolean;
      /** The runs behind it, oldest first, at most MOST_EVIDENCE. */
      readonly evidence: readonly RunResult[];
    }
  | { readonly type: 'inactive'; readonly reason: string };

export const MOST_EVIDENCE = 10;
