import type { Mergeability, PullRequestObservation } from '../../../domain/code-host.port';
import { at, numberAt, textAt } from '../../reading';

const COMMIT = /^[0-9a-f]{40}$/;

/** A merge request, with facts that only GitLab has. */
export interface SeenMergeRequest extends PullRequestObservation {
  /** GitLab's `detailed_merge_status`; null if it is missing. */
  readonly status: string | null;
  /** Null if GitLab does not say. */
  readonly areThreadsResolved: boolean | null;
  /** The present path of the project; null if GitLab does not say. */
  readonly projectPath: string | null;
}

/** The merge request in a response; `preparing` if GitLab has not read its commits yet; null if a field is missing. */
export function mergeRequestIn(body: unknown, observedAt: Date): SeenMergeRequest | 'preparing' | null {
  const number = numberAt(body, 'iid');
  const base = textAt(body, 'target_branch');
  const head = textAt(body, 'sha');
  if (number === null || base === null) return null;
  if (head === null) return 'preparing';
  if (!COMMIT.test(head)) return null;
  const state = textAt(body, 'state');
  const resolved = at(body, 'blocking_discussions_resolved');
  return {
    ...{ number, head, base, observedAt },
    title: textAt(body, 'title') ?? '',
    author: textAt(body, 'author', 'username') ?? 'ghost',
    body: textAt(body, 'description') ?? '',
    authorEmail: null,
    url: textAt(body, 'web_url'),
    headBranch: sourceBranchOf(body),
    // A merge request is locked while it is being merged.
    state: state === 'merged' ? 'merged' : state === 'opened' || state === 'locked' ? 'open' : 'closed',
    draft: at(body, 'draft') === true,
    mergeability: state === 'locked' ? 'in_progress' : 'unspecified',
    status: textAt(body, 'detailed_merge_status'),
    areThreadsResolved: typeof resolved === 'boolean' ? resolved : null,
    projectPath: textAt(body, 'references', 'full')?.replace(/!\d+$/, '') ?? null,
  };
}

/**
 * The head branch: `branch`, or `<project number>:branch` for a branch of a fork, of which GitLab shows only the
 * number.
 */
export function sourceBranchOf(body: unknown): string | null {
  const branch = textAt(body, 'source_branch');
  if (branch === null) return null;
  const source = numberAt(body, 'source_project_id');
  return source === numberAt(body, 'target_project_id') ? branch : `${source ?? 'unknown'}:${branch}`;
}

/**
 * The meaning of `detailed_merge_status` for a push. A status about conflicts or pipelines does not matter, because git
 * finds conflicts, and the queue waits for the pipeline of the tested commit.
 */
export function meaningOf(status: string | null): Mergeability | { readonly lacks: string } {
  if (status === null || DECIDED_ELSEWHERE.includes(status)) return 'mergeable';
  const lacks = LACKS[status];
  if (lacks !== undefined) return { lacks };
  // GitLab is still checking, or a newer version sends a status that is unknown here.
  return 'in_progress';
}

const DECIDED_ELSEWHERE = ['mergeable', 'conflict', 'need_rebase', 'ci_must_pass', 'ci_still_running', 'draft_status'];

const LACKS: Readonly<Record<string, string>> = {
  not_approved: 'the approvals that the project demands',
  requested_changes: 'the approval of a reviewer who requested changes',
  discussions_not_resolved: 'the resolution of all threads',
  merge_request_blocked: 'the merge of another merge request that blocks it',
  status_checks_must_pass: 'external status checks that must pass',
  security_policy_violations: 'the demands of a security policy',
  security_policy_pipeline_check: 'the pipelines of a security policy',
  jira_association_missing: 'the key of a Jira issue',
  commits_status: 'commits, or its source branch',
  locked_paths: 'the release of locked paths',
  locked_lfs_files: 'the release of locked LFS files',
  title_regex: 'a title in the format that the project requires',
  merge_time: 'the time from which it may be merged',
  not_open: 'that it is open',
};
