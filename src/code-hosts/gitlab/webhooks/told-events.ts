import type { HostEvent } from '../../../domain/code-host.port';
import {
  branchPushed,
  editedComment,
  madeComment,
  pullRequestEventsOf,
  type ToldPullRequest,
} from '../../forge/webhooks/told-events';
import { at, listAt, numberAt, textAt, timeAt } from '../../reading';
import { isGitLabProgram } from '../conversation/gitlab-people';
import { sourceBranchOf } from '../reading/merge-request';

/** The actions that may change whether, or how, a merge request can be merged. */
const TELLING_ACTIONS = [
  ...['open', 'update', 'close', 'reopen', 'merge'],
  ...['approved', 'unapproved', 'approval', 'unapproval'],
];
const ENDS = ['success', 'failed', 'canceled', 'skipped'];

/**
 * The host events in a delivery; empty if the delivery does not concern the queue, or lacks a needed field. Polling
 * finds the same facts. The `user` in a delivery is the person who opened, pushed or wrote.
 */
export function gitLabEventsIn(payload: unknown, repositoryId: string, bots: readonly string[]): readonly HostEvent[] {
  switch (textAt(payload, 'object_kind')) {
    case 'merge_request':
      return mergeRequestEvents(payload, repositoryId);
    case 'note':
      return noteEvents(payload, repositoryId, bots);
    case 'push':
      return branchPushed(
        repositoryId,
        textAt(payload, 'ref'),
        textAt(payload, 'after'),
        textAt(payload, 'user_username'),
      );
    default:
      return [];
  }
}

/**
 * The commit of a pipeline or job that has ended; null if the delivery is about something else. The result in the
 * delivery is not used, because another pipeline of the commit may count instead.
 */
export function endedCommitIn(payload: unknown): string | null {
  const kind = textAt(payload, 'object_kind');
  const [status, sha] =
    kind === 'pipeline'
      ? [textAt(payload, 'object_attributes', 'status'), textAt(payload, 'object_attributes', 'sha')]
      : kind === 'build'
        ? [textAt(payload, 'build_status'), textAt(payload, 'sha')]
        : [null, null];
  return status !== null && ENDS.includes(status) ? sha : null;
}

function mergeRequestEvents(payload: unknown, repositoryId: string): readonly HostEvent[] {
  const facts = at(payload, 'object_attributes');
  const number = numberAt(facts, 'iid');
  const action = textAt(facts, 'action') ?? '';
  if (number === null || !TELLING_ACTIONS.includes(action)) return [];
  const [changed, ...opened] = pullRequestEventsOf({
    ...{ repositoryId, number, did: whatWasDone(payload, action) },
    // GitLab sends a push to a merge request as an update with `oldrev`.
    isPush: action === 'update' && textAt(facts, 'oldrev') !== null,
    sha: textAt(facts, 'last_commit', 'id'),
    base: textAt(facts, 'target_branch'),
    headBranch: sourceBranchOf(facts),
    isOpen: textAt(facts, 'state') === 'opened',
    createdAt: timeAt(facts, 'created_at'),
    updatedAt: timeAt(facts, 'updated_at'),
    sender: senderOf(payload),
  });
  const labels = labelsSet(payload, action).map(
    (label) => ({ type: 'label_set', repositoryId, number, label }) as const,
  );
  return [changed!, ...labels, ...opened];
}

function whatWasDone(payload: unknown, action: string): ToldPullRequest['did'] {
  if (action === 'open') return 'opened';
  if (action === 'reopen') return 'reopened';
  return action === 'update' && at(payload, 'changes', 'target_branch') !== undefined ? 'turned' : 'something else';
}

function labelsSet(payload: unknown, action: string): readonly string[] {
  const titlesAt = (...path: readonly string[]): readonly string[] =>
    listAt(payload, ...path)
      .map((label) => textAt(label, 'title'))
      .filter((title) => title !== null);
  if (action === 'open') return titlesAt('labels');
  const before = titlesAt('changes', 'labels', 'previous');
  return titlesAt('changes', 'labels', 'current').filter((title) => !before.includes(title));
}

/** System notes are not comments. Older versions send no action, and send only new notes. */
function noteEvents(payload: unknown, repositoryId: string, bots: readonly string[]): readonly HostEvent[] {
  const note = at(payload, 'object_attributes');
  const number = numberAt(payload, 'merge_request', 'iid');
  const id = numberAt(note, 'id');
  const sender = senderOf(payload);
  if (textAt(note, 'noteable_type') !== 'MergeRequest' || at(note, 'system') === true) return [];
  if (number === null || id === null || sender === null || !isByItsSender(payload)) return [];
  const body = textAt(note, 'note') ?? '';
  const isBot = isGitLabProgram(sender, bots);
  const comment = { repositoryId, number, author: sender, commentId: String(id), isBot, body } as const;
  if (textAt(note, 'action') !== 'update') return [madeComment(comment, timeAt(note, 'created_at'))];
  return editedComment({ ...comment, editor: sender, before: null }, timeAt(note, 'updated_at'));
}

/** Whether the author of the note sent it. The delivery has only the sender's login, and the number of the author. */
function isByItsSender(payload: unknown): boolean {
  const [author, sender] = [numberAt(payload, 'object_attributes', 'author_id'), numberAt(payload, 'user', 'id')];
  return author === null || sender === null || author === sender;
}

function senderOf(payload: unknown): string | null {
  return textAt(payload, 'user', 'username');
}
