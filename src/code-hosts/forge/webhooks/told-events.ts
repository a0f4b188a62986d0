import type { HeadTold, HostEvent } from '../../../domain/code-host.port';
import { at, endOfSecond, numberAt, pushedIn, textAt, timeAt } from '../../reading';

const BRANCHES = 'refs/heads/';
const TICKED = /^[ \t]*[-*+] \[[xX]\]/m;

/**
 * The facts of a delivery about a pull request, with the same names for every host. A null means that the delivery does
 * not say.
 */
export interface ToldPullRequest {
  readonly repositoryId: string;
  readonly number: number;
  readonly sha: string | null;
  readonly base: string | null;
  readonly headBranch: string | null;
  readonly isOpen: boolean;
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
  /** `turned`: the base of the pull request was changed to another branch. */
  readonly did: 'opened' | 'reopened' | 'turned' | 'something else';
  /** Whether somebody pushed to the pull request. */
  readonly isPush: boolean;
  readonly sender: string | null;
}

interface PullRequestWords {
  /** The action by which the host reports a push. */
  readonly pushed: string;
  /** The field of `changes` by which the host reports a changed base. */
  readonly turned: string;
  readonly baseIn: (pullRequest: unknown) => string | null;
  readonly headBranchOf: (pullRequest: unknown) => string | null;
}

/** The events of a delivery about a pull request, as GitHub and Gitea write it. */
export function pullRequestEventsIn(
  payload: unknown,
  repositoryId: string,
  number: number,
  { pushed, turned, baseIn, headBranchOf }: PullRequestWords,
): readonly HostEvent[] {
  const pullRequest = at(payload, 'pull_request');
  const action = textAt(payload, 'action');
  const isTurned = action === 'edited' && at(payload, 'changes', turned) !== undefined;
  return pullRequestEventsOf({
    ...{ repositoryId, number, isPush: action === pushed, sender: textAt(payload, 'sender', 'login') },
    did: action === 'opened' || action === 'reopened' ? action : isTurned ? 'turned' : 'something else',
    sha: textAt(pullRequest, 'head', 'sha'),
    base: baseIn(pullRequest),
    headBranch: headBranchOf(pullRequest),
    isOpen: textAt(pullRequest, 'state') === 'open',
    createdAt: timeAt(pullRequest, 'created_at'),
    updatedAt: timeAt(pullRequest, 'updated_at'),
  });
}

/**
 * The events of a change of a pull request: `PullRequestChanged`, and also `PullRequestOpened` if the pull request may
 * be new for its base.
 */
export function pullRequestEventsOf(told: ToldPullRequest): readonly HostEvent[] {
  const { repositoryId, number, base, headBranch, isOpen, updatedAt, did } = told;
  const head = headTold(told);
  const changed = { type: 'pull_request_changed', repositoryId, number, ...(head !== null && { head }) } as const;
  if (did === 'something else' || base === null || updatedAt === null || !isOpen) return [changed];
  const openedAt = updatedAt.getTime();
  return [changed, { type: 'pull_request_opened', repositoryId, number, base, headBranch, openedAt }];
}

/**
 * The facts about the head. The sender of a push pushed the head. The sender who opens a pull request need not have
 * pushed its head, but nobody can have sent a request about the pull request earlier.
 */
function headTold({ sha, createdAt, updatedAt, did, isPush, sender }: ToldPullRequest): HeadTold | null {
  const isOpened = did === 'opened';
  const told = isOpened ? createdAt : updatedAt;
  if (sha === null || told === null) return null;
  // A push may have come after a comment of the same second, so the end of the second counts. Before a pull request is
  // opened, there are no comments, so its exact time counts.
  return { sha, since: isOpened ? told.getTime() : endOfSecond(told), pushedBy: isOpened || isPush ? sender : null };
}

/** The event of a push; empty if `ref` is not a branch. `after`: the new tip. */
export function branchPushed(
  repositoryId: string,
  ref: string | null,
  after: string | null,
  by: string | null,
): readonly HostEvent[] {
  if (ref?.startsWith(BRANCHES) !== true) return [];
  return [{ type: 'branch_changed', repositoryId, branch: ref.slice(BRANCHES.length), ...pushedIn(after, by) }];
}

/**
 * The events of a delivery about a comment under a pull request, as GitHub and Gitea write it. `isBot`: tells whether a
 * user in the delivery is a bot.
 */
export function commentEventsIn(
  payload: unknown,
  repositoryId: string,
  isBot: (user: unknown) => boolean,
): readonly HostEvent[] {
  const number = numberAt(payload, 'issue', 'number');
  const id = numberAt(payload, 'comment', 'id');
  const author = textAt(payload, 'comment', 'user', 'login');
  if (number === null || id === null || author === null) return [];
  const body = textAt(payload, 'comment', 'body') ?? '';
  const comment = { repositoryId, number, author, commentId: String(id), body } as const;
  switch (textAt(payload, 'action')) {
    case 'created': {
      const writtenAt = timeAt(payload, 'comment', 'created_at');
      return [madeComment({ ...comment, isBot: isBot(at(payload, 'comment', 'user')) }, writtenAt)];
    }
    case 'edited': {
      const editor = textAt(payload, 'sender', 'login');
      const before = textAt(payload, 'changes', 'body', 'from');
      const editedAt = timeAt(payload, 'comment', 'updated_at');
      if (editor === null || before === null) return [];
      return editedComment({ ...comment, editor, isBot: isBot(at(payload, 'sender')), before }, editedAt);
    }
    default:
      return [];
  }
}

type CommentMade = Extract<HostEvent, { type: 'comment_made' }>;
type CommentEdited = Extract<HostEvent, { type: 'comment_edited' }>;

/**
 * The event of a new comment. Without a time, the comment counts as older than any head, and its author is asked to
 * repeat it.
 */
export function madeComment(comment: Omit<CommentMade, 'type' | 'writtenAt'>, writtenAt: Date | null): CommentMade {
  return { type: 'comment_made', ...comment, writtenAt: writtenAt?.getTime() ?? 0 };
}

/** The event of an edited comment; empty if no box in it is ticked. */
export function editedComment(
  comment: Omit<CommentEdited, 'type' | 'editedAt'>,
  editedAt: Date | null,
): readonly CommentEdited[] {
  if (editedAt === null || !TICKED.test(comment.body)) return [];
  return [{ type: 'comment_edited', ...comment, editedAt: editedAt.getTime() }];
}
