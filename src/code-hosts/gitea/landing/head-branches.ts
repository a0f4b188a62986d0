import type { HostRepository } from '../../../domain/code-host.port';
import { branchRef } from '../../git/names';
import { push } from '../../git/push';
import type { OneByOne } from '../../git/merge-one-by-one';
import { at, textAt } from '../../reading';
import type { GiteaApi } from '../client/gitea-api';
import { giteaHeadBranchOf } from '../reading/pull-request';

/**
 * The branch of a merged pull request that the repository wants removed: the server does it after a merge of its own, and not after a
 * mark. Null: it stays. `body`: the pull request as the server shows it.
 */
export function branchToRemove(body: unknown): string | null {
  if (at(body, 'base', 'repo', 'default_delete_branch_after_merge') !== true) return null;
  const branch = giteaHeadBranchOf(body);
  const kept = [textAt(body, 'base', 'ref'), textAt(body, 'base', 'repo', 'default_branch')];
  // The owner of a fork decides about its branches.
  return branch === null || branch.includes(':') || kept.includes(branch) ? null : branch;
}

export interface HeadBranchParts extends Pick<OneByOne, 'byGit'> {
  readonly api: GiteaApi;
}

/** Removes it, unless somebody has pushed to it, or an open pull request comes from it or aims at it. */
export async function removeHeadBranch(
  { api, byGit }: HeadBranchParts,
  repository: HostRepository,
  { branch, head }: { readonly branch: string; readonly head: string },
): Promise<void> {
  const open = await api.readAll(repository, 'pulls', { state: 'open' });
  const isUsed = (open ?? []).some((one) => giteaHeadBranchOf(one) === branch || textAt(one, 'base', 'ref') === branch);
  if (isUsed) return;
  const removal = { ref: branchRef(branch), commit: null, expected: head };
  // Rules that keep it are left alone.
  await byGit({ repository }, async (git) => push(await git.clone(repository), [removal]));
}
