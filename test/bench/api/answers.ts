import { readQueueSettings } from '../../../src/domain/stored-settings';
import type { Entry, PullRequest, Queue, TestRun } from '../../../src/generated/prisma/client';

/**
 * Queries of the two compared programs, whose answers must equal the service's answers byte for byte. The queries
 * handle only the states of the benchmark's queue.
 */

export interface Question {
  readonly repo: { readonly host: string; readonly owner: string; readonly name: string };
  readonly targetBranch: string;
  readonly pr: { readonly number: number };
}

export const ACTIVE = ['not_ready', 'pending', 'testing', 'tests_passed', 'pending_failure'];
const PRIORITY_NAMES = new Map([
  [0, 'urgent'],
  [10, 'high'],
  [100, 'medium'],
  [200, 'low'],
]);

type ShownOfPullRequest = Pick<PullRequest, 'title' | 'author' | 'baseBranch'>;

export function queueAnswer(queue: Queue, enqueuedPullRequests: readonly object[]): object {
  return { ...settings(queue), enqueuedPullRequests };
}

export function enqueued(row: Entry, pullRequest: ShownOfPullRequest, queue: Queue): object {
  const priority = Number(row.priority);
  return {
    id: row.id,
    state: row.state,
    stateChangedAt: row.stateChangedAt.toISOString(),
    priorityValue: priority,
    priorityName: PRIORITY_NAMES.get(priority) ?? 'custom',
    usedDefaultPriorityName: row.usedDefaultPriority ? 'medium' : '',
    skipTheLine: priority === 0,
    noBatch: row.noBatch,
    prNumber: row.number,
    prTitle: pullRequest.title,
    prSha: row.head,
    prBaseBranch: pullRequest.baseBranch ?? queue.branch,
    prAuthor: pullRequest.author,
  };
}

export function waitsForTurn(ahead: number): string {
  const place = ahead === 1 ? '1 pull request ahead of it' : `${ahead} pull requests ahead of it`;
  return `${place}: waits for a free slot (1 test run at once)`;
}

export function waitsForStatus({ commit }: Pick<TestRun, 'commit'>): string {
  return `Required status \`tests\` has not reported on ${commit!.slice(0, 8)} yet; it times out in 5 hours`;
}

interface Known {
  readonly queue: Queue;
  readonly waitingFor: string;
  readonly hasImpactedTargets: boolean;
}

export function pullRequestAnswer(
  row: Entry,
  pullRequest: ShownOfPullRequest & Pick<PullRequest, 'mergeability'>,
  { queue, waitingFor, hasImpactedTargets }: Known,
): object {
  const priority = Number(row.priority);
  return {
    id: row.id,
    state: row.state,
    stateReason: row.stateReason,
    stateMessage: null,
    stateChangedAt: row.stateChangedAt.toISOString(),
    eta: null,
    waitingFor,
    priorityValue: priority,
    priorityName: PRIORITY_NAMES.get(priority) ?? 'custom',
    usedDefaultPriorityName: row.usedDefaultPriority ? 'medium' : '',
    skipTheLine: priority === 0,
    forceEnqueued: false,
    noBatch: row.noBatch,
    dryRun: row.dryRun,
    isCurrentlySubmittedToQueue: true,
    verifiedByTestRun: row.verifiedByRunId,
    prNumber: row.number,
    prTitle: pullRequest.title,
    prSha: row.head,
    prBaseBranch: pullRequest.baseBranch ?? queue.branch,
    prAuthor: pullRequest.author,
    readiness: {
      requiresImpactedTargets: queue.mode === 'parallel',
      hasImpactedTargets,
      doesBaseBranchMatch: pullRequest.baseBranch === null || pullRequest.baseBranch === queue.branch,
      hostMergeability: pullRequest.mergeability,
      unmetDependencies: [],
      gitHubMergeability: pullRequest.mergeability,
    },
    impactedTargets: null,
  };
}

/**
 * The compared programs read these rows only because our service reads them. Nothing of the rows appears in the
 * answers.
 */
export function requireAtRest(...read: readonly (readonly unknown[])[]): void {
  if (read.some((rows) => rows.length > 0)) throw new Error('The queue of the benchmark is not at rest.');
}

function settings(row: Queue): object {
  const { concurrency, bisectionConcurrency, ...others } = readQueueSettings(row.settings, 'sluice');
  const { state, branch, mode } = row;
  return { state, branch, mode, concurrency, bisectionConcurrency: bisectionConcurrency ?? concurrency, ...others };
}
