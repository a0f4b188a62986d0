import type { Account } from '../forge/accounts';
import { isAncestor, mergedTree, readCommit } from '../forge/git';
import {
  type Comment,
  fullNameOf,
  type GiteaState,
  isDraft,
  type Label,
  type LabelEvent,
  mayWrite,
  permissionOf,
  type Pull,
  type Repository,
  type Review,
  type Rule,
  ruleFor,
  type Status,
} from './state';

type Shape = Record<string, unknown>;

/** The time as the server writes it, in whole seconds. */
export function timeOf(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`;
}

export function userShape({ origin }: GiteaState, { id, login, email }: Account): Shape {
  return {
    ...{ id, login, login_name: '', source_id: 0, full_name: '', email },
    ...{ avatar_url: `${origin}/avatars/${id}`, html_url: `${origin}/${login}`, language: '', is_admin: false },
    ...{ last_login: '0001-01-01T00:00:00Z', created: '2024-01-01T00:00:00Z', restricted: false, active: true },
    ...{ prohibit_login: false, location: '', website: '', description: '', visibility: 'public' },
    ...{ followers_count: 0, following_count: 0, starred_repos_count: 0 },
  };
}

export function repositoryShape(state: GiteaState, repository: Repository, viewer: Account | null): Shape {
  const { id, owner, name, parent, mergeMethods, createdAt } = repository;
  const fullName = fullNameOf(repository);
  const url = `${state.origin}/${fullName}`;
  const permission = viewer === null ? 'none' : permissionOf(repository, viewer);
  return {
    ...{ id, owner: userShape(state, owner), name, full_name: fullName, private: true },
    ...{ description: repository.description, empty: repository.branches.size === 0 },
    ...{ fork: parent !== null, template: false, parent: null, mirror: false, size: 1, html_url: url },
    ...{ clone_url: `${url}.git`, ssh_url: `git@git.example:${fullName}.git`, original_url: '', website: '' },
    ...{
      default_branch: repository.defaultBranch,
      archived: false,
      created_at: timeOf(createdAt),
      updated_at: timeOf(createdAt),
    },
    permissions: {
      admin: permission === 'admin',
      push: ['admin', 'write'].includes(permission),
      pull: permission !== 'none',
    },
    ...{ has_issues: true, has_pull_requests: true, has_projects: false, has_actions: true },
    allow_merge_commits: mergeMethods.includes('merge'),
    allow_rebase: mergeMethods.includes('rebase'),
    allow_rebase_explicit: true,
    allow_squash_merge: mergeMethods.includes('squash'),
    default_delete_branch_after_merge: repository.removesMergedBranches,
    ...{ default_merge_style: 'merge', internal: false, object_format_name: 'sha1' },
  };
}

/**
 * Whether the server calls the pull request mergeable. During its check of the pull request, and for a conflict or a
 * draft, the server does not call it mergeable.
 */
export function isMergeable({ branches, world, checkingReads }: Repository, pull: Pull): boolean {
  const tip = branches.get(pull.base);
  if (pull.state === 'closed' || tip === undefined || isDraft(pull)) return false;
  const pair = `${tip} ${pull.head.sha}`;
  const reads = pull.reads.get(pair) ?? 0;
  pull.reads.set(pair, reads + 1);
  return reads >= checkingReads && mergedTree(world.bare, tip, pull.head.sha) !== null;
}

export function pullShape(state: GiteaState, repository: Repository, pull: Pull, mergeable = false): Shape {
  const { number, id, author, title, body, head, base, merged, labels, closedAt, createdAt, updatedAt } = pull;
  const url = `${state.origin}/${fullNameOf(repository)}/pulls/${number}`;
  const branch = head.branch ?? `refs/pull/${number}/head`;
  const isThere = head.branch !== null && head.repository.branches.has(head.branch);
  return {
    ...{ id, url, number, user: userShape(state, author), title, body, state: pull.state, draft: isDraft(pull) },
    labels: labels.map((label) => labelShape(state, label)),
    ...{ milestone: null, assignee: null, assignees: null, requested_reviewers: [], is_locked: false, comments: 0 },
    review_comments: pull.commentsOnCode,
    ...{ html_url: url, diff_url: `${url}.diff`, patch_url: `${url}.patch`, mergeable, pin_order: 0, due_date: null },
    merged: merged !== null,
    merged_at: merged && timeOf(merged.at),
    merge_commit_sha: merged?.commit ?? null,
    merged_by: merged && userShape(state, merged.by),
    allow_maintainer_edit: false,
    base: {
      ...{ label: base, ref: base, sha: repository.branches.get(base) ?? '', repo_id: repository.id },
      repo: repositoryShape(state, repository, null),
    },
    head: {
      ...{ label: isThere ? branch : '', ref: isThere ? branch : `refs/pull/${number}/head`, sha: head.sha },
      ...{ repo_id: head.repository.id, repo: repositoryShape(state, head.repository, null) },
    },
    merge_base: repository.branches.get(base) ?? '',
    ...{ created_at: timeOf(createdAt), updated_at: timeOf(updatedAt), closed_at: closedAt && timeOf(closedAt) },
  };
}

export function issueShape(state: GiteaState, repository: Repository, pull: Pull): Shape {
  const { number, id, author, title, body, merged, labels, createdAt, updatedAt, closedAt } = pull;
  const url = `${state.origin}/${fullNameOf(repository)}/pulls/${number}`;
  return {
    ...{ id, url, html_url: url, number, user: userShape(state, author), title, body, state: pull.state },
    ...{ original_author: '', original_author_id: 0, ref: '', milestone: null, assignee: null, assignees: null },
    labels: labels.map((label) => labelShape(state, label)),
    ...{ is_locked: false, comments: 0, due_date: null, pin_order: 0, assets: [] },
    ...{ created_at: timeOf(createdAt), updated_at: timeOf(updatedAt), closed_at: closedAt && timeOf(closedAt) },
    pull_request: {
      merged: merged !== null,
      merged_at: merged && timeOf(merged.at),
      draft: isDraft(pull),
      html_url: url,
    },
    repository: {
      id: repository.id,
      name: repository.name,
      owner: repository.owner.login,
      full_name: fullNameOf(repository),
    },
  };
}

export function labelShape({ origin }: GiteaState, { id, name }: Label): Shape {
  const url = `${origin}/api/v1/labels/${id}`;
  return { id, name, url, exclusive: false, is_archived: false, color: '00aabb', description: '' };
}

export function commentShape(state: GiteaState, repository: Repository, comment: Comment): Shape {
  const { id, number, author, body, createdAt, updatedAt } = comment;
  const pull = `${state.origin}/${fullNameOf(repository)}/pulls/${number}`;
  return {
    ...{ id, html_url: `${pull}#issuecomment-${id}`, pull_request_url: pull, issue_url: '' },
    ...{ user: userShape(state, author), original_author: '', original_author_id: 0, body, assets: [] },
    ...{ created_at: timeOf(createdAt), updated_at: timeOf(updatedAt) },
  };
}

