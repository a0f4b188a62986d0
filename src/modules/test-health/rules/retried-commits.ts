import { byAttempt, outcomeOfAttempt } from './attempts';
import { DAY_MS } from './days';
import type { RetriedCommit } from './facts';
import { conditionsKey, type ReportedRun, type RunResult } from './tested-run';

/** The results of a test in an upload. */
export interface UploadOfTest {
  readonly run: ReportedRun;
  /** '' when unknown. */
  readonly attempt: string;
  /** The share of the job's tests in the upload; '': all tests of the job. */
  readonly shard: string;
  /**
   * Whether the upload's attempt also has uploads of other shares, so that a test may have moved between two attempts.
   */
  readonly isOneOfShards: boolean;
  /** The times of the last failure and the last pass in the report; null: none. Both times: the report has a retry. */
  readonly failedAt: Date | null;
  readonly passedAt: Date | null;
}

/**
 * Whether one attempt of a job failed and another passed, so that `retriedCommit` needs the number of uploads per
 * attempt.
 */
export function mayBeRetried(uploads: readonly UploadOfTest[]): boolean {
  const trusted = uploads.filter(({ run }) => run.branchClass !== 'pull_request');
  return [...byJob(trusted), ...byJob(uploads)].some((own) => retriesBetween(own, () => 1).length > 0);
}

/**
 * Finds out whether a test was retried on one commit, or on commits with one tree. A retry is:
 *
 * - a failure and a pass in one report;
 * - a failure in one attempt of a job, and a pass in another under the same conditions. An attempt with both a failure
 *   and a pass comes from several conditions: then no attempt of that job on that commit proves anything. The passed
 *   attempt must be complete: it must have as many uploads as other attempts of the job, because a missing upload may
 *   contain the failure.
 *
 * Uploads of pull requests do not affect other branches: the first search leaves them out.
 *
 * @returns the retry that counts longest; null: no retry counts at `now`
 */
export function retriedCommit(
  uploads: readonly UploadOfTest[],
  { most, quietDays, now }: RetryLimits,
): RetriedCommit | null {
  const trusted = uploads.filter(({ run }) => run.branchClass !== 'pull_request');
  const longest = (own: readonly UploadOfTest[], withPullRequests: boolean): RetriedCommit | null => {
    const retries = retriesAmong(own, (key) => most(key, withPullRequests));
    const counting = retries.filter((one) => retryEnd(one, quietDays) > now.getTime());
    return counting.sort((a, b) => retryEnd(b, quietDays) - retryEnd(a, quietDays))[0] ?? null;
  };
  return longest(trusted, false) ?? longest(uploads, true);
}

/**
 * The time at which a retry no longer counts, in milliseconds: one quiet time after the failure, or two quiet times
 * after the pass, whichever is earlier.
 */
export function retryEnd({ failedAt, passedAt }: RetriedCommit, quietDays: number): number {
  return Math.min(failedAt.getTime() + quietDays * DAY_MS, passedAt.getTime() + 2 * quietDays * DAY_MS);
}

interface RetryLimits {
  /** The maximum number of recent uploads per attempt of a job that contain the test. */
  readonly most: MostUploads;
  readonly quietDays: number;
  readonly now: Date;
}

/** `key`: the key of the conditions. `withPullRequests`: whether uploads of pull requests count too. */
export type MostUploads = (key: string, withPullRequests: boolean) => number;

function retriesAmong(uploads: readonly UploadOfTest[], mostUploads: (key: string) => number): RetriedCommit[] {
  return byJob(uploads).flatMap((own) => {
    const within = own.filter(({ failedAt, passedAt }) => failedAt && passedAt).map((upload) => retry(upload, upload));
    return [...within, ...retriesBetween(own, () => mostUploads(conditionsKey(own[0]!.run)))];
  });
}

/** A test that fails in one job or condition, and passes in another, may depend on its environment. */
function byJob(uploads: readonly UploadOfTest[]): readonly (readonly UploadOfTest[])[] {
  return byAttempt(uploads, ({ run }) => conditionsKey(run));
}

function retriesBetween(uploads: readonly UploadOfTest[], mostUploads: () => number): RetriedCommit[] {
  const known = uploads.filter(({ attempt }) => attempt !== '');
  const attempts = byAttempt(known, keyOf).map((own) => ({ own, outcome: outcomeOfAttempt(own.map(saidBy)) }));
  if (attempts.some(({ outcome }) => outcome === 'mixed')) return [];
  const failures = known.filter(({ failedAt }) => failedAt !== null);
  const passes = attempts.filter(({ outcome }) => outcome === 'passed');
  if (failures.length === 0 || passes.length === 0 || attempts.length === 1) return [];
  const whole = mostUploads();
  const passed = passes.filter(({ own }) => own.length >= whole);
  return failures.flatMap((failure) =>
    passed.flatMap(({ own }) => {
      const pass = own.findLast((upload) => upload.passedAt !== null && mayHaveMoved(failure, upload));
      return pass === undefined || keyOf(pass) === keyOf(failure) ? [] : [retry(failure, pass)];
    }),
  );
}

function keyOf({ run, attempt }: UploadOfTest): string {
  return `${run.commit} ${attempt}`;
}

function saidBy({ failedAt, passedAt }: UploadOfTest) {
  return { failed: failedAt !== null, passed: passedAt !== null };
}

/** Two shares of a job may have two tests with one name. Other uploads of the same attempt would show both tests. */
function mayHaveMoved(failed: UploadOfTest, passed: UploadOfTest): boolean {
  return failed.shard === passed.shard || failed.isOneOfShards || passed.isOneOfShards;
}

function retry(failed: UploadOfTest, passed: UploadOfTest): RetriedCommit {
  const [failedAt, passedAt] = [failed.failedAt!, passed.passedAt!];
  const evidence: RunResult[] = [
    { outcome: 'failed', at: failedAt, run: failed.run },
    { outcome: 'passed', at: passedAt, run: passed.run },
  ];
  return {
    commit: failed.run.commit,
    failedAt,
    passedAt,
    isFromPullRequest: [failed, passed].some(({ run }) => run.branchClass === 'pull_request'),
    evidence: evidence.sort((a, b) => a.at.getTime() - b.at.getTime()),
  };
}
