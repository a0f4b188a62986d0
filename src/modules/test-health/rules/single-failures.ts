import type { CommitOutcome } from './commits';
import type { FailureStreak, LineHistory } from './failure-streaks';

/** The commits of a line, and the failure streaks on the line. */
export interface ReadLine {
  readonly commits: readonly CommitOutcome[];
  readonly history: LineHistory;
}

/**
 * Failures on single commits, with a pass before and after. Failures of a test that was broken and fixed are left out,
 * and so are failures that the pull requests of a testing run may explain.
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
 * Failures on two lines at the same time have one cause, such as a change that is fixed by now. Two conditions of one
 * line fail together if they fail on the same commit.
 */
export function isAtOnce(one: FailureStreak, other: FailureStreak): boolean {
  if (one.failures[0]!.run.line === other.failures[0]!.run.line) {
    return one.failures.some((own) => other.failures.some(({ run }) => run.commit === own.run.commit));
  }
  return one.after < other.before && other.after < one.before;
}

/**
 * A testing run may fail because of its pull requests. If all of these pull requests passed later, unchanged, they did
 * not cause the failure.
 */
function isUnexplained({ at, run }: CommitOutcome, passes: ReadonlyMap<string, number>): boolean {
  return run.changes.every((change) => (passes.get(change) ?? -Infinity) > at.getTime());
}

/** The time of each change's last pass. */
function lastPasses(commits: readonly CommitOutcome[]): ReadonlyMap<string, number> {
  const passes = new Map<string, number>();
  for (const { outcome, at, run } of commits) {
    if (outcome === 'passed') for (const change of run.changes) passes.set(change, at.getTime());
  }
  return passes;
}
