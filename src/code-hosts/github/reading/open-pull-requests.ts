import type { HostRepository } from '../../../domain/code-host.port';
import type { OpenPullRequests } from '../../forge/dialect-host';
import { openAmong } from '../../forge/reading/open-among';
import type { GitHubApi } from '../client/github-api';
import { at, listAt, numberAt, textAt } from '../../reading';
import { baseIn } from './stacks';

const PAGE = 100;

/**
 * Reads the open pull requests, for most repositories by one request. While nothing changes, the request does not count
 * against the rate limit.
 */
export function readPullRequestStates(
  api: GitHubApi,
  repository: HostRepository,
  numbers: readonly number[],
): Promise<OpenPullRequests> {
  return openAmong(numbers, async (page) => {
    const answer = await api.read(repository, 'GET /repos/{owner}/{repo}/pulls', {
      ...{ state: 'open', sort: 'updated', direction: 'desc', per_page: PAGE, page },
    });
    return { items: listAt(answer?.body).map(openIn), hasMore: answer?.hasMore === true };
  });
}

function openIn(pullRequest: unknown) {
  const number = numberAt(pullRequest, 'number');
  const head = textAt(pullRequest, 'head', 'sha');
  const base = baseIn(pullRequest);
  const draft = at(pullRequest, 'draft') === true;
  return number === null || head === null || base === null ? null : { number, head, base, draft };
}
