import { runGit } from '../bare-repository';
import type { Account } from '../forge/accounts';
import { notFound } from './answers';
import { noticeBranches } from './branches';
import { editPull } from './pulls';
import type { RepositoryRecord } from './records';
import type { GitHubState } from './state';

export function setDefaultBranch(repository: RepositoryRecord, branch: string): void {
  runGit(repository.world.bare, ['symbolic-ref', 'HEAD', `refs/heads/${branch}`]);
  repository.defaultBranch = branch;
}

/** Renames a branch. Open pull requests based on it follow the new name. */
export function renameBranch(
  state: GitHubState,
  repository: RepositoryRecord,
  from: string,
  to: string,
  by: Account,
): void {
  const commit = repository.branches.get(from);
  if (commit === undefined) throw notFound('Branch not found');
  repository.world.setBranch(to, commit);
  noticeBranches(state, repository, by);
  for (const pull of repository.pulls.values())
    if (pull.state === 'open' && pull.base.ref === from) editPull(state, repository, pull, { base: to }, by);
  if (repository.defaultBranch === from) setDefaultBranch(repository, to);
  repository.world.removeBranch(from);
  noticeBranches(state, repository, by);
}
