import type { BuildRequest, CandidateOutcome } from '../../domain/code-host.port';
import { withoutCommitIn } from '../without-commit';
import { findOtherSide } from '../conflict-side';
import { buildChain } from './chain';
import { gitDate, writeCommit } from './commit-objects';
import type { Committer } from './committer';
import { LISTING_CALL } from './commit-limits';
import type { GitClone } from './git-clone';
import { GitRefused } from './git-command';
import { treeOf } from './objects';

/**
 * Builds the commits of a test run in the clone. For a conflict, the outcome names with what the pull request
 * conflicts.
 */
export async function buildCandidate(
  clone: GitClone,
  request: BuildRequest,
  committer: Committer,
): Promise<CandidateOutcome> {
  const outcome = await buildChain(clone, { ...request, committer });
  if (outcome.type === 'missing_commit' || outcome.type === 'refused') return outcome;
  if (outcome.type === 'conflict') {
    return findOtherSide(request, outcome, {
      mergeOntoTarget: (pullRequests) =>
        buildChain(clone, { ...request, onto: request.targetTip, alreadyMerged: [], pullRequests, committer }),
      touches: ({ head }, files) => touches(clone, request.targetTip, head, files),
    });
  }
  const last = outcome.links.at(-1);
  const withoutCommit = withoutCommitIn(request.onto, outcome.links);
  if (last !== undefined && last.commit !== request.onto) {
    return { type: 'built', commit: last.commit, tree: last.tree, ...withoutCommit };
  }
  const empty = await emptyCandidate(clone, request, committer);
  return empty.type === 'built' ? { ...empty, ...withoutCommit } : empty;
}

/**
 * The commit of a run that changes nothing and tests the target as it is. It is a new commit, because the target's
 * commit already has other statuses.
 */
async function emptyCandidate(
  clone: GitClone,
  { onto, targetBranch, committedAt }: BuildRequest,
  committer: Committer,
): Promise<CandidateOutcome> {
  const [below] = await clone.commits([{ commit: onto }]);
  if (below == null) return { type: 'missing_commit', commit: onto };
  const tree = treeOf(below);
  const signature = { ...committer, date: gitDate(committedAt) };
  const message = `Test ${targetBranch} as it is\n`;
  const commit = await writeCommit(clone, { tree, parents: [onto], author: signature, committer: signature, message });
  return { type: 'built', commit, tree };
}

/** Whether a pull request changes one of the conflicting files. Only then it can be the cause of the conflict. */
async function touches(clone: GitClone, target: string, head: string, files: readonly string[]): Promise<boolean> {
  const args = ['diff', '--name-only', '-z', '--no-renames', `${target}...${head}`];
  const result = await clone.git.ask(args, LISTING_CALL).catch((error: unknown) => {
    if (error instanceof GitRefused) return null;
    throw error;
  });
  if (result?.code !== 0) return false;
  const changed = new Set(result.stdout.toString('utf8').split('\0'));
  return files.length === 0 || files.some((file) => changed.has(file));
}
