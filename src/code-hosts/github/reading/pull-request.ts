import type { PullRequestObservation } from '../../../domain/code-host.port';
import { at, numberAt, textAt } from '../../reading';
import { baseIn } from './stacks';

/** A pull request from GitHub; null if a field is missing that the queue needs. */
export function pullRequestIn(body: unknown, host: string, observedAt: Date): PullRequestObservation | null {
  const number = numberAt(body, 'number');
  const head = textAt(body, 'head', 'sha');
  const base = baseIn(body);
  if (number === null || head === null || base === null) return null;
  const author = textAt(body, 'user', 'login') ?? 'ghost';
  return {
    number,
    head,
    base,
    author,
    observedAt,
    title: textAt(body, 'title') ?? '',
    body: textAt(body, 'body') ?? '',
    authorEmail: emailOf(host, author, numberAt(body, 'user', 'id')),
    url: textAt(body, 'html_url'),
    headBranch: headBranchOf(body),
    state: stateOf(body),
    draft: at(body, 'draft') === true,
    mergeability: mergeabilityOf(body),
  };
}

/**
 * The head branch: `branch`, or `owner:branch` for a branch of a fork, because another repository may use the same name
 * for another branch.
 */
export function headBranchOf(body: unknown): string | null {
  const branch = textAt(body, 'head', 'ref');
  const home = textAt(body, 'head', 'repo', 'full_name');
  if (branch === null || home === textAt(body, 'base', 'repo', 'full_name')) return branch;
  // The fork and its owner may have been deleted.
  const owner = textAt(body, 'head', 'user', 'login') ?? textAt(body, 'head', 'label')?.split(':')[0];
  return `${owner ?? 'unknown'}:${branch}`;
}

function stateOf(body: unknown): PullRequestObservation['state'] {
  if (at(body, 'merged') === true || textAt(body, 'merged_at') !== null) return 'merged';
  return textAt(body, 'state') === 'open' ? 'open' : 'closed';
}

/**
 * The mergeability. GitHub starts to compute the field when the pull request is read, and the field is null until then.
 */
function mergeabilityOf(body: unknown): PullRequestObservation['mergeability'] {
  switch (at(body, 'mergeable')) {
    case true:
      return 'mergeable';
    case false:
      return 'not_mergeable';
    case null:
      return textAt(body, 'state') === 'open' ? 'in_progress' : 'unspecified';
    default:
      return 'unspecified';
  }
}

/** The email address that GitHub writes into commits of people who hide their own address. */
function emailOf(host: string, login: string, id: number | null): string | null {
  return id === null ? null : `${id}+${login}@users.noreply.${host}`;
}
