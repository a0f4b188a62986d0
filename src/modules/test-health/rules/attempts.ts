import type { RunResult } from './tested-run';

/** A result with its upload. */
export interface UploadedResult extends RunResult {
  readonly uploadId: string;
  /** The id of the job's attempt, the same for all uploads of one attempt on a commit; '' when unknown. */
  readonly attempt: string;
}

/** Whether a test failed and whether it passed in an upload: both are true if the report has a retry. */
interface Said {
  readonly failed: boolean;
  readonly passed: boolean;
}

/**
 * `mixed`: the test failed in one upload and passed in another, so the uploads come from several conditions, such as a
 * matrix without names.
 */
export type AttemptOutcome = 'passed' | 'failed' | 'mixed';

/**
 * The common result of a test in all uploads of one attempt: the worst result. A retry within a report counts as
 * passed.
 */
export function outcomeOfAttempt(uploads: readonly Said[]): AttemptOutcome {
  const failed = uploads.filter((upload) => upload.failed && !upload.passed).length;
  if (failed === 0) return 'passed';
  return failed === uploads.length ? 'failed' : 'mixed';
}

/** Groups uploads, or their results, by the attempt of one job. An unknown attempt is a group of its own. */
export function byAttempt<T>(all: readonly T[], keyOf: (one: T) => string): readonly (readonly T[])[] {
  const attempts = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const own = attempts.get(key);
    if (own) own.push(one);
    else attempts.set(key, [one]);
  }
  return [...attempts.values()];
}

const OF_GITHUB = /\/actions\/runs\/(\d+)\/attempts\/(\d+)$/;
const OF_GITLAB = /\/-\/jobs\/(\d+)$/;

/**
 * The attempt of an upload by an older client, taken from the URL of the job; '' if the URL does not contain an
 * attempt. For GitLab, the name of the job is required too, because the jobs of a matrix have different URLs.
 */
export function attemptOfAddress(jobUrl: string, job: string): string {
  const [, run, attempt] = OF_GITHUB.exec(jobUrl) ?? [];
  if (run !== undefined) return `${run}/${attempt}`;
  return job === '' ? '' : (OF_GITLAB.exec(jobUrl)?.[1] ?? '');
}
