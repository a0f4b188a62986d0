import {
  HostUnavailable,
  type LandRefusal,
  type LandRequest,
  type PullRequestAtHead,
} from '../../../domain/code-host.port';
import { at, textAt, unreadable } from '../../reading';
import type { GiteaApi } from '../client/gitea-api';
import type { HostRefusal } from '../../forge/client/host-answer';

const HEAD_MOVED = /head out of date|sha does not match/i;
/**
 * Matches messages of a server that was busy with the branch or the pull request, so that the same request may succeed
 * later.
 */
const PASSING = /try again later|push out of date|merge push out of date/i;
/** Matches the server's message if the branch protection forbids the merge. */
const BY_RULE =
  /status check|approvals|requested changes|review request|outdated|protected|not allowed to merge|not ready to be merged|signed/i;
const NO_PERMISSION = /user not allowed to merge|token does not have|archived/i;

/**
 * Asks the host to merge. The host guards the head, but not the target. The call never overrides the protection. It
 * also never asks the host to merge later, when statuses succeed, because that would land an untested combination.
 * Returns the new commit, or why the host did not merge. `message`: null for a rebase, which keeps the messages of its
 * commits.
 */
export async function mergeByCall(
  api: GiteaApi,
  { repository, mergeMethod }: LandRequest,
  pullRequest: PullRequestAtHead,
  message: string | null,
): Promise<string | LandRefusal> {
  const { number, head } = pullRequest;
  const words = message === null ? {} : wordsOf(message);
  const style = mergeMethod === 'merge_commit' ? 'merge' : mergeMethod;
  const body = { Do: style, head_commit_id: head, ...words };
  const answer = await api.ask(repository, 'POST', `pulls/${number}/merge`, { body });
  const seen = await api.read(repository, `pulls/${number}`);
  const commit = at(seen?.body, 'merged') === true ? textAt(seen?.body, 'merge_commit_sha') : null;
  if (answer.type === 'refused') return whyNot(api, pullRequest, seen?.body, answer);
  if (commit === null) throw unreadable(api.host, `the merge of #${number}`);
  return commit;
}

/** The message as title and body, which the server takes separately and joins again. */
function wordsOf(message: string): { MergeTitleField: string; MergeMessageField: string } {
  const [title = '', ...body] = message.trimEnd().split('\n');
  return { MergeTitleField: title, MergeMessageField: body.join('\n').trim() };
}

function whyNot(
  { host }: GiteaApi,
  { number, head }: PullRequestAtHead,
  seen: unknown,
  { status, message }: HostRefusal,
): LandRefusal {
  if (PASSING.test(message)) {
    throw new HostUnavailable(host, 'server_error', `${host} did not merge #${number} yet: ${message}`);
  }
  if (status === 403 || NO_PERMISSION.test(message)) {
    throw new HostUnavailable(host, 'no_access', `${host} does not let the service merge #${number}: ${message}`);
  }
  const present = textAt(seen, 'head', 'sha');
  if (HEAD_MOVED.test(message) || present !== head) return { type: 'head_moved', number, head: present };
  const byRule = BY_RULE.test(message) ? ({ byRule: true } as const) : {};
  return { type: 'refused', number, why: message, ...byRule };
}
