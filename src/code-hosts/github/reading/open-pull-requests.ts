import type { HostState, HostRepository, PullRequestTraits } from '../../../domain/code-host.port';
import type { GitHubApi } from '../client/github-api';
import { at, listAt, numberAt, textAt } from '../../reading';
import { baseIn } from './stacks';

const PAGE = 100;

interface Seen extends PullRequestTraits {
  readonly head: string;
}

/**
 * The pull requests that are open, of those asked for. One request for most repositories, which costs nothing of the rate
 * limit while nothing changes. With more than a page of them, the next pages until all asked for are found.
 */
export async function readPullRequestStates(
  api: GitHubApi,
  repository: HostRepository,
  numbers: readonly number[],
): Promise<Pick<HostState, 'pullRequestHeads' | 'pullRequestTraits'>> {
  const missing = new Set(numbers);
  const found = new Map<number, Seen>();
  for (let page = 1; missing.size > 0; page++) {
    const answer = await api.read(repository, 'GET /repos/{owner}/{repo}/pulls', {
      ...{ state: 'open', sort: 'updated', direction: 'desc', per_page: PAGE, page },
    });
    for (const [number, seen] of openIn(listAt(answer?.body))) {
      if (missing.delete(number)) found.set(number, seen);
    }
    if (answer?.hasMore !== true) break;
  }
  return {
    pullRequestHeads: new Map(numbers.map((number) => [number, found.get(number)?.head ?? null])),
    pullRequestTraits: new Map([...found].map(([number, { base, draft }]) => [number, { base, draft }])),
  };
}

function openIn(pullRequests: readonly unknown[]): [number, Seen][] {
  return pullRequests.flatMap((one): [number, Seen][] => {
    const number = numberAt(one, 'number');
    const head = textAt(one, 'head', 'sha');
    const base = baseIn(one);
    const draft = at(one, 'draft') === true;
    return number === null || head === null || base === null ? [] : [[number, { head, base, draft }]];
  });
}
