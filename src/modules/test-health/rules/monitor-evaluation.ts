import type { RunResult } from './tested-run';

export type MonitorState = 'active' | 'inactive';

export type MonitorEvaluation =
  | {
      readonly type: 'active';
      readonly reason: string;
      /** When time alone may end it. */
      readonly lookAgainAt: Date;
      /** What would end it, to follow "until". */
      readonly endsWith: string;
      /** Whether it would be inactive without results of pull requests. */
      readonly isFromPullRequests: boolean;
      /** Runs that it rests on, oldest first, at most MOST_EVIDENCE. */
      readonly evidence: readonly RunResult[];
    }
  | { readonly type: 'inactive'; readonly reason: string };

export const MOST_EVIDENCE = 10;
