import type { RunResult, ReportedRun } from './tested-run';

/** What a test did on one commit of a line: it passed if any of its runs there did. */
export interface CommitOutcome {
  readonly run: ReportedRun;
  /** Of its first result there. */
  readonly at: Date;
  readonly outcome: 'passed' | 'failed';
  /** The latest result that decides. */
  readonly result: RunResult;
}

/**
 * The commits of each line on which the test failed at all, in the order of their first results. The order of `results` does not
 * matter. Results of pull requests are left out: their commits do not follow each other.
 */
export function commitsByLine(results: readonly RunResult[]): readonly (readonly CommitOutcome[])[] {
  const onLines = results.filter(({ run }) => run.branchClass !== 'pull_request');
  const failing = new Set(onLines.filter(({ outcome }) => outcome === 'failed').map(({ run }) => run.line));
  const lines = new Map<string, Map<string, CommitOutcome>>();
  for (const line of failing) lines.set(line, new Map());
  for (const result of onLines.filter(({ run }) => failing.has(run.line)).sort(byTime)) {
    const { line, commit } = result.run;
    const commits = lines.get(line)!;
    const known = commits.get(commit);
    if (!known) commits.set(commit, { run: result.run, at: result.at, outcome: result.outcome, result });
    else if (known.outcome === 'failed') commits.set(commit, { ...known, outcome: result.outcome, result });
  }
  return [...lines.values()].map((commits) => [...commits.values()]);
}

/** Results of one time are ordered, too, so that everybody sees the same. */
function byTime(a: RunResult, b: RunResult): number {
  const byAt = a.at.getTime() - b.at.getTime();
  if (byAt !== 0) return byAt;
  if (a.run.commit !== b.run.commit) return a.run.commit < b.run.commit ? -1 : 1;
  return a.outcome === b.outcome ? 0 : a.outcome === 'failed' ? -1 : 1;
}
