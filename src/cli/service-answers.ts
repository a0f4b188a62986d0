import type { QueueSettingTable } from '../domain/queue-settings';
import type { ReturnedSettings } from '../domain/setting-kinds';

/** What the commands read of the service's answers; `--json` prints them whole. */
export interface PullRequestRecord {
  readonly prNumber: number;
  readonly prTitle: string;
  readonly prSha: string;
  readonly state: string;
  readonly stateReason: string | null;
  readonly stateChangedAt: string;
  readonly waitingFor: string | null;
  readonly priorityName: string;
  readonly isCurrentlySubmittedToQueue: boolean;
}

export interface QueueRecord extends ReturnedSettings<QueueSettingTable> {
  readonly state: string;
  readonly branch: string;
}

export interface EnqueuedRecord {
  readonly prNumber: number;
  readonly prTitle: string;
  readonly state: string;
  readonly priorityName: string;
  readonly stateChangedAt: string;
}

export interface QueueWithPullRequests extends QueueRecord {
  readonly enqueuedPullRequests: readonly EnqueuedRecord[];
}

export interface TestRunRecord {
  readonly testRunId: string;
  readonly status: string;
  readonly baseSha: string;
  readonly testBranchSha: string;
  readonly targetBranch: string;
  readonly dependentPrs: readonly { readonly prNumber: number }[];
}

export function describePullRequest(record: PullRequestRecord): string {
  const reason = record.stateReason === null ? '' : ` (${record.stateReason})`;
  return `#${record.prNumber} ${record.prTitle}: ${record.state}${reason}`;
}
