import type { MergedBelow, PullRequestAtHead } from '../domain/code-host.port';

/** What is not merged yet counts only where it is merged before this one. */
export function countingBelow(
  { mergedBelow = [] }: PullRequestAtHead,
  there: ReadonlySet<number>,
): readonly MergedBelow[] {
  return mergedBelow.filter(({ ahead }) => ahead === undefined || there.has(ahead));
}
