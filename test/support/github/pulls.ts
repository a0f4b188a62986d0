import type { Account } from '../forge/accounts';
import { invalid } from './answers';
import { announcePull } from './events';
import { countCommits, resolveCommit } from '../forge/git';
import type { PullRequest, RepositoryRecord } from './records';
import type { GitHubState } from './state';

export interface NewPullRequest {
  readonly title: string;
  readonly body: string | null;
  readonly author: Account;
  readonly head: { readonly repository: RepositoryRecord; readonly ref: string };
  readonly base: string;
  readonly draft: boolean;
  /** The number of the pull request; the next free number if absent. */
  readonly number?: number;
}

export function openPull(state: GitHubState, repository: RepositoryRecord, wanted: NewPullRequest): PullRequest {
  const { head, base, author } = wanted;
  const baseSha = repository.branches.get(base);
  if (baseSha === undefined) throw invalid('PullRequest', 'base', { code: 'invalid' });
  const sha = head.repository.branches.get(head.ref);
  if (sha === undefined) throw invalid('PullRequest', 'head', { code: 'invalid' });
  const twin = [...repository.pulls.values()].find(
    (pull) => pull.state === 'open' && isHead(pull, head.repository, head.ref) && pull.base.ref === base,
  );
  const label = `${head.repository.owner.login}:${head.ref}`;
  if (twin !== undefined)
    throw invalid('PullRequest', 'head', { message: `A pull request already exists for ${label}.` });
  bringCommit(repository, head.repository, sha);
  if (countCommits(repository.world.bare, baseSha, sha) === 0) {
    throw invalid('PullRequest', 'head', { message: `No commits between ${base} and ${head.ref}` });
  }
  const number = wanted.number ?? repository.highestNumber + 1;
  repository.highestNumber = Math.max(repository.highestNumber, number);
  const now = state.now();
  const pull: PullRequest = {
    id: state.nextId(),
    number,
    author,
    title: wanted.title,
    body: wanted.body,
    state: 'open',
    draft: wanted.draft,
    labels: [],
    createdAt: now,
    updatedAt: now,
    closedAt: null,
    merged: null,
    head: { ...head, sha },
    lastPusher: pusherOf(head.repository, sha) ?? author,
    base: { ref: base, sha: baseSha },
    reads: new Map(),
    tried: null,
  };
  repository.pulls.set(number, pull);
  repository.world.setRef(`refs/pull/${number}/head`, sha);
  announcePull(state, repository, pull, 'opened', author);
  return pull;
}

function pusherOf(repository: RepositoryRecord, sha: string): Account | undefined {
  return repository.activities.findLast(({ after }) => after === sha)?.actor;
}

/** Handles a moved head branch: the head of an open pull request moves with it. */
export function followHead(
  state: GitHubState,
  repository: RepositoryRecord,
  pull: PullRequest,
  sha: string,
  by: Account,
): void {
  const before = pull.head.sha;
  bringCommit(repository, pull.head.repository, sha);
  pull.head = { ...pull.head, sha };
  pull.lastPusher = by;
  pull.base = { ...pull.base, sha: repository.branches.get(pull.base.ref) ?? pull.base.sha };
  pull.updatedAt = state.now();
  repository.world.setRef(`refs/pull/${pull.number}/head`, sha);
  announcePull(state, repository, pull, 'synchronize', by, { before, after: sha });
}

export function closePull(state: GitHubState, repository: RepositoryRecord, pull: PullRequest, by: Account): void {
  if (pull.state === 'closed') return;
  const now = state.now();
  Object.assign(pull, { state: 'closed', closedAt: now, updatedAt: now });
  announcePull(state, repository, pull, 'closed', by);
}

export function markMerged(
  state: GitHubState,
  repository: RepositoryRecord,
  pull: PullRequest,
  by: Account,
  commit: string,
): void {
  const now = state.now();
  pull.merged = { at: now, by, commit };
  closePull(state, repository, pull, by);
}

export function reopenPull(state: GitHubState, repository: RepositoryRecord, pull: PullRequest, by: Account): void {
  if (pull.state === 'open') return;
  const sha = pull.head.repository.branches.get(pull.head.ref);
  if (pull.merged !== null || sha === undefined) throw invalid('PullRequest', 'state', { code: 'invalid' });
  Object.assign(pull, { state: 'open', closedAt: null, updatedAt: state.now() });
  announcePull(state, repository, pull, 'reopened', by);
  if (sha !== pull.head.sha) followHead(state, repository, pull, sha, by);
}

export interface PullEdit {
  readonly title?: string;
  readonly body?: string | null;
  readonly base?: string;
}

export function editPull(
  state: GitHubState,
  repository: RepositoryRecord,
  pull: PullRequest,
  edit: PullEdit,
  by: Account,
): void {
  const changes: Record<string, unknown> = {};
  if (edit.title !== undefined && edit.title !== pull.title) {
    changes.title = { from: pull.title };
    pull.title = edit.title;
  }
  if (edit.body !== undefined && edit.body !== pull.body) {
    changes.body = { from: pull.body };
    pull.body = edit.body;
  }
  if (edit.base !== undefined && edit.base !== pull.base.ref) {
    const sha = repository.branches.get(edit.base);
    if (sha === undefined) throw invalid('PullRequest', 'base', { code: 'invalid' });
    if (repository.stacks.some(({ layers }) => layers.includes(pull.number)))
      throw invalid('PullRequest', 'base', {
        message: 'Cannot change the base branch because the pull request is part of a stack',
      });
    changes.base = { ref: { from: pull.base.ref }, sha: { from: pull.base.sha } };
    pull.base = { ref: edit.base, sha };
  }
  if (Object.keys(changes).length === 0) return;
  pull.updatedAt = state.now();
  announcePull(state, repository, pull, 'edited', by, { changes });
}

export function setDraft(
  state: GitHubState,
  repository: RepositoryRecord,
  pull: PullRequest,
  by: Account,
  action: 'converted_to_draft' | 'ready_for_review',
): void {
  pull.draft = action === 'converted_to_draft';
  pull.updatedAt = state.now();
  announcePull(state, repository, pull, action, by);
}

export function isHead(pull: PullRequest, repository: RepositoryRecord, ref: string): boolean {
  return pull.head.repository === repository && pull.head.ref === ref;
}

/** Copies a commit of a fork to its parent repository, because a network of forks on GitHub shares its commits. */
function bringCommit(repository: RepositoryRecord, from: RepositoryRecord, sha: string): void {
  if (resolveCommit(repository.world.bare, sha) !== null) return;
  repository.world.inBare('fetch', '--quiet', '--no-tags', from.world.bare, sha);
}
