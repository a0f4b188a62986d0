import type { Account } from '../forge/accounts';
import { attempt, isAncestor, NO_COMMIT, readCommit } from '../forge/git';
import type {
  CheckRunRecord,
  CommentRecord,
  PullRequest,
  RepositoryRecord,
  ReviewRecord,
  StatusRecord,
  ThreadRecord,
} from './records';
import { accountShape, nodeId } from './shapes/account';
import { commentShape, reviewShape } from './shapes/comment';
import { commitShape, pushedCommitShape } from './shapes/commit';
import { installationShape } from './shapes/installation';
import { issueShape } from './shapes/issue';
import { announcedPullShape, simplePullShape } from './shapes/pull-request';
import { repositoryShape } from './shapes/repository';
import { checkRunShape, statusShape } from './shapes/results';
import { fullName, type GitHubState, type Installation } from './state';

const MOST_COMMITS = 20;

type Payload = Readonly<Record<string, unknown>>;

export type PullAction =
  | ('opened' | 'synchronize' | 'closed' | 'reopened' | 'edited' | 'converted_to_draft' | 'ready_for_review')
  | ('labeled' | 'unlabeled');

export interface BranchMove {
  readonly branch: string;
  /** The commit before the push; null if the branch did not exist. */
  readonly before: string | null;
  /** The commit after the push; null if the branch was deleted. */
  readonly after: string | null;
}

export function announcePull(
  state: GitHubState,
  repository: RepositoryRecord,
  pull: PullRequest,
  action: PullAction,
  sender: Account,
  more: Readonly<Record<string, unknown>> = {},
): void {
  announce(state, repository, 'pull_request', action, sender, () => ({
    action,
    number: pull.number,
    pull_request: announcedPullShape(state, repository, pull),
    ...more,
  }));
}

export function announcePush(
  state: GitHubState,
  repository: RepositoryRecord,
  move: BranchMove,
  sender: Account,
): void {
  announce(state, repository, 'push', null, sender, () => pushPayload(state, repository, move, sender));
}

function pushPayload(
  state: GitHubState,
  repository: RepositoryRecord,
  { branch, before, after }: BranchMove,
  sender: Account,
): Payload {
  const { bare } = repository.world;
  const range = [...(before === null ? [] : [`^${before}`]), ...(after === null ? [] : [after])];
  const ids =
    after === null ? '' : attempt(bare, ['rev-list', `--max-count=${MOST_COMMITS}`, '--reverse', ...range]).stdout;
  const commits = ids
    .split('\n')
    .filter(Boolean)
    .map((id) => pushedCommitShape(state, repository, readCommit(bare, id)));
  return {
    ref: `refs/heads/${branch}`,
    before: before ?? NO_COMMIT,
    after: after ?? NO_COMMIT,
    created: before === null,
    deleted: after === null,
    forced: before !== null && after !== null && !isAncestor(bare, before, after),
    base_ref: null,
    compare: state.html(`/${fullName(repository)}/compare/${before ?? NO_COMMIT}...${after ?? NO_COMMIT}`),
    commits,
    head_commit: commits.at(-1) ?? null,
    pusher: { name: sender.login, email: sender.email },
  };
}

export function announceStatus(state: GitHubState, repository: RepositoryRecord, status: StatusRecord): void {
  const { id, sha, context, description, targetUrl, creator } = status;
  const { created_at, updated_at, avatar_url } = statusShape(state, repository, status);
  const branches = [...repository.branches].filter(([, tip]) => tip === sha);
  const api = state.api(`/repos/${fullName(repository)}`);
  announce(state, repository, 'status', null, creator, () => ({
    id,
    sha,
    name: fullName(repository),
    context,
    state: status.state,
    description,
    target_url: targetUrl,
    avatar_url,
    commit: commitShape(state, repository, sha),
    branches: branches.map(([name]) => ({ name, commit: { sha, url: `${api}/commits/${sha}` }, protected: false })),
    created_at,
    updated_at,
  }));
}

