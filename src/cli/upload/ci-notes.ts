import { execFile } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../../platform/config/environment';
import { annotationsOf, issuesOf, failuresInMarkdown } from './notes-on-failures';
import { logLine } from './others-text';
import type { UploadAnswer } from './send-upload';

/** The limit of GitHub and Buildkite. A longer summary is not shown at all. */
const MOST_BYTES = 1_048_576;
const MOST_ISSUES = 1_000;
const CODE_QUALITY = 'gl-code-quality-report.json';
const MOST_SECONDS = 30;

interface NotesPlace {
  readonly env: Environment;
  /** The folder in which GitLab looks for the report. */
  readonly folder: string;
  /** Prints a line into the log of the job. */
  readonly say: (line: string) => void;
  readonly now: Date;
}

/**
 * Shows the failed tests in CI: GitHub's job summary and annotations, GitLab's code quality report, Buildkite's
 * annotation. The exit code does not depend on the notes: if they cannot be written, the command prints a warning.
 */
export async function writeNotes(answer: UploadAnswer, place: NotesPlace): Promise<void> {
  if (answer.failures.length === 0) return;
  try {
    await write(answer, place);
  } catch (error) {
    place.say(
      logLine(
        `Warning: The failed tests were not reported to CI: ${error instanceof Error ? error.message : String(error)}`,
      ),
    );
  }
}

async function write(answer: UploadAnswer, { env, folder, say, now }: NotesPlace): Promise<void> {
  if (env.GITHUB_ACTIONS === 'true' || env.GITEA_ACTIONS === 'true' || env.FORGEJO_ACTIONS === 'true') {
    for (const line of annotationsOf(answer, now)) say(line);
    if (env.GITHUB_STEP_SUMMARY) appendSummary(env.GITHUB_STEP_SUMMARY, answer, now);
  } else if (env.GITLAB_CI) {
    writeCodeQuality(join(folder, CODE_QUALITY), answer, now);
  } else if (env.BUILDKITE === 'true') {
    await annotateBuild({ env, folder }, answer, now);
  }
}

/** Appends, because an earlier command of the step may have written a summary. */
function appendSummary(path: string, answer: UploadAnswer, now: Date): void {
  const written = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  appendFileSync(path, failuresInMarkdown(answer, now, MOST_BYTES - written));
}

/**
 * Another command of the job, or a linter, may have written the report. Adds to an existing report; a file that is not
 * a report stays unchanged.
 */
function writeCodeQuality(path: string, answer: UploadAnswer, now: Date): void {
  const before: unknown = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [];
  if (!Array.isArray(before)) throw new Error(`${CODE_QUALITY} is no list.`);
  const own = issuesOf(answer, now);
  const fingerprints = new Set(own.map(({ fingerprint }) => fingerprint));
  const others = (before as { readonly fingerprint?: string }[]).filter(
    (issue) => !fingerprints.has(issue?.fingerprint ?? ''),
  );
  writeFileSync(path, `${JSON.stringify([...others, ...own.slice(0, MOST_ISSUES)], null, 1)}\n`);
}

async function annotateBuild(
  { env, folder }: Pick<NotesPlace, 'env' | 'folder'>,
  answer: UploadAnswer,
  now: Date,
): Promise<void> {
  const isRed = answer.failures.some(({ quarantined }) => !quarantined);
  // One context for each job, so that a retry replaces its annotation.
  const context = `sluice-${env.BUILDKITE_STEP_ID || env.BUILDKITE_JOB_ID || 'tests'}-${env.BUILDKITE_PARALLEL_JOB || 0}`;
  const words = ['annotate', '--style', isRed ? 'error' : 'info', '--context', context];
  await new Promise<void>((resolve, reject) => {
    const agent = execFile('buildkite-agent', words, { cwd: folder, env, timeout: MOST_SECONDS * 1_000 }, (error) => {
      if (error) reject(new Error(error.message));
      else resolve();
    });
    agent.stdin?.on('error', () => undefined);
    agent.stdin?.end(failuresInMarkdown(answer, now, MOST_BYTES));
  });
}