export function statusShape(state: GiteaState, status: Status): Shape {
  const { id, context, description, targetUrl, creator, at, sha } = status;
  return {
    ...{ id, status: status.status, target_url: targetUrl, description, context },
    url: `${state.origin}/api/v1/statuses/${sha}`,
    creator: creator && userShape(state, creator),
    ...{ created_at: timeOf(at), updated_at: timeOf(at) },
  };
}

export function reviewShape(state: GiteaState, repository: Repository, review: Review): Shape {
  const { id, number, author, commit, official, stale, dismissed, at } = review;
  const url = `${state.origin}/${fullNameOf(repository)}/pulls/${number}`;
  return {
    ...{ id, user: userShape(state, author), team: null, state: review.state, body: '', commit_id: commit },
    ...{ stale, official, dismissed, comments_count: 0, html_url: url, pull_request_url: url },
    ...{ submitted_at: timeOf(at), updated_at: timeOf(at) },
  };
}

export function labelEventShape(state: GiteaState, repository: Repository, event: LabelEvent): Shape {
  const url = `${state.origin}/${fullNameOf(repository)}/pulls/${event.number}`;
  return {
    ...{ id: event.id, type: 'label', html_url: url, pull_request_url: url, issue_url: '' },
    ...{ user: userShape(state, event.actor), body: event.isSet ? '1' : '', label: labelShape(state, event.label) },
    ...{ created_at: timeOf(event.at), updated_at: timeOf(event.at) },
  };
}

