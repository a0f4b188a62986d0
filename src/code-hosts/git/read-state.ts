import type { HostState } from '../../domain/code-host.port';
import type { GitClone } from './git-clone';
import { listRefs } from './git-remote';
import { branchRef, isGitBranchName, pullRequestRef } from './names';
import { treeOf } from './objects';

/**
 * The present commits of branches and pull requests; null for each that does not exist. Sends one request to the host,
 * and fetches once if a commit is new.
 */
export async function readState(
  clone: GitClone,
  branches: readonly string[],
  numbers: readonly number[],
): Promise<HostState> {
  const known = branches.filter(isGitBranchName);
  const headRef = (number: number): string => pullRequestRef(clone.remote, number);
  const refs = await listRefs(clone.remote, [...known.map(branchRef), ...numbers.map(headRef)]);
  const tips = known.flatMap((branch) => {
    const commit = refs.get(branchRef(branch));
    return commit === undefined ? [] : [{ commit, branch }];
  });
  const commits = await clone.commits(tips);
  const found = new Map(tips.map(({ branch }, index) => [branch, commits[index] ?? null]));
  return {
    branches: new Map(
      branches.map((branch) => {
        const commit = found.get(branch);
        return [branch, commit == null ? null : { commit: commit.id, tree: treeOf(commit) }];
      }),
    ),
    pullRequestHeads: new Map(numbers.map((number) => [number, refs.get(headRef(number)) ?? null])),
  };
}
