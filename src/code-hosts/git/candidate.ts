import type { BuildOrder, CandidateOutcome, PullRequestAtHead } from '../code-host.port';
import { buildChain, type ChainOutcome } from './chain';
import type { GitClone } from './git-clone';
import { treeOf, type Person } from './objects';

type Conflict = Extract<CandidateOutcome, { type: 'conflict' }>;

/** Builds the commits of a test run in the clone; a conflict names the other side. */
export async function buildCandidate(clone: GitClone, order: BuildOrder, committer: Person): Promise<CandidateOutcome> {
  const outcome = await buildChain(clone, { ...order, committer });
  if (outcome.type === 'missing_commit') return outcome;
  if (outcome.type === 'conflict') return blame(clone, order, committer, outcome);
  const last = outcome.links.at(-1);
  if (last !== undefined) return { type: 'built', commit: last.commit, tree: last.tree };
  const [onto] = await clone.commits([{ commit: order.onto }]);
  return onto == null
    ? { type: 'missing_commit', commit: order.onto }
    : { type: 'built', commit: onto.id, tree: treeOf(onto) };
}

/** Who the other side of the conflict is: the target itself, or a pull request merged before. */
async function blame(
  clone: GitClone,
  order: BuildOrder,
  committer: Person,
  conflict: Extract<ChainOutcome, { type: 'conflict' }>,
): Promise<CandidateOutcome> {
  const { number, files } = conflict;
  const at = order.pullRequests.findIndex((one) => one.number === number);
  const refused = order.pullRequests[at];
  if (refused === undefined) throw new Error(`#${number} conflicts but was not to be merged`);
  const onTarget = (pullRequests: readonly PullRequestAtHead[]) =>
    buildChain(clone, { ...order, onto: order.targetTip, pullRequests, committer });

  const alone = await onTarget([refused]);
  if (alone.type === 'missing_commit') return alone;
  if (alone.type === 'conflict') return { type: 'conflict', number, with: 'target', files: alone.files };

  const before = [...order.alreadyMerged, ...order.pullRequests.slice(0, at)];
  for (const suspect of before.toReversed()) {
    if (!(await touches(clone, order.targetTip, suspect.head, files))) continue;
    const without = await onTarget([...before.filter((one) => one !== suspect), refused]);
    if (without.type === 'built') return conflictWith(suspect.number);
  }
  return conflictWith(before.at(-1)?.number ?? 'target');

  function conflictWith(other: Conflict['with']): Conflict {
    return { type: 'conflict', number, with: other, files };
  }
}

/** Only who touches a file of the conflict can be its other side; asking that first spares most of the merges. */
async function touches(clone: GitClone, target: string, head: string, files: readonly string[]): Promise<boolean> {
  const result = await clone.git.ask(['diff', '--name-only', '-z', '--no-renames', `${target}...${head}`]);
  if (result.code !== 0) return false;
  const changed = new Set(result.stdout.toString('utf8').split('\0'));
  return files.length === 0 || files.some((file) => changed.has(file));
}