export function branchShape(state: GiteaState, repository: Repository, branch: string, viewer: Account): Shape {
  const sha = repository.branches.get(branch) ?? '';
  const { message, author } = readCommit(repository.world.bare, sha);
  const rule = ruleFor(repository, branch);
  return {
    name: branch,
    commit: {
      ...{ id: sha, message, url: `${state.origin}/${fullNameOf(repository)}/commit/${sha}` },
      ...{ author: { name: author.name, email: author.email, username: '' }, verification: null },
      ...{ timestamp: '2026-01-02T03:04:05Z', added: null, removed: null, modified: null },
    },
    protected: rule !== null,
    required_approvals: rule?.approvals ?? 0,
    enable_status_check: rule !== null && asksStatuses(rule),
    status_check_contexts: rule?.contexts ?? [],
    user_can_push: mayPush(repository, branch, viewer),
    user_can_merge: mayMerge(repository, branch, viewer),
    effective_branch_protection_name: permissionOf(repository, viewer) === 'admin' ? (rule?.name ?? '') : '',
  };
}

function asksStatuses({ asksStatuses: asks, contexts }: Rule): boolean {
  return asks || contexts.length > 0;
}

export function mayMerge(repository: Repository, branch: string, account: Account): boolean {
  const mergers = ruleFor(repository, branch)?.mergers ?? null;
  return mayWrite(repository, account) && (mergers === null || mergers.includes(account.login));
}

export function mayPush(repository: Repository, branch: string, account: Account): boolean {
  const rule = ruleFor(repository, branch);
  const isListed = rule === null || rule.pushers === null || rule.pushers.includes(account.login);
  return mayWrite(repository, account) && isListed;
}

export function ruleShape(rule: Rule): Shape {
  return {
    ...{
      branch_name: rule.name,
      rule_name: rule.name,
      enable_push: true,
      enable_push_whitelist: rule.pushers !== null,
    },
    ...{ push_whitelist_usernames: rule.pushers ?? [], push_whitelist_teams: [], push_whitelist_deploy_keys: false },
    ...{ enable_merge_whitelist: rule.mergers !== null, merge_whitelist_usernames: rule.mergers ?? [] },
    merge_whitelist_teams: [],
    ...{ enable_status_check: asksStatuses(rule), status_check_contexts: rule.contexts },
    ...{ required_approvals: rule.approvals, enable_approvals_whitelist: false, approvals_whitelist_username: [] },
    ...{ approvals_whitelist_teams: [], block_on_rejected_reviews: rule.blocksOnRejection },
    ...{ block_on_official_review_requests: rule.blocksOnRequest, block_on_outdated_branch: false },
    ...{ dismiss_stale_approvals: rule.dismissesStale, ignore_stale_approvals: rule.ignoresStale },
    ...{ require_signed_commits: rule.demandsSignatures, protected_file_patterns: '', unprotected_file_patterns: '' },
    ...{ created_at: '2026-01-02T03:04:05Z', updated_at: '2026-01-02T03:04:05Z' },
  };
}

export function contains({ world }: Repository, commit: string, ancestor: string): boolean {
  return isAncestor(world.bare, ancestor, commit);
}
