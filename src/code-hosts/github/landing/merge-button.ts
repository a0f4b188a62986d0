import {
  HostUnavailable,
  type LandRequest,
  type LandRefusal,
  type PullRequestAtHead,
} from '../../../domain/code-host.port';
import type { GitHubApi } from '../client/github-api';
import type { GitHubRefusal } from '../client/github-answer';
import { at, textAt, unreadable } from '../../reading';
import type { RepositoryParameters } from '../client/routes';

const ROUTE = 'PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge';
/** GitHub was busy with the branch or the pull request. The same request may succeed later. */
const PASSING = /base branch was modified|already in progress|try (the merge )?again later|not authorized to push/i;
const HEAD_MOVED = /head branch was modified|head sha/i;
/** A check of the head has not ended. Once it has, the same request may succeed. */
const NOT_YET = /required status checks?\b.*\b(expected|pending|in progress|queued|waiting)\b/i;
const RED = /\b(failing|failed|errored|cancelled)\b/i;
/** What GitHub writes when a rule of the branch is in the way. */
const BY_RULE =
  /required status check|approving review|code owner|last pusher|changes have been requested|conversation|protected branch|repository rule|rule violation|verified signature|out of date|linear history|through a pull request|deployment/i;
const NOT_MERGEABLE = /not mergeable/i;
/** The service lacks a permission. Once it has that, the same request succeeds. */
const NO_PERMISSION = /not accessible by|must have \w+ (access|rights)|was archived/i;

/** Returns the new commit of the target, or why GitHub did not merge. `message`: null, GitHub writes its own. */
export async function pressMergeButton(
  api: GitHubApi,
  { repository, mergeMethod }: LandRequest,
  pullRequest: PullRequestAtHead,
  message: string | null,
): Promise<string | LandRefusal> {
  const { number, head } = pullRequest;
  const words = message === null ? {} : wordsOf(message);
  const parameters: RepositoryParameters<typeof ROUTE> = {
    pull_number: number,
    sha: head,
    merge_method: mergeMethod === 'merge_commit' ? 'merge' : mergeMethod,
    ...words,
  };
  const answer = await api.ask(repository, ROUTE, parameters);
  if (answer.type === 'refused') return whyNot(api, { repository }, pullRequest, answer);
  const commit = textAt(answer.body, 'sha');
  if (commit === null) throw unreadable(api.host, `the merge of #${number}`);
  return commit;
}

/** GitHub takes the title and the body apart, and joins them again. */
function wordsOf(message: string): { commit_title: string; commit_message: string } {
  const [title = '', ...body] = message.trimEnd().split('\n');
  return { commit_title: title, commit_message: body.join('\n').trim() };
}

async function whyNot(
  api: GitHubApi,
  { repository }: Pick<LandRequest, 'repository'>,
  { number, head }: PullRequestAtHead,
  { status, message }: GitHubRefusal,
): Promise<LandRefusal> {
  if (PASSING.test(message)) throw passing(api, number, message);
  if (status === 403 && NO_PERMISSION.test(message)) throw notPermitted(api, number, message);
  const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';
  const seen = await api.read(repository, route, { pull_number: number });
  const present = textAt(seen?.body, 'head', 'sha');
  if ((status === 409 && HEAD_MOVED.test(message)) || present !== head)
    return { type: 'head_moved', number, head: present };
  // After the merge before, GitHub has to check again whether this one can be merged.
  const isOpen = textAt(seen?.body, 'state') === 'open';
  if (NOT_MERGEABLE.test(message) && isOpen && at(seen?.body, 'mergeable') === null)
    throw passing(api, number, message);
  if (NOT_YET.test(message) && !RED.test(message)) return { type: 'not_yet', number, why: message };
  const byRule = BY_RULE.test(message) ? ({ byRule: true } as const) : {};
  return { type: 'refused', number, why: message, ...byRule };
}

function notPermitted({ host }: GitHubApi, number: number, message: string): HostUnavailable {
  return new HostUnavailable(host, 'no_access', `${host} does not let the service merge #${number}: ${message}`);
}

function passing({ host }: GitHubApi, number: number, message: string): HostUnavailable {
  return new HostUnavailable(host, 'server_error', `${host} did not merge #${number} yet: ${message}`);
}
