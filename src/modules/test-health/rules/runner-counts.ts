import type { ExtraResults } from './repeated-names';

/** A count in the last line of a runner, such as 2 `warnings` of `pytest`. */
export interface RunnerCounts {
  readonly runner: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** Counts of tests. Failures of tests are in the reports. */
const OF_TESTS: ReadonlySet<string> = new Set(['passed', 'failed', 'errors', 'skipped']);

/**
 * Further counts by which a runner never fails, with any settings. A count without a row may be the reason of a
 * failure, unless a run of the job that exited with 0 had the same count.
 */
// A test with a different snapshot fails.
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

/**
 * A single item of these counts may fail a run. So a run that had such an item and exited with 0 shows that the count
 * does not matter in its job.
 */
const FAILS_BY_ANY: Readonly<Record<string, ReadonlySet<string>>> = {
  pytest: new Set(['rerun']),
  Playwright: new Set(['flaky']),
};

/** A count that may be the reason why the run failed. */
export interface UnusualCount {
  readonly runner: string;
  readonly name: string;
  readonly count: number;
}

/** @param passed the counts of earlier runs of the job that exited with 0 */
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
 * pytest-rerunfailures counts every attempt of a test except the last, and its report has a result for each attempt.
 * `--fail-on-flaky` fails a run only for tests that passed in the end.
 * @returns the counts without attempts of tests that failed in the end
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
