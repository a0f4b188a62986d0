import { byAttempt, outcomeOfAttempt, type UploadedResult } from './attempts';
import { conditionsKey, type ReportedRun, type RunResult } from './tested-run';

/**
 * The result of a test on one commit of a line, under the same conditions: the test passed if any attempt passed. If
 * one attempt has both results, the job has several conditions, and the test failed under one condition, even if it
 * passed under others.
 */
export interface CommitOutcome {
  readonly run: ReportedRun;
  /** The time of the test's first result on the commit. */
  readonly at: Date;
  readonly outcome: 'passed' | 'failed';
  /** Whether the test failed and then passed, so that the failure was chance. */
  readonly wasRetried: boolean;
  /** The latest deciding result. */
  readonly result: RunResult;
}

/**
 * The commits of each line on which the test failed at least once, in the order of their first results. The order of
 * `results` does not matter. Results of pull requests are left out, because their commits are not consecutive. If
 * several jobs run the test on the same commits, each job is read separately, because the test may fail in only one of
 * them.
 */
export function commitsByLine(results: readonly UploadedResult[]): readonly (readonly CommitOutcome[])[] {
  const onLines = results.filter(({ run }) => run.branchClass !== 'pull_request').sort(byTime);
  const failing = new Set(onLines.filter(({ outcome }) => outcome === 'failed').map(({ run }) => run.line));
  return [...failing].flatMap((line) => {
    const ofLine = onLines.filter(({ run }) => run.line === line);
    return conditionsOf(ofLine).filter(hasFailed).map(commitsOf);
  });
}

/**
 * Groups the results of one line by their conditions. Jobs that tested the same commit are different conditions. Jobs
 * that never tested the same commit follow each other, such as a job before and after its rename, or before and after a
 * new version of Node. They count as one condition.
 */
function conditionsOf(results: readonly UploadedResult[]): readonly (readonly UploadedResult[])[] {
  const commitsOfJobs = new Map<string, Set<string>>();
  for (const { run } of results) {
    const key = conditionsKey(run);
    const commits = commitsOfJobs.get(key);
    if (commits) commits.add(run.commit);
    else commitsOfJobs.set(key, new Set([run.commit]));
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
  return conditions.map(({ jobs }) => results.filter(({ run }) => jobs.includes(conditionsKey(run))));
}

function commitsOf(results: readonly UploadedResult[]): readonly CommitOutcome[] {
  return byAttempt(results, ({ run }) => run.commit).map((own) => {
    const outcome = hasPassed(own) ? 'passed' : 'failed';
    const deciding = own.filter((result) => result.outcome === outcome);
    const { at, run, outcome: found } = outcome === 'passed' ? deciding[0]! : deciding.at(-1)!;
    const wasRetried = outcome === 'passed' && hasFailed(own);
    return { run: own[0]!.run, at: own[0]!.at, outcome, wasRetried, result: { at, run, outcome: found } };
  });
}

/** Whether a test passed. `results`: its results on one commit under the same conditions. */
function hasPassed(results: readonly UploadedResult[]): boolean {
  const attempts = byAttempt(results, ({ attempt, uploadId }) => (attempt === '' ? `of ${uploadId}` : attempt));
  const outcomes = attempts.map((own) => {
    const uploads = byAttempt(own, ({ uploadId }) => uploadId);
    return outcomeOfAttempt(uploads.map((upload) => ({ failed: hasFailed(upload), passed: !upload.every(isFailure) })));
  });
  return !outcomes.includes('mixed') && outcomes.includes('passed');
}

function hasFailed(results: readonly RunResult[]): boolean {
  return results.some(isFailure);
}

function isFailure({ outcome }: RunResult): boolean {
  return outcome === 'failed';
}

/** Orders results by time. Results with the same time also have a fixed order, so that all processes agree. */
function byTime(a: RunResult, b: RunResult): number {
  const byAt = a.at.getTime() - b.at.getTime();
  if (byAt !== 0) return byAt;
  if (a.run.commit !== b.run.commit) return a.run.commit < b.run.commit ? -1 : 1;
  return a.outcome === b.outcome ? 0 : a.outcome === 'failed' ? -1 : 1;
}
