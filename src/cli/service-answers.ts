import type { QueueSettingTable } from '../domain/queue-settings';
import type { ReturnedSettings } from '../domain/setting-kinds';

/** The fields of answers that commands read. `--json` prints whole answers. */
export interface PullRequestAnswer {
  readonly prNumber: number;
  readonly prTitle: string;
  readonly prSha: string;
  readonly state: string;
  readonly stateReason: string | null;
  /** Absent: the service is older. */
  readonly stateMessage?: string | null;
  readonly stateChangedAt: string;
  /** For a pull request in a stack of the code host: the pull requests below it, lowest first. */
  readonly stackedOn?: readonly number[];
  readonly waitingFor: string | null;
  /** Absent: the service is older. */
  readonly eta?: { readonly p50: string; readonly p90: string } | null;
  readonly priorityName: string;
  readonly isCurrentlySubmittedToQueue: boolean;
}

export interface QueueAnswer extends ReturnedSettings<QueueSettingTable> {
  readonly state: string;
  readonly branch: string;
}

type EnqueuedAnswer = Pick<PullRequestAnswer, 'prNumber' | 'prTitle' | 'state' | 'priorityName' | 'stateChangedAt'>;

export interface QueueWithEntriesAnswer extends QueueAnswer {
  readonly enqueuedPullRequests: readonly EnqueuedAnswer[];
  /** Absent: the queue is sequential. */
  readonly learned?: Readonly<Record<'failure' | 'misfit' | 'flake', LearnedAnswer>> & {
    /** Absent: the service is older. */
    readonly targets?: readonly (LearnedAnswer & { readonly name: string })[];
    readonly problem?: string | null;
  };
}

interface LearnedAnswer {
  readonly chance: number;
  readonly outcomes: number;
}

export interface TestRunAnswer {
  readonly testRunId: string;
  readonly status: string;
  readonly baseSha: string;
  readonly testBranchSha: string;
  readonly targetBranch: string;
  readonly dependentPrs: readonly { readonly prNumber: number }[];
}

export function describePullRequest(record: PullRequestAnswer): string {
  const reason = record.stateReason === null ? '' : ` (${record.stateReason})`;
  return `#${record.prNumber} ${record.prTitle}: ${record.state}${reason}`;
}