export function announceCheckRun(
  state: GitHubState,
  repository: RepositoryRecord,
  run: CheckRunRecord,
  action: 'created' | 'completed',
): void {
  const sender = state.accounts.of(`${run.app.slug}[bot]`, 'Bot');
  const shape = checkRunShape(state, repository, run);
  const branch = [...repository.branches].find(([, tip]) => tip === run.sha)?.[0] ?? null;
  const suite = {
    id: run.suiteId,
    node_id: nodeId('CS', run.suiteId),
    head_branch: branch,
    head_sha: run.sha,
    status: run.status,
    conclusion: run.conclusion,
    app: shape.app,
    pull_requests: shape.pull_requests,
  };
  announce(state, repository, 'check_run', action, sender, () => ({
    action,
    check_run: { ...shape, check_suite: suite },
  }));
}

export function announceComment(
  state: GitHubState,
  repository: RepositoryRecord,
  comment: CommentRecord,
  action: 'created' | 'edited' | 'deleted',
  sender: Account,
  more: Readonly<Record<string, unknown>> = {},
): void {
  const pull = repository.pulls.get(comment.number);
  if (pull === undefined) return;
  announce(state, repository, 'issue_comment', action, sender, () => ({
    action,
    issue: issueShape(state, repository, pull),
    comment: { ...commentShape(state, repository, comment), performed_via_github_app: null },
    ...more,
  }));
}

export function announceReview(state: GitHubState, repository: RepositoryRecord, review: ReviewRecord): void {
  const pull = repository.pulls.get(review.number);
  if (pull === undefined) return;
  announce(state, repository, 'pull_request_review', 'submitted', review.author, () => ({
    action: 'submitted',
    review: { ...reviewShape(state, repository, review), state: review.state.toLowerCase() },
    pull_request: announcedPullShape(state, repository, pull),
  }));
}

/**
 * Announces a change of a conversation. The payload lacks the conversation's comments, which the mock does not keep.
 */
export function announceThread(
  state: GitHubState,
  repository: RepositoryRecord,
  { number, isResolved }: ThreadRecord,
  sender: Account,
): void {
  const pull = repository.pulls.get(number);
  if (pull === undefined) return;
  const action = isResolved ? 'resolved' : 'unresolved';
  announce(state, repository, 'pull_request_review_thread', action, sender, () => ({
    action,
    thread: { node_id: nodeId('PRRT', number), comments: [] },
    pull_request: simplePullShape(state, repository, pull),
  }));
}

export function announceInstallation(
  state: GitHubState,
  installation: Installation,
  action: 'created' | 'deleted' | 'new_permissions_accepted',
): void {
  const { id, account } = installation;
  const owned = [...state.repositories.values()].filter((one) => one.owner.id === account.id);
  state.webhooks.send({
    event: 'installation',
    action,
    repositoryId: null,
    installationId: id,
    payload: () => ({
      action,
      installation: installationShape(state, installation),
      repositories: owned.map((one) => {
        const { node_id, name, full_name, private: isPrivate } = repositoryShape(state, one);
        return { id: one.id, node_id, name, full_name, private: isPrivate };
      }),
      sender: accountShape(state, account),
    }),
  });
}

/**
 * Delivers an event to the app, if the app subscribes to it and is installed for the repository with the permission.
 */
function announce(
  state: GitHubState,
  repository: RepositoryRecord,
  event: string,
  action: string | null,
  sender: Account,
  payload: () => Payload,
): void {
  const installation = state.installationOf(repository.owner);
  if (installation === null || !state.isToldOf(event, installation)) return;
  state.webhooks.send({
    event,
    action,
    repositoryId: repository.id,
    installationId: installation.id,
    payload: () => ({
      ...payload(),
      repository: repositoryShape(state, repository),
      sender: accountShape(state, sender),
      installation: { id: installation.id, node_id: nodeId('I', installation.id) },
    }),
  });
}
