import type { MergedBelow, PullRequestAtHead } from '../domain/code-host.port';

/**
 * The pull requests below that count as merged. A pull request that has not merged yet counts only in a run that merges
 * it before this pull request.
 */
export function countingBelow(
  { mergedBelow = [] }: PullRequestAtHead,
  there: ReadonlySet<number>,
): readonly MergedBelow[] {
  return mergedBelow.filter(({ ahead }) => ahead === undefined || there.has(ahead));
}
