import type { RunResult, ReportedRun } from './tested-run';

/** What a test did on one commit of a line, under the same conditions: it passed if any of its runs there did. */
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
 * matter. Results of pull requests are left out: their commits do not follow each other. Where several jobs run the test on the same
 * commits, each is read for itself, because the test may fail in one of them only.
 */
export function commitsByLine(results: readonly RunResult[]): readonly (readonly CommitOutcome[])[] {
  const onLines = results.filter(({ run }) => run.branchClass !== 'pull_request').sort(byTime);
  const failing = new Set(onLines.filter(({ outcome }) => outcome === 'failed').map(({ run }) => run.line));
  return [...failing].flatMap((line) => {
    const ofLine = onLines.filter(({ run }) => run.line === line);
    return conditionsOf(ofLine).filter(hasFailed).map(commitsOf);
  });
}

/**
 * The results of one line by the conditions that they were found under. Jobs that tested the same commit are different conditions;
 * those that never did follow each other, as before and after a job was renamed.
 */
function conditionsOf(results: readonly RunResult[]): readonly (readonly RunResult[])[] {
  const commitsOfJobs = new Map<string, Set<string>>();
  for (const { run } of results) {
    const commits = commitsOfJobs.get(run.job);
    if (commits) commits.add(run.commit);
    else commitsOfJobs.set(run.job, new Set([run.commit]));
  }
  if (commitsOfJobs.size <= 1) return [results];
  const conditions: { readonly jobs: string[]; readonly commits: Set<string> }[] = [];
  for (const [job, commits] of commitsOfJobs) {
    const earlier = conditions.find((condition) => ![...commits].some((commit) => condition.commits.has(commit)));
    const condition = earlier ?? { jobs: [], commits: new Set<string>() };
    if (earlier === undefined) conditions.push(condition);
    condition.jobs.push(job);
    for (const commit of commits) condition.commits.add(commit);
  }
  return conditions.map(({ jobs }) => results.filter(({ run }) => jobs.includes(run.job)));
}

function commitsOf(results: readonly RunResult[]): readonly CommitOutcome[] {
  const commits = new Map<string, CommitOutcome>();
  for (const result of results) {
    const { run, at, outcome } = result;
    const known = commits.get(run.commit);
    if (!known) commits.set(run.commit, { run, at, outcome, result });
    else if (known.outcome === 'failed') commits.set(run.commit, { ...known, outcome, result });
  }
  return [...commits.values()];
}

function hasFailed(results: readonly RunResult[]): boolean {
  return results.some(({ outcome }) => outcome === 'failed');
}

/** Results of one time are ordered, too, so that everybody sees the same. */
function byTime(a: RunResult, b: RunResult): number {
  const byAt = a.at.getTime() - b.at.getTime();
  if (byAt !== 0) return byAt;
  if (a.run.commit !== b.run.commit) return a.run.commit < b.run.commit ? -1 : 1;
  return a.outcome === b.outcome ? 0 : a.outcome === 'failed' ? -1 : 1;
}
