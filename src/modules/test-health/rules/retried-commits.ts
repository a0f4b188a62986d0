import { byAttempt, outcomeOfAttempt } from './attempts';
import { DAY_MS } from './days';
import type { RetriedCommit } from './facts';
import { conditionsKey, type ReportedRun, type RunResult } from './tested-run';

/** What an upload says of a test. */
export interface UploadOfTest {
  readonly run: ReportedRun;
  /** '' when unknown. */
  readonly attempt: string;
  /** Which share of the tests of the job it holds; '' when it holds all. */
  readonly shard: string;
  /** Whether its attempt has uploads of other shares, so that a test may have moved between two attempts. */
  readonly isOneOfShards: boolean;
  /** When the test failed last, and passed last, in the report; null: it did not. Both: the report has a retry. */
  readonly failedAt: Date | null;
  readonly passedAt: Date | null;
}

/** Whether another attempt of a job passed where one failed, so that `retriedCommit` wants to know how many uploads an attempt has. */
export function mayBeRetried(uploads: readonly UploadOfTest[]): boolean {
  const trusted = uploads.filter(({ run }) => run.branchClass !== 'pull_request');
  return [...byJob(trusted), ...byJob(uploads)].some((own) => retriesBetween(own, () => 1).length > 0);
}

/**
 * Says whether a test was retried on one commit, or on commits with one tree. A retry is:
 *
 * - a failure and a pass in one report;
 * - a failure in one attempt of a job, and a pass in another under the same conditions. An attempt with both is of several
 *   conditions: then no attempt of that job on that commit proves anything. The pass must be that of the whole attempt: of as many
 *   uploads as attempts of the job have elsewhere, because the one that is missing may be the one that fails.
 *
 * What pull requests upload changes nothing for others: it is left out first.
 *
 * @returns the retry that counts longest; null when none counts at `now`
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

/** When a retry counts no more: one quiet time after its failure, or two after its pass, whichever is earlier. In milliseconds. */
export function retryEnd({ failedAt, passedAt }: RetriedCommit, quietDays: number): number {
  return Math.min(failedAt.getTime() + quietDays * DAY_MS, passedAt.getTime() + 2 * quietDays * DAY_MS);
}

interface RetryLimits {
  /** In how many uploads of one attempt of a job the test came lately, at most. */
  readonly most: MostUploads;
  readonly quietDays: number;
  readonly now: Date;
}

/** `key`: that of the conditions. `withPullRequests`: whether their uploads are counted, too. */
export type MostUploads = (key: string, withPullRequests: boolean) => number;

function retriesAmong(uploads: readonly UploadOfTest[], mostUploads: (key: string) => number): RetriedCommit[] {
  return byJob(uploads).flatMap((own) => {
    const within = own.filter(({ failedAt, passedAt }) => failedAt && passedAt).map((upload) => retry(upload, upload));
    return [...within, ...retriesBetween(own, () => mostUploads(conditionsKey(own[0]!.run)))];
  });
}

/** A test that fails in one job or under one condition, and passes in another, may depend on where it runs. */
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

/** Two shares of a job may have two tests of one name. Those of one attempt would have shown that. */
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
