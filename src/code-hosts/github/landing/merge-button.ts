import type { LandRequest, LandRefusal, PullRequestAtHead } from '../../../domain/code-host.port';
import type { GitHubApi } from '../client/github-api';
import { textAt, unreadable } from '../../reading';
import type { GitHubPullRequests } from '../reading/github-pull-requests';
import type { RepositoryParameters } from '../client/routes';
import { whyNotMerged } from './merge-refusals';

const ROUTE = 'PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge';

export type GuardedMerge = RepositoryParameters<typeof ROUTE>;

interface Parts {
  readonly api: GitHubApi;
  readonly reader: GitHubPullRequests;
}

/** The parameters of a merge at GitHub, which guard the head. `message`: null if GitHub writes the message. */
export function guardedMerge(
  { mergeMethod }: LandRequest,
  { number, head }: PullRequestAtHead,
  message: string | null,
): GuardedMerge {
  const words = message === null ? {} : wordsOf(message);
  const method = mergeMethod === 'merge_commit' ? 'merge' : mergeMethod;
  return { pull_number: number, sha: head, merge_method: method, ...words };
}

/** The synchronous merge call. Returns the new commit of the target, or why GitHub did not merge. */
export async function pressMergeButton(
  parts: Parts,
  request: LandRequest,
  pullRequest: PullRequestAtHead,
  merge: GuardedMerge,
): Promise<string | LandRefusal> {
  const { api } = parts;
  const answer = await api.ask(request.repository, ROUTE, merge);
  if (answer.type === 'refused') return whyNotMerged(parts, request, pullRequest, answer);
  const commit = textAt(answer.body, 'sha');
  if (commit === null) throw unreadable(api.host, `the merge of #${pullRequest.number}`);
  return commit;
}

/** The message as title and body, which GitHub takes separately and joins again. */
function wordsOf(message: string): { commit_title: string; commit_message: string } {
  const [title = '', ...body] = message.trimEnd().split('\n');
  return { commit_title: title, commit_message: body.join('\n').trim() };
}
