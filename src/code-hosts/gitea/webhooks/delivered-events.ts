import type { HeadTold, HostEvent } from '../../../domain/code-host.port';
import { at, endOfSecond, listAt, numberAt, pushedIn, textAt, timeAt } from '../../reading';
import { isProgram } from '../conversation/people';
import { giteaHeadBranchOf } from '../reading/pull-request';
import { toldStatusIn } from '../reading/statuses';

const BRANCHES = 'refs/heads/';
const TICKED = /^[ \t]*[-*+] \[[xX]\]/m;
/** The actions that may change whether or how a pull request can be merged. */
const TELLING_ACTIONS = ['opened', 'synchronized', 'closed', 'reopened', 'edited', 'reviewed'];
const LABEL_ACTIONS = ['label_updated', 'labeled'];
const MOST_LABELS = 20;

/**
 * The host events in a delivery; none when it does not concern the queue. It is recognised by its shape: the names of events
 * differ between servers, and one version leaves the name of a status out. A delivery that lacks a needed field has none
 * either: polling finds what it would have told.
 */
export function giteaEventsIn(payload: unknown, repositoryId: string, bots: readonly string[]): readonly HostEvent[] {
  if (at(payload, 'comment') !== undefined) return commentEvents(payload, repositoryId, bots);
  if (at(payload, 'pull_request') !== undefined) return pullRequestEvents(payload, repositoryId);
  if (textAt(payload, 'context') !== null) return statusEvents(payload, repositoryId);
  // Forgejo tells no statuses, but the end of a workflow run.
  const commit = textAt(payload, 'run', 'commit_sha');
  if (commit !== null) return [{ type: 'statuses_unclear', repositoryId, commit }];
  return branchEvents(payload, repositoryId);
}

function pullRequestEvents(payload: unknown, repositoryId: string): readonly HostEvent[] {
  const number = numberAt(payload, 'pull_request', 'number') ?? numberAt(payload, 'number');
  const action = textAt(payload, 'action') ?? '';
  if (number === null) return [];
  if (LABEL_ACTIONS.includes(action)) {
    // It says which labels there are now, and not which one was set: the host's record says that.
    const names = listAt(payload, 'pull_request', 'labels').map((label) => textAt(label, 'name'));
    const labels = names.filter((name) => name !== null).slice(0, MOST_LABELS);
    return labels.map((label) => ({ type: 'label_set', repositoryId, number, label }));
  }
  if (!TELLING_ACTIONS.includes(action)) return [];
  const head = headTold(payload, action);
  const changed = { type: 'pull_request_changed', repositoryId, number, ...(head !== null && { head }) } as const;
  return [changed, ...openedEvents(payload, repositoryId, number, action)];
}

/** The sender of a push is who pushed. Who opens a pull request vouches for nothing, but nobody asked before. */
function headTold(payload: unknown, action: string): HeadTold | null {
  const pullRequest = at(payload, 'pull_request');
  const sha = textAt(pullRequest, 'head', 'sha');
  const isOpened = action === 'opened';
  const told = timeAt(pullRequest, isOpened ? 'created_at' : 'updated_at');
  if (sha === null || told === null) return null;
  const pushedBy = isOpened || action === 'synchronized' ? textAt(payload, 'sender', 'login') : null;
  return { sha, since: isOpened ? told.getTime() : endOfSecond(told), pushedBy };
}

function openedEvents(payload: unknown, repositoryId: string, number: number, action: string): readonly HostEvent[] {
  const isTurned = action === 'edited' && at(payload, 'changes', 'ref') !== undefined;
  if (action !== 'opened' && action !== 'reopened' && !isTurned) return [];
  const pullRequest = at(payload, 'pull_request');
  const base = textAt(pullRequest, 'base', 'ref');
  const openedAt = timeAt(pullRequest, 'updated_at')?.getTime();
  if (base === null || openedAt === undefined || textAt(pullRequest, 'state') !== 'open') return [];
  return [
    { type: 'pull_request_opened', repositoryId, number, base, headBranch: giteaHeadBranchOf(pullRequest), openedAt },
  ];
}

function statusEvents(payload: unknown, repositoryId: string): readonly HostEvent[] {
  const sha = textAt(payload, 'sha') ?? textAt(payload, 'commit', 'id');
  const report = sha === null ? null : toldStatusIn(payload, repositoryId, sha);
  return report === null ? [] : [{ type: 'status_reported', report }];
}

/** A push names the whole ref; the making and removing of a branch only its name. */
function branchEvents(payload: unknown, repositoryId: string): readonly HostEvent[] {
  const ref = textAt(payload, 'ref') ?? '';
  if (ref.startsWith(BRANCHES)) {
    const pushed = pushedIn(textAt(payload, 'after'), textAt(payload, 'pusher', 'login'));
    return [{ type: 'branch_changed', repositoryId, branch: ref.slice(BRANCHES.length), ...pushed }];
  }
  if (ref === '' || textAt(payload, 'ref_type') !== 'branch') return [];
  const isDeleted = textAt(payload, 'sha') === null;
  const pushed = isDeleted ? { pushed: { commit: null, by: textAt(payload, 'sender', 'login') } } : {};
  return [{ type: 'branch_changed', repositoryId, branch: ref, ...pushed }];
}

function commentEvents(payload: unknown, repositoryId: string, bots: readonly string[]): readonly HostEvent[] {
  const isOfPullRequest = at(payload, 'is_pull') === true || at(payload, 'issue', 'pull_request') != null;
  const number = numberAt(payload, 'issue', 'number');
  const id = numberAt(payload, 'comment', 'id');
  const author = textAt(payload, 'comment', 'user', 'login');
  if (!isOfPullRequest || number === null || id === null || author === null) return [];
  const body = textAt(payload, 'comment', 'body') ?? '';
  const comment = { repositoryId, number, author, commentId: String(id), body } as const;
  switch (textAt(payload, 'action')) {
    case 'created': {
      // Without its time it is older than any head, and whoever wrote it is asked again.
      const writtenAt = timeAt(payload, 'comment', 'created_at')?.getTime() ?? 0;
      return [{ type: 'comment_made', ...comment, isBot: isProgram(author, bots), writtenAt }];
    }
    case 'edited': {
      const editor = textAt(payload, 'sender', 'login');
      const before = textAt(payload, 'changes', 'body', 'from');
      const editedAt = timeAt(payload, 'comment', 'updated_at')?.getTime();
      if (editor === null || before === null || editedAt === undefined || !TICKED.test(body)) return [];
      return [{ type: 'comment_edited', ...comment, editor, isBot: isProgram(editor, bots), before, editedAt }];
    }
    default:
      return [];
  }
}
