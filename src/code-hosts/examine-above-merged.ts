import type { AboveMergedQuestion, UnmetDemand } from '../domain/code-host.port';
import type { AboveMerged } from './git/above-merged';

/**
 * Answers `CodeHost.examineAboveMerged`. A host that makes the merge itself takes the commits of squashed or rebased
 * pull requests below for changes of this pull request. `found`: null if a commit is missing.
 */
export function examineAboveMerged(
  found: AboveMerged | null,
  question: AboveMergedQuestion,
  isMergedByHost: boolean,
): 'merges' | 'conflicts' | 'unknown' | UnmetDemand {
  if (found === null) return 'unknown';
  // If the stack makes no difference to the merge, the host's own answer counts.
  if (isMergedByHost) return found.isPlain ? 'unknown' : demandOf(found, question);
  return found.merges ? 'merges' : 'conflicts';
}

function demandOf({ below }: AboveMerged, { targetBranch }: AboveMergedQuestion): UnmetDemand {
  const from = below === null ? '<the head it is stacked on>' : below.slice(0, 12);
  const wayOut = `git rebase --onto origin/${targetBranch} ${from}`;
  return { words: `a rebase: the pull request below it was merged as other commits ("${wayOut}", then push)` };
}
