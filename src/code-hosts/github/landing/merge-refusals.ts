import {
  HostUnavailable,
  type LandRefusal,
  type LandRequest,
  type PullRequestAtHead,
} from '../../../domain/code-host.port';
import type { GitHubApi } from '../client/github-api';
import type { GitHubRefusal } from '../client/github-answer';
import { at, textAt } from '../../reading';
import type { GitHubPullRequests } from '../reading/github-pull-requests';
import { memberUpTo } from '../../stack-member';
import { baseIn } from '../reading/stacks';
import { objectionToOne } from './landing-objections';
import { objectionToLayers } from './stack-objections';

/**
 * Matches messages of GitHub while it is busy with the branch or the pull request, so that the same request may succeed
 * later.
 */
const PASSING = /base branch was modified|already in progress|try (the merge )?again later|not authorized to push/i;
const HEAD_MOVED = /head branch was modified|head sha/i;
/**
 * Matches messages about a check of the head that has not ended. When the check has ended, the same request may
 * succeed.
 */
const NOT_YET = /required status checks?\b.*\b(expected|pending|in progress|queued|waiting)\b/i;
const RED = /\b(failing|failed|errored|cancelled)\b/i;
/** Matches GitHub's message if a branch rule forbids the merge. */
const BY_RULE =
  /required status check|approving review|code owner|last pusher|changes have been requested|conversation|protected branch|repository rule|rule violation|verified signature|out of date|linear history|through a pull request|deployment/i;
const NOT_MERGEABLE = /not mergeable/i;
/** Matches messages about a permission that the service lacks. With the permission, the same request succeeds. */
const NO_PERMISSION = /not accessible by|must have \w+ (access|rights)|was archived/i;

/**
 * GitHub's message about a refused merge. `status`: the status of the answer; null if GitHub accepted the request, and
 * the merge failed later.
 */
export interface SaidOfMerge extends Pick<GitHubRefusal, 'message'> {
  readonly status: number | null;
}

interface Parts {
  readonly api: GitHubApi;
  readonly reader: GitHubPullRequests;
}

export function isByRule(message: string): boolean {
  return BY_RULE.test(message);
}

/**
 * Why GitHub did not merge. The present state of the pull request decides, and then GitHub's message. Returns a commit
 * if the pull request is merged all the same. Throws HostUnavailable if the same request may succeed later.
 */
export async function whyNotMerged(
  parts: Parts,
  request: LandRequest,
  pullRequest: PullRequestAtHead,
  { status, message }: SaidOfMerge,
): Promise<string | LandRefusal> {
  const { api } = parts;
  const { number, head } = pullRequest;
  if (PASSING.test(message)) throw passing(api, number, message);
  if (status === 403 && NO_PERMISSION.test(message)) throw notPermitted(api, number, message);
  const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';
  const seen = (await api.read(request.repository, route, { pull_number: number }))?.body;
  const commit = at(seen, 'merged') === true ? textAt(seen, 'merge_commit_sha') : null;
  if (commit !== null) return commit;
  const present = textAt(seen, 'head', 'sha');
  const layers = memberUpTo(request.pullRequests, number);
  const ofLayers = await objectionToLayers(parts, request, layers);
  if (ofLayers !== null) return ofLayers;
  const saysMoved = (status === 409 || status === null) && HEAD_MOVED.test(message);
  if (saysMoved || present !== head) return { type: 'head_moved', number, head: present };
  const isOpen = textAt(seen, 'state') === 'open';
  if (!isOpen || at(seen, 'draft') === true || baseIn(seen) !== request.targetBranch) {
    const changed = await objectionToOne(parts, request, pullRequest, 'button');
    if (changed !== null) return changed;
  }
  // After the previous merge, GitHub first has to compute again whether this pull request can be merged.
  if (NOT_MERGEABLE.test(message) && isOpen && at(seen, 'mergeable') === null) throw passing(api, number, message);
  if (NOT_YET.test(message) && !RED.test(message)) return { type: 'not_yet', number, why: message };
  const byRule = isByRule(message) ? ({ byRule: true } as const) : {};
  return { type: 'refused', number, why: message, ...byRule };
}

function notPermitted({ host }: GitHubApi, number: number, message: string): HostUnavailable {
  return new HostUnavailable(host, 'no_access', `${host} does not let the service merge #${number}: ${message}`);
}

function passing({ host }: GitHubApi, number: number, message: string): HostUnavailable {
  return new HostUnavailable(host, 'server_error', `${host} did not merge #${number} yet: ${message}`);
}
