import type { Account } from '../forge/accounts';
import { announceCheckRun, announceComment, announceStatus } from './events';
import type {
  AppFacts,
  CheckRunRecord,
  CommentRecord,
  ReactionRecord,
  RepositoryRecord,
  StatusRecord,
  WorkflowRunRecord,
} from './records';
import { ACTIONS_APP, type GitHubState } from './state';

export type NewStatus = Pick<StatusRecord, 'sha' | 'context' | 'state'> &
  Partial<Pick<StatusRecord, 'description' | 'targetUrl'>>;

export function addStatus(
  state: GitHubState,
  repository: RepositoryRecord,
  status: NewStatus,
  creator: Account,
): StatusRecord {
  const record: StatusRecord = {
    description: null,
    targetUrl: null,
    ...status,
    id: state.nextId(),
    creator,
    appId: state.appOf(creator)?.id ?? null,
    createdAt: state.now(),
  };
  repository.statuses.push(record);
  announceStatus(state, repository, record);
  return record;
}

export type CheckRunChange = Partial<
  Pick<
    CheckRunRecord,
    'name' | 'status' | 'conclusion' | 'detailsUrl' | 'externalId' | 'startedAt' | 'completedAt' | 'output'
  >
>;

const NO_OUTPUT = { title: null, summary: null, text: null };

interface NewCheckRun {
  readonly sha: string;
  readonly name: string;
  /** The run of GitHub Actions that made the check run, or another app. An app has one suite for each commit. */
  readonly by: WorkflowRunRecord | AppFacts;
}

export function addCheckRun(
  state: GitHubState,
  repository: RepositoryRecord,
  { sha, name, by }: NewCheckRun,
  change: CheckRunChange,
): CheckRunRecord {
  const isOfActions = 'suiteId' in by;
  const app = isOfActions ? ACTIONS_APP : by;
  const before = repository.checkRuns.find((run) => run.sha === sha && run.app.id === app.id);
  const run: CheckRunRecord = {
    id: state.nextId(),
    suiteId: isOfActions ? by.suiteId : (before?.suiteId ?? state.nextId()),
    attempt: isOfActions ? by.attempt : 1,
    annotations: [],
    sha,
    app,
    name,
    status: 'queued',
    conclusion: null,
    detailsUrl: null,
    externalId: null,
    startedAt: state.now(),
    completedAt: null,
    output: NO_OUTPUT,
  };
  repository.checkRuns.push(run);
  applyChange(state, run, change);
  announceCheckRun(state, repository, run, 'created');
  if (run.status === 'completed') announceCheckRun(state, repository, run, 'completed');
  return run;
}

export function changeCheckRun(
  state: GitHubState,
  repository: RepositoryRecord,
  run: CheckRunRecord,
  change: CheckRunChange,
): void {
  const wasCompleted = run.status === 'completed';
  applyChange(state, run, change);
  if (run.status === 'completed' && !wasCompleted) announceCheckRun(state, repository, run, 'completed');
}

/** Applies a change to a check run. A check run with a conclusion is completed, even if its status says otherwise. */
function applyChange(state: GitHubState, run: CheckRunRecord, change: CheckRunChange): void {
  Object.assign(run, Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)));
  if (change.conclusion != null) run.status = 'completed';
  if (run.status === 'completed') run.completedAt ??= state.now();
  else Object.assign(run, { conclusion: null, completedAt: null });
}

export function addComment(
  state: GitHubState,
  repository: RepositoryRecord,
  number: number,
  body: string,
  author: Account,
): CommentRecord {
  const now = state.now();
  const comment = { id: state.nextId(), number, author, body, createdAt: now, updatedAt: now, reactions: [] };
  repository.comments.push(comment);
  announceComment(state, repository, comment, 'created', author);
  return comment;
}

export function editComment(
  state: GitHubState,
  repository: RepositoryRecord,
  comment: CommentRecord,
  body: string,
  by: Account,
): void {
  const changes = { body: { from: comment.body } };
  comment.body = body;
  comment.updatedAt = state.now();
  announceComment(state, repository, comment, 'edited', by, { changes });
}

export function deleteComment(
  state: GitHubState,
  repository: RepositoryRecord,
  comment: CommentRecord,
  by: Account,
): void {
  repository.comments.splice(repository.comments.indexOf(comment), 1);
  announceComment(state, repository, comment, 'deleted', by);
}

/**
 * Adds a reaction. An account has at most one reaction of each kind, so a second request returns the first reaction.
 */
export function addReaction(
  state: GitHubState,
  comment: CommentRecord,
  content: string,
  user: Account,
): { reaction: ReactionRecord; isNew: boolean } {
  const known = comment.reactions.find((one) => one.user.id === user.id && one.content === content);
  if (known !== undefined) return { reaction: known, isNew: false };
  const reaction = { id: state.nextId(), user, content, createdAt: state.now() };
  comment.reactions.push(reaction);
  return { reaction, isNew: true };
}
