import type { HeadTold, HostEvent } from '../../../domain/code-host.port';
import { at, endOfSecond, numberAt, pushedIn, textAt, timeAt } from '../../reading';
import { isBot } from '../reading/people';
import { headBranchOf } from '../reading/pull-request';
import { baseIn } from '../reading/stacks';
import { checkRunIn, statusIn } from '../reading/statuses';

/** The actions that may change whether or how a pull request can be merged. Labels do not. */
const TELLING_ACTIONS = [
  ...['opened', 'synchronize', 'closed', 'reopened', 'edited', 'converted_to_draft', 'ready_for_review'],
];
const BRANCHES = 'refs/heads/';
const TICKED = /^[ \t]*[-*+] \[[xX]\]/m;

/**
 * The host events in a delivery; none when it does not concern the queue. A delivery that lacks a needed field has none
 * either: polling finds what it would have told.
 */
export function eventsIn(event: string, payload: unknown, repositoryId: string): readonly HostEvent[] {
  if (event === 'pull_request') return pullRequestEvent(payload, repositoryId);
  const found = oneEventIn(event, payload, repositoryId);
  return found === null ? [] : [found];
}

function oneEventIn(event: string, payload: unknown, repositoryId: string): HostEvent | null {
  switch (event) {
    case 'push':
      return pushEvents(payload, repositoryId);
    case 'status': {
      const sha = textAt(payload, 'sha');
      const report = sha === null ? null : statusIn(payload, repositoryId, sha);
      return report === null ? null : { type: 'status_reported', report };
    }
    case 'check_run': {
      const report = checkRunIn(at(payload, 'check_run'), repositoryId);
      return report === null ? null : { type: 'status_reported', report };
    }
    case 'pull_request_review':
    case 'pull_request_review_thread': {
      const number = numberAt(payload, 'pull_request', 'number');
      return number === null ? null : { type: 'pull_request_changed', repositoryId, number };
    }
    case 'issue_comment':
      return commentEvent(payload, repositoryId);
    default:
      return null;
  }
}

function pullRequestEvent(payload: unknown, repositoryId: string): readonly HostEvent[] {
  const number = numberAt(payload, 'pull_request', 'number');
  const action = textAt(payload, 'action') ?? '';
  if (number === null) return [];
  if (action === 'labeled') {
    const label = textAt(payload, 'label', 'name');
    return label === null ? [] : [{ type: 'label_set', repositoryId, number, label }];
  }
  if (!TELLING_ACTIONS.includes(action)) return [];
  const head = headTold(payload, action);
  const changed = { type: 'pull_request_changed', repositoryId, number, ...(head !== null && { head }) } as const;
  return [changed, ...openedEvent(payload, repositoryId, number)];
}

/** The sender of a push is who pushed. Who opens a pull request vouches for nothing, but nobody asked before. */
function headTold(payload: unknown, action: string): HeadTold | null {
  const pullRequest = at(payload, 'pull_request');
  const sha = textAt(pullRequest, 'head', 'sha');
  const isOpened = action === 'opened';
  const told = timeAt(pullRequest, isOpened ? 'created_at' : 'updated_at');
  if (sha === null || told === null) return null;
  const pushedBy = isOpened || action === 'synchronize' ? textAt(payload, 'sender', 'login') : null;
  // A push of this second may have come after a comment of this second. Nothing comes before a pull request is opened.
  return { sha, since: isOpened ? told.getTime() : endOfSecond(told), pushedBy };
}

function openedEvent(payload: unknown, repositoryId: string, number: number): readonly HostEvent[] {
  const action = textAt(payload, 'action');
  const isTurned = action === 'edited' && at(payload, 'changes', 'base') !== undefined;
  if (action !== 'opened' && action !== 'reopened' && !isTurned) return [];
  const pullRequest = at(payload, 'pull_request');
  const base = baseIn(pullRequest);
  const openedAt = timeAt(pullRequest, 'updated_at')?.getTime();
  if (base === null || openedAt === undefined || textAt(pullRequest, 'state') !== 'open') return [];
  const headBranch = headBranchOf(pullRequest);
  return [{ type: 'pull_request_opened', repositoryId, number, base, headBranch, openedAt }];
}

function pushEvents(payload: unknown, repositoryId: string): HostEvent | null {
  const ref = textAt(payload, 'ref');
  if (ref === null || !ref.startsWith(BRANCHES)) return null;
  const pushed = pushedIn(textAt(payload, 'after'), textAt(payload, 'sender', 'login'));
  return { type: 'branch_changed', repositoryId, branch: ref.slice(BRANCHES.length), ...pushed };
}

function commentEvent(payload: unknown, repositoryId: string): HostEvent | null {
  const isOfPullRequest = at(payload, 'issue', 'pull_request') !== undefined;
  const number = numberAt(payload, 'issue', 'number');
  const id = numberAt(payload, 'comment', 'id');
  const author = textAt(payload, 'comment', 'user', 'login');
  if (!isOfPullRequest || number === null || id === null || author === null) return null;
  const body = textAt(payload, 'comment', 'body') ?? '';
  const comment = { repositoryId, number, author, commentId: String(id), body } as const;
  switch (textAt(payload, 'action')) {
    case 'created': {
      // Without its time it is older than any head, and whoever wrote it is asked again.
      const writtenAt = timeAt(payload, 'comment', 'created_at')?.getTime() ?? 0;
      return { type: 'comment_made', ...comment, isBot: isBot(payload, 'comment', 'user'), writtenAt };
    }
    case 'edited': {
      const editor = textAt(payload, 'sender', 'login');
      const before = textAt(payload, 'changes', 'body', 'from');
      const editedAt = timeAt(payload, 'comment', 'updated_at')?.getTime();
      if (editor === null || before === null || editedAt === undefined || !TICKED.test(body)) return null;
      return { type: 'comment_edited', ...comment, editor, isBot: isBot(payload, 'sender'), before, editedAt };
    }
    default:
      return null;
  }
}
