import type { AboveMergedQuestion, UnmetDemand } from '../domain/code-host.port';
import type { AboveMerged } from './git/above-merged';

/**
 * A host that merges by itself takes the commits of what a pull request was stacked on for changes of its own, once that has landed
 * by squash or rebase. `found`: null, a commit is not to be had.
 */
export function examineAboveMerged(
  found: AboveMerged | null,
  question: AboveMergedQuestion,
  isMergedByHost: boolean,
): 'merges' | 'conflicts' | 'unknown' | UnmetDemand {
  if (found === null) return 'unknown';
  // Where the stack makes no difference, the host's own word counts.
  if (isMergedByHost) return found.isPlain ? 'unknown' : demandOf(found, question);
  return found.merges ? 'merges' : 'conflicts';
}

function demandOf({ below }: AboveMerged, { targetBranch }: AboveMergedQuestion): UnmetDemand {
  const from = below === null ? '<the head it is stacked on>' : below.slice(0, 12);
  const wayOut = `git rebase --onto origin/${targetBranch} ${from}`;
  return { words: `a rebase: the pull request below it was merged as other commits ("${wayOut}", then push)` };
}
