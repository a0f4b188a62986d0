import type { ExtraResults } from './repeated-names';

/** What a runner counted in its last line, such as 2 `warnings` of `pytest`. */
export interface RunnerCounts {
  readonly runner: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** Counts of tests. A run that fails by these fails by what its reports hold. */
const OF_TESTS: ReadonlySet<string> = new Set(['passed', 'failed', 'errors', 'skipped']);

/**
 * Other counts by which a runner never fails, whatever its settings are. What is in no row may be why a run failed, unless a run of the job
 * that ended with 0 had as many.
 */
// A test in which a snapshot differs fails.
const HARMLESS: Readonly<Record<string, ReadonlySet<string>>> = {
  pytest: new Set(['deselected', 'xfailed', 'xpassed', 'subtests passed']),
  Jest: new Set(['todo', 'snapshots failed', 'snapshots written', 'snapshots updated']),
  Vitest: new Set(['todo', 'expected fail', 'snapshots failed', 'snapshots written', 'snapshots updated']),
  Mocha: new Set(['pending']),
  RSpec: new Set(['pending']),
  Minitest: new Set(['assertions']),
  PHPUnit: new Set(['assertions']),
  Node: new Set(['todo', 'suites']),
};

/** A run fails by one of these as by many. So a run that ended with 0 and had one shows that they do not matter in its job. */
const FAILS_BY_ANY: Readonly<Record<string, ReadonlySet<string>>> = {
  pytest: new Set(['rerun']),
  Playwright: new Set(['flaky']),
};

/** A count that may be why the run failed. */
export interface UnusualCount {
  readonly runner: string;
  readonly name: string;
  readonly count: number;
}

/** @param passed those of earlier runs of the job that ended with 0 */
export function unusualCounts(
  counted: readonly RunnerCounts[],
  passed: readonly (readonly RunnerCounts[])[],
): readonly UnusualCount[] {
  const found: UnusualCount[] = [];
  for (const { runner, counts } of counted) {
    for (const [name, count] of Object.entries(counts)) {
      if (count === 0 || OF_TESTS.has(name) || HARMLESS[runner]?.has(name)) continue;
      const most = Math.max(0, ...passed.map((run) => countIn(run, runner, name)));
      const isKnown = FAILS_BY_ANY[runner]?.has(name) ? most > 0 : count <= most;
      if (!isKnown) found.push({ runner, name, count });
    }
  }
  return found;
}

/**
 * pytest-rerunfailures counts every try but the last of a test, and its report has a result for each. `--fail-on-flaky` fails a run only by
 * tests that passed in the end.
 * @returns the counts with no tries of tests that failed in the end
 */
export function withoutTriesOfFailed(counted: readonly RunnerCounts[], extra: ExtraResults): readonly RunnerCounts[] {
  return counted.map(({ runner, counts }) => {
    if (runner !== 'pytest' || counts.rerun === undefined) return { runner, counts };
    const rerun = Math.max(counts.rerun - extra.failed, Math.min(counts.rerun, extra.passed));
    return { runner, counts: { ...counts, rerun } };
  });
}

function countIn(run: readonly RunnerCounts[], runner: string, name: string): number {
  return run.filter((one) => one.runner === runner).reduce((sum, { counts }) => sum + (counts[name] ?? 0), 0);
}
