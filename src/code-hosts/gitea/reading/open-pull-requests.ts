import type { HostRepository } from '../../../domain/code-host.port';
import type { OpenPullRequests } from '../../forge/dialect-host';
import { openAmong } from '../../forge/reading/open-among';
import { numberAt, textAt } from '../../reading';
import type { GiteaApi } from '../client/gitea-api';
import { giteaHeadBranchOf, giteaPullRequestIn } from './pull-request';

/** The number of pages that the search for closed pull requests reads. */
const CLOSED_PAGES = 2;
const NEVER = new Date(0);

export function readOpenPullRequests(
  api: GiteaApi,
  repository: HostRepository,
  numbers: readonly number[],
): Promise<OpenPullRequests> {
  return openAmong(numbers, async (page) => {
    const answer = await api.readPage(repository, 'pulls', page, { state: 'open', sort: 'recentupdate' });
    const items = (answer?.items ?? []).map((one) => {
      const seen = giteaPullRequestIn(one, NEVER);
      return seen?.base == null ? null : { ...seen, base: seen.base };
    });
    return { items, hasMore: answer?.hasMore === true };
  });
}

/**
 * The numbers of the pull requests with that head branch: open pull requests first, then the newest first. Servers
 * cannot filter by branch, so lists are read.
 */
export async function findByBranch(
  api: GiteaApi,
  repository: HostRepository,
  headBranch: string,
): Promise<readonly number[]> {
  const own = `${repository.owner}:`;
  const wanted = headBranch.toLowerCase().startsWith(own.toLowerCase()) ? headBranch.slice(own.length) : headBranch;
  const open = await findIn(api, repository, wanted, 'open', Infinity);
  return [...open, ...(await findIn(api, repository, wanted, 'closed', CLOSED_PAGES))];
}

export async function findIn(
  api: GiteaApi,
  repository: HostRepository,
  headBranch: string,
  state: 'open' | 'closed',
  mostPages: number,
): Promise<readonly number[]> {
  const found: number[] = [];
  for (let page = 1; page <= mostPages; page++) {
    const answer = await api.readPage(repository, 'pulls', page, { state, sort: 'recentupdate' });
    for (const one of answer?.items ?? []) {
      const number = numberAt(one, 'number');
      if (number !== null && isHead(one, headBranch)) found.push(number);
    }
    if (answer?.hasMore !== true) break;
  }
  return found.toSorted((a, b) => b - a);
}

/**
 * Whether the pull request has this head branch. If the branch of a closed pull request is gone, only its label has the
 * name.
 */
function isHead(body: unknown, headBranch: string): boolean {
  return (
    giteaHeadBranchOf(body) === headBranch ||
    (textAt(body, 'head', 'label') === headBranch && !headBranch.includes(':') && isOwn(body))
  );
}

function isOwn(body: unknown): boolean {
  const home = textAt(body, 'head', 'repo', 'full_name');
  return home !== null && home === textAt(body, 'base', 'repo', 'full_name');
}
