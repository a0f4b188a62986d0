import type { HostRepository, HostState, PullRequestTraits } from '../../../domain/code-host.port';
import { numberAt, textAt } from '../../reading';
import type { GitLabApi } from '../client/gitlab-api';
import { sourceBranchOf, mergeRequestIn } from './merge-request';

const AT_ONCE = 50;
const NEVER = new Date(0);

/** Heads and traits of the open merge requests among `numbers`. */
export async function readOpenMergeRequests(
  api: GitLabApi,
  repository: HostRepository,
  numbers: readonly number[],
): Promise<Pick<HostState, 'pullRequestHeads' | 'pullRequestTraits'>> {
  const heads = new Map<number, string>();
  const traits = new Map<number, PullRequestTraits>();
  for (let from = 0; from < numbers.length; from += AT_ONCE) {
    const query = { state: 'opened', scope: 'all', 'iids[]': numbers.slice(from, from + AT_ONCE) };
    const rows = (await api.readAll(repository, 'merge_requests', query)) ?? [];
    for (const row of rows) {
      const seen = mergeRequestIn(row, NEVER);
      if (seen === null || seen === 'preparing' || seen.base === null) continue;
      heads.set(seen.number, seen.head);
      traits.set(seen.number, { base: seen.base, draft: seen.draft });
    }
  }
  const pullRequestHeads = new Map(numbers.map((number) => [number, heads.get(number) ?? null]));
  return { pullRequestHeads, pullRequestTraits: traits };
}

/** Numbers of the merge requests with that head branch, open ones first, newest first. */
export async function findMergeRequestsByBranch(
  api: GitLabApi,
  repository: HostRepository,
  headBranch: string,
): Promise<readonly number[]> {
  const source = headBranch.replace(/^[^:]*:/, '');
  const query = { source_branch: source, state: 'all', scope: 'all' };
  const rows = (await api.readAll(repository, 'merge_requests', query)) ?? [];
  const found = rows.filter((row) => sourceBranchOf(row) === headBranch);
  const numbersOf = (isOpen: boolean): number[] =>
    found
      .filter((row) => (textAt(row, 'state') === 'opened') === isOpen)
      .map((row) => numberAt(row, 'iid') ?? 0)
      .sort((a, b) => b - a);
  return [...numbersOf(true), ...numbersOf(false)];
}
