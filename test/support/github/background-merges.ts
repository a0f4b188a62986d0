import { randomUUID } from 'node:crypto';
import { GitHubRefusal, notFound, ok, type Answer } from './answers';
import { mergePull } from './landing';
import type { BackgroundMergeRecord, PullRequest, RepositoryRecord } from './records';
import { mergeStack } from './stacks';
import { pullOf, stackHolding, type GitHubState } from './state';

const KEPT_MS = 24 * 60 * 60_000;

export type AskedMerge = Omit<BackgroundMergeRecord, 'uuid' | 'number' | 'result' | 'changedAt'>;

/**
 * Accepts a merge that runs in the background. Before that, only checks that the pull request is open and not a draft.
 */
export function askToMerge(
  state: GitHubState,
  repository: RepositoryRecord,
  pull: PullRequest,
  asked: AskedMerge,
): Answer {
  if (pull.merged !== null) return ok(mergedShape(pull.merged.commit));
  if (repository.enqueued.has(pull.number)) return ok(ENQUEUED);
  if (pull.state === 'closed') return { status: 400, body: failedShape('Pull Request is not mergeable') };
  if (pull.draft) return { status: 400, body: failedShape('Pull Request is still a draft') };
  const underWay = repository.backgroundMerges.find(({ number, result }) => number === pull.number && result === null);
  if (underWay !== undefined) return { status: 409, body: pendingShape(underWay) };
  const merge = { ...asked, uuid: randomUUID(), number: pull.number, result: null, changedAt: state.now() };
  repository.backgroundMerges.push(merge);
  const body = pendingShape(merge);
  if (!repository.holdsMerges) runMerge(state, repository, merge);
  return { status: 202, body };
}

/** The state of a background merge. A merge that ended a day ago is answered with 404. */
export function mergeResult(state: GitHubState, repository: RepositoryRecord, number: number, uuid: string): Answer {
  const merge = repository.backgroundMerges.find((one) => one.number === number && one.uuid === uuid);
  if (merge === undefined || state.now().getTime() - merge.changedAt.getTime() >= KEPT_MS) throw notFound();
  const { result } = merge;
  if (result === null) return ok(repository.enqueued.has(number) ? ENQUEUED : pendingShape(merge));
  return ok('sha' in result ? mergedShape(result.sha) : failedShape(result.failure));
}

/** Carries out the requested merges that have not ended. */
export function runMerges(state: GitHubState, repository: RepositoryRecord): void {
  for (const merge of repository.backgroundMerges) {
    if (merge.result === null) runMerge(state, repository, merge);
  }
}

function runMerge(state: GitHubState, repository: RepositoryRecord, merge: BackgroundMergeRecord): void {
  merge.result = outcomeOf(state, repository, merge);
  merge.changedAt = state.now();
}

function outcomeOf(
  state: GitHubState,
  repository: RepositoryRecord,
  { number, by, method = 'merge', title, message, expectedHead: sha }: BackgroundMergeRecord,
): BackgroundMergeRecord['result'] {
  const failure = repository.mergeFailures.shift();
  if (failure !== undefined) return { failure };
  const pull = pullOf(repository, number);
  const request = { method, by, title, message, sha, inBackground: true } as const;
  const stack = stackHolding(repository, pull);
  try {
    if (stack !== undefined) return { sha: mergeStack(state, repository, { stack, top: pull }, request) };
    return { sha: mergePull(state, repository, pull, request) };
  } catch (error) {
    if (!(error instanceof GitHubRefusal)) throw error;
    return { failure: error.message };
  }
}

function pendingShape({ uuid, method, action, expectedHead }: BackgroundMergeRecord): object {
  return {
    status: 'pending',
    details: {
      message: 'The merge request has been accepted.',
      uuid,
      merge_method: method ?? 'default',
      merge_action: action,
      expected_head_sha: expectedHead,
    },
  };
}

const ENQUEUED = { status: 'enqueued', details: { message: 'The pull request is in the merge queue.' } } as const;

function mergedShape(sha: string): object {
  return { status: 'merged', details: { message: 'Pull Request successfully merged', sha } };
}

function failedShape(message: string): object {
  return { status: 'failed', details: { message } };
}
