import type { MergedBelow, PullRequestAtHead } from '../domain/code-host.port';

/** A merge that is not made yet counts only in a run that makes it before this pull request. */
export function countingBelow(
  { mergedBelow = [] }: PullRequestAtHead,
  there: ReadonlySet<number>,
): readonly MergedBelow[] {
  return mergedBelow.filter(({ ahead }) => ahead === undefined || there.has(ahead));
}
