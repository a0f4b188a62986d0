import type { CommitOutcome } from './commits';
import type { FailureStreak, LineHistory } from './failure-streaks';

/** A line, and what was read of it. */
export interface ReadLine {
  readonly commits: readonly CommitOutcome[];
  readonly history: LineHistory;
}

/**
 * Failures that came and went again by themselves: on one commit, with a pass before and after it. Neither breaking and mending
 * explains them, nor what a testing run tested.
 */
export function singleFailures(lines: readonly ReadLine[]): CommitOutcome[] {
  return lines.flatMap((line) => {
    const passes = lastPasses(line.commits);
    const others = lines.filter((other) => other !== line).flatMap(({ history }) => history.streaks);
    return line.history.streaks
      .filter((streak) => isSingle(streak) && !others.some((other) => isAtOnce(streak, other)))
      .map(({ failures }) => failures[0]!)
      .filter((failure) => isUnexplained(failure, passes));
  });
}

function isSingle({ failures, after, before, isBreak }: FailureStreak): boolean {
  return failures.length === 1 && !isBreak && after > -Infinity && before < Infinity;
}

/**
 * What fails on two lines at once has one cause on both, such as a change that is mended by now. On one line, under two conditions,
 * it has if it is the same commit.
 */
export function isAtOnce(one: FailureStreak, other: FailureStreak): boolean {
  if (one.failures[0]!.run.line === other.failures[0]!.run.line) {
    return one.failures.some((own) => other.failures.some(({ run }) => run.commit === own.run.commit));
  }
  return one.after < other.before && other.after < one.before;
}

/** A testing run may fail because of what it tests. It did not if all of that passed later, unchanged. */
function isUnexplained({ at, run }: CommitOutcome, passes: ReadonlyMap<string, number>): boolean {
  return run.changes.every((change) => (passes.get(change) ?? -Infinity) > at.getTime());
}

/** When each change last passed. */
function lastPasses(commits: readonly CommitOutcome[]): ReadonlyMap<string, number> {
  const passes = new Map<string, number>();
  for (const { outcome, at, run } of commits) {
    if (outcome === 'passed') for (const change of run.changes) passes.set(change, at.getTime());
  }
  return passes;
}
