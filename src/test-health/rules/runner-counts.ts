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
  pytest: new Set(['deselected', 'xfailed', 'xpassed', 'rerun', 'subtests passed']),
  Jest: new Set(['todo', 'snapshots failed', 'snapshots written', 'snapshots updated']),
  Vitest: new Set(['todo', 'expected fail', 'snapshots failed', 'snapshots written', 'snapshots updated']),
  Mocha: new Set(['pending']),
  RSpec: new Set(['pending']),
  Minitest: new Set(['assertions']),
  PHPUnit: new Set(['assertions']),
  Node: new Set(['todo', 'suites']),
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
      if (count > most) found.push({ runner, name, count });
    }
  }
  return found;
}

function countIn(run: readonly RunnerCounts[], runner: string, name: string): number {
  return run.filter((one) => one.runner === runner).reduce((sum, { counts }) => sum + (counts[name] ?? 0), 0);
}
