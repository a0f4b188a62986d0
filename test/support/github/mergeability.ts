import { missingApprovals, missingChecks, missingResolutions, rulesOf } from './branch-rules';
import { resultsOf } from './commit-results';
import { mergeCommits } from '../forge/merge-commits';
import { commitTree, countCommits, isAncestor, mergedTree, type Signature } from '../forge/git';
import type { PullRequest, RepositoryRecord } from './records';
import { signatureOf } from './signatures';
import { stackHolding } from './state';

export interface Mergeability {
  readonly mergeable: boolean | null;
  readonly state: 'unknown' | 'clean' | 'unstable' | 'dirty' | 'blocked' | 'behind' | 'draft';
  readonly rebaseable: boolean | null;
  /** The commit that a merge would make now; null if the pull request conflicts. */
  readonly mergeCommit: string | null;
}

const UNKNOWN: Mergeability = { mergeable: null, state: 'unknown', rebaseable: null, mergeCommit: null };

/** Reads the mergeability. Like GitHub, computes it after the first read, and again when base or head have moved. */
export function readMergeability(repository: RepositoryRecord, pull: PullRequest, now: Date): Mergeability {
  const { branches } = repository;
  const tip = branches.get(pull.base.ref);
  if (pull.state === 'closed' || tip === undefined) return UNKNOWN;
  const pair = `${tip} ${pull.head.sha}`;
  const reads = pull.reads.get(pair) ?? 0;
  pull.reads.set(pair, reads + 1);
  if (reads < repository.unknownReads) return UNKNOWN;
  if (pull.tried?.pair !== pair) {
    const by = signatureOf(pull.author, now);
    const mergeCommit = tryMerge(repository, pull, tip, by);
    const isRebaseable = mergeCommit !== null && isRebasedOnto(repository, pull, tip, by);
    pull.tried = { pair, mergeCommit, isRebaseable };
  }
  const { mergeCommit, isRebaseable: rebaseable } = pull.tried;
  const state = stateOf(repository, pull, tip, mergeCommit);
  return { mergeable: mergeCommit !== null, state, rebaseable, mergeCommit };
}

function stateOf(
  repository: RepositoryRecord,
  pull: PullRequest,
  tip: string,
  mergeCommit: string | null,
): Mergeability['state'] {
  if (mergeCommit === null) return 'dirty';
  if (pull.draft) return 'draft';
  const rules = rulesOf(repository, stackHolding(repository, pull)?.base ?? pull.base.ref);
  const demands = rules.flatMap((rule) => [
    ...missingChecks(repository, rule, pull.head.sha),
    ...missingApprovals(repository, rule, pull),
    ...missingResolutions(repository, rule, pull),
  ]);
  if (demands.length > 0) return 'blocked';
  if (rules.some((rule) => rule.strict) && !isAncestor(repository.world.bare, tip, pull.head.sha)) return 'behind';
  const results = [...resultsOf(repository, pull.head.sha).values()];
  return results.every((result) => result === 'success') ? 'clean' : 'unstable';
}

function tryMerge(repository: RepositoryRecord, pull: PullRequest, tip: string, by: Signature): string | null {
  const { world } = repository;
  const { number, head } = pull;
  const tree = mergedTree(world.bare, tip, head.sha);
  if (tree === null) return null;
  const commit = commitTree(world.bare, tree, [tip, head.sha], `Merge ${head.sha} into ${tip}`, by, by);
  world.setRef(`refs/pull/${number}/merge`, commit);
  return commit;
}

/**
 * Whether the head can be rebased. If the repository allows rebases, GitHub reports this for every merge method. A
 * single commit without conflicts counts as rebaseable, too.
 */
function isRebasedOnto(repository: RepositoryRecord, { head }: PullRequest, base: string, by: Signature): boolean {
  const { bare } = repository.world;
  if (!repository.mergeMethods.includes('rebase') || countCommits(bare, base, head.sha) <= 1) return true;
  const people = { author: by, committer: by, message: '' };
  return mergeCommits({ bare, base, head: head.sha, method: 'rebase', ...people }) !== null;
}
