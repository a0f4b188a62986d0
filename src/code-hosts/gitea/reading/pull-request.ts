import type { PullRequestObservation } from '../../../domain/code-host.port';
import { at, missingIn, numberAt, textAt } from '../../reading';

const COMMIT = /^[0-9a-f]{40}$/;
/** Matches the title of a draft. Servers without a `draft` field show drafts only by their title. */
const DRAFT_TITLE = /^\s*(\[wip\]|wip:)/i;

/**
 * A pull request from the host; null if a field is missing that the queue needs. The field `mergeable` is not read,
 * because it is false for a conflict, during the check, after an error and for drafts alike: git decides instead.
 */
export function giteaPullRequestIn(body: unknown, observedAt: Date): PullRequestObservation | null {
  if (missingInPullRequest(body) !== null) return null;
  const number = numberAt(body, 'number');
  const head = textAt(body, 'head', 'sha');
  const base = textAt(body, 'base', 'ref');
  if (number === null || head === null || base === null) return null;
  const title = textAt(body, 'title') ?? '';
  const draft = at(body, 'draft');
  return {
    ...{ number, head, base, title, observedAt },
    author: textAt(body, 'user', 'login') ?? 'ghost',
    body: textAt(body, 'body') ?? '',
    authorEmail: textAt(body, 'user', 'email') || null,
    url: textAt(body, 'html_url'),
    headBranch: giteaHeadBranchOf(body),
    state: stateOf(body),
    draft: typeof draft === 'boolean' ? draft : DRAFT_TITLE.test(title),
    mergeability: 'unspecified',
  };
}

/** The words for a needed field that is missing; null if no field is missing. */
export function missingInPullRequest(body: unknown): string | null {
  const isClosed = at(body, 'state') === 'closed';
  const missing = missingIn(body, {
    ...{ number: 'number', 'head.sha': 'text', 'base.ref': 'text', state: 'text' },
    ...(isClosed ? { merged: 'flag' } : {}),
  });
  if (missing !== null) return missing;
  return COMMIT.test(textAt(body, 'head', 'sha') ?? '') ? null : 'a commit as head.sha';
}

/**
 * The head branch: `branch`, or `owner:branch` for a branch of a fork. Null if there is none, because the pull request
 * was pushed without a branch, or the branch is gone.
 */
export function giteaHeadBranchOf(body: unknown): string | null {
  const branch = textAt(body, 'head', 'ref');
  if (branch === null || branch.startsWith('refs/')) return null;
  const home = textAt(body, 'head', 'repo', 'full_name');
  if (home !== null && home === textAt(body, 'base', 'repo', 'full_name')) return branch;
  // The fork may have been deleted, so its owner may be unknown.
  return `${textAt(body, 'head', 'repo', 'owner', 'login') ?? 'unknown'}:${branch}`;
}

function stateOf(body: unknown): PullRequestObservation['state'] {
  if (at(body, 'merged') === true) return 'merged';
  return textAt(body, 'state') === 'open' ? 'open' : 'closed';
}
