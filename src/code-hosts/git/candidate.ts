import type { BuildOrder, CandidateOutcome } from '../code-host.port';
import { findOtherSide } from '../conflict-side';
import { buildChain } from './chain';
import type { GitClone } from './git-clone';
import { treeOf, type Person } from './objects';

/** Builds the commits of a test run in the clone; a conflict names the other side. */
export async function buildCandidate(clone: GitClone, order: BuildOrder, committer: Person): Promise<CandidateOutcome> {
  const outcome = await buildChain(clone, { ...order, committer });
  if (outcome.type === 'missing_commit') return outcome;
  if (outcome.type === 'conflict') {
    return findOtherSide(order, outcome, {
      mergeOntoTarget: (pullRequests) =>
        buildChain(clone, { ...order, onto: order.targetTip, pullRequests, committer }),
      touches: ({ head }, files) => touches(clone, order.targetTip, head, files),
    });
  }
  const last = outcome.links.at(-1);
  return last === undefined ? emptyCandidate(clone, order) : { type: 'built', commit: last.commit, tree: last.tree };
}

/** A run without entries tests what is there already. */
async function emptyCandidate(clone: GitClone, { onto }: BuildOrder): Promise<CandidateOutcome> {
  const [commit] = await clone.commits([{ commit: onto }]);
  if (commit == null) return { type: 'missing_commit', commit: onto };
  return { type: 'built', commit: onto, tree: treeOf(commit) };
}

/** Only who touches a file of the conflict can be its other side. */
async function touches(clone: GitClone, target: string, head: string, files: readonly string[]): Promise<boolean> {
  const result = await clone.git.ask(['diff', '--name-only', '-z', '--no-renames', `${target}...${head}`]);
  if (result.code !== 0) return false;
  const changed = new Set(result.stdout.toString('utf8').split('\0'));
  return files.length === 0 || files.some((file) => changed.has(file));
}
