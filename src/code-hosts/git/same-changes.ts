import type { RewriteQuestion } from '../../domain/code-host.port';
import { LISTING_CALL } from './commit-limits';
import type { GitClone } from './git-clone';
import { listRefs } from './git-remote';
import { branchRef, isCommitId, isGitBranchName } from './names';

/**
 * Whether each commit that `after` brings to the target makes the same changes as a commit of `before`. False if
 * `after` brings no commits, or if a commit is missing.
 */
export async function bringsSameChanges(
  clone: GitClone,
  { before, after, targetBranch }: Pick<RewriteQuestion, 'before' | 'after' | 'targetBranch'>,
): Promise<boolean> {
  if (!isCommitId(before) || !isCommitId(after) || !isGitBranchName(targetBranch)) return false;
  const ref = branchRef(targetBranch);
  const tip = (await listRefs(clone.remote, [ref])).get(ref);
  if (tip === undefined) return false;
  const found = await clone.commits([{ commit: tip, branch: targetBranch }, { commit: before }, { commit: after }]);
  if (found.some((commit) => commit == null)) return false;
  const answer = await clone.git.ask(['cherry', before, after, tip], LISTING_CALL);
  if (answer.code !== 0) return false;
  const lines = answer.stdout.toString('utf8').split('\n').filter(Boolean);
  return lines.length > 0 && lines.every((line) => line.startsWith('- '));
}
