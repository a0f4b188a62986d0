import type { RunResult } from './tested-run';

/** A result, and the upload that it is from. */
export interface UploadedResult extends RunResult {
  readonly uploadId: string;
  /** The same for all uploads of one try of the job on a commit; '' when unknown. */
  readonly attempt: string;
}

/** What an upload says of a test: both, where its report has a retry. */
interface Said {
  readonly failed: boolean;
  readonly passed: boolean;
}

/** `mixed`: it failed in one upload and passed in another, so they are from several conditions, as of a matrix without names. */
export type AttemptOutcome = 'passed' | 'failed' | 'mixed';

/** What the uploads of one attempt say of a test together: the worst. A retry within a report passed. */
export function outcomeOfAttempt(uploads: readonly Said[]): AttemptOutcome {
  const failed = uploads.filter((upload) => upload.failed && !upload.passed).length;
  if (failed === 0) return 'passed';
  return failed === uploads.length ? 'failed' : 'mixed';
}

/** Uploads, or their results, by the attempt of one job that they are of. Nothing is known to share an unknown attempt. */
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
 * The attempt that an upload of an older client is of, where the address of its job says it as this version's client would; '' where
 * not. The job of GitLab must have its name: those of a matrix have addresses of their own.
 */
export function attemptOfAddress(jobUrl: string, job: string): string {
  const [, run, attempt] = OF_GITHUB.exec(jobUrl) ?? [];
  if (run !== undefined) return `${run}/${attempt}`;
  return job === '' ? '' : (OF_GITLAB.exec(jobUrl)?.[1] ?? '');
}
