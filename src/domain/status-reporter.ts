/**
 * The reporter of a status. `job`: a job that a CI run lists. `job_token`: anybody with the token of a job. `app:<id>`:
 * an app of the host. `login:<login>`: an account of the host. `token:<name>`: a token of this service.
 */
export type StatusReporter = 'job' | 'job_token' | `app:${string}` | `login:${string}` | `token:${string}`;

export const REPORTER_PATTERN = /^(job|job_token|(app|login|token):.{1,255})$/;

/** The reporter as a part of a sentence: "a job of CI", "the login jenkins". */
export function reporterInWords(reporter: string): string {
  if (reporter === 'job') return 'a job of CI';
  if (reporter === 'job_token') return 'the token of a CI job';
  const [kind = '', ...name] = reporter.split(':');
  return `the ${kind} ${name.join(':')}`;
}
