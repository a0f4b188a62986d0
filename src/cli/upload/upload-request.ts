import { createHash, randomUUID } from 'node:crypto';
import type { RepositoryName } from '../../platform/repository-name';
import { CliError } from '../cli-error';
import type { CiJob } from './ci-job';
import type { GitCheckout } from './git-checkout';
import type { CountedByRunner } from './runner-counts';

/** Options of the command line. */
export interface SaidOfUpload {
  readonly repo?: RepositoryName;
  readonly org?: string;
  readonly commit?: string;
  readonly branch?: string;
  readonly pr?: number;
  readonly variant?: string;
  readonly jobUrl?: string;
  readonly job?: string;
  readonly shard?: string;
  readonly part?: string;
  readonly attempt?: string;
  readonly uploadId?: string;
  readonly quarantine?: true;
}

/** The field `metadata` of the request. */
export interface UploadMetadata {
  readonly repo: RepositoryName;
  readonly org_url_slug: string;
  readonly commit: string;
  readonly branch?: string;
  readonly pr_number?: number;
  readonly variant?: string;
  readonly job_url?: string;
  /** Name of the CI job, the same in each of its runs. */
  readonly job?: string;
  /** The share of the job's tests in the upload: `2/4`. */
  readonly shard?: string;
  /** Absolute path of the checkout. */
  readonly workspace?: string;
  /** The name that distinguishes uploads of one job with different tests. */
  readonly part?: string;
  /** The number of the job's attempt. */
  readonly attempt?: string;
  /** Properties of the machine that ran the job. */
  readonly conditions?: string;
  readonly test_exit_code?: number;
  readonly ignores_quarantined?: true;
  readonly runner_counts?: readonly CountedByRunner[];
  readonly upload_id: string;
}

export interface UploadSource {
  readonly said: SaidOfUpload;
  readonly job: CiJob | undefined;
  readonly checkout: GitCheckout;
  readonly organization: string | undefined;
  readonly patterns: readonly string[];
  /** The words after `--`. */
  readonly testCommand: readonly string[];
  readonly testExitCode: number | undefined;
  readonly runnerCounts: readonly CountedByRunner[];
  /** A hash of the names and the content of the reports. */
  readonly digest: string;
}

/** Options take precedence over the facts of CI, and the facts of CI over the facts of git. */
export function metadataOf(source: UploadSource): UploadMetadata {
  const { said, job, checkout, organization, digest, testExitCode, runnerCounts } = source;
  const repo = said.repo ?? job?.repository ?? checkout.repository ?? missing('repository', '--repo host/owner/name');
  const commit = said.commit ?? job?.commit ?? checkout.commit ?? missing('commit', '--commit <id>');
  if (!/^[0-9a-f]{40}$/i.test(commit)) {
    throw new CliError(`${commit} is not the full id of a commit.`, {
      exit: 2,
      next: 'It has 40 hexadecimal digits.',
    });
  }
  return {
    repo,
    org_url_slug: said.org ?? organization ?? missing('organization', '--org <slug>, or set SLUICE_ORG'),
    commit,
    branch: said.branch ?? job?.branch ?? (job === undefined ? checkout.branch : undefined),
    pr_number: said.pr ?? job?.pullRequest,
    variant: said.variant,
    job_url: said.jobUrl ?? job?.address,
    job: said.job ?? job?.name,
    shard: said.shard ?? job?.shard,
    workspace: checkout.root === '/' ? undefined : checkout.root,
    part: said.part ?? partOf(source),
    attempt: attemptOf(source),
    conditions: job?.conditions,
    test_exit_code: testExitCode === undefined ? undefined : Math.min(testExitCode, MOST_EXIT_CODE),
    ignores_quarantined: said.quarantine,
    runner_counts: runnerCounts.length === 0 ? undefined : runnerCounts,
    upload_id:
      said.uploadId ??
      uploadIdOf(job, [said.variant ?? '', commit, digest, ...(said.attempt === undefined ? [] : [said.attempt])]),
  };
}

const MOST_PART_CHARACTERS = 255;
const MOST_ATTEMPT_CHARACTERS = 200;
const MOST_EXIT_CODE = 2_147_483_647;

/**
 * A number that the user gives counts attempts within one step: when the job runs again, the number starts again at the
 * first attempt.
 */
function attemptOf({ said, job }: UploadSource): string | undefined {
  const parts = [job?.attempt, said.attempt].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join('/').slice(0, MOST_ATTEMPT_CHARACTERS);
}

/**
 * The patterns, and a hash of the command, which may hold secrets: other patterns or another command mean other tests.
 */
function partOf({ patterns, testCommand }: UploadSource): string {
  const command = createHash('sha256').update(JSON.stringify(testCommand)).digest('hex').slice(0, 12);
  const behind = testCommand.length === 0 ? '' : ` ${command}`;
  return patterns.join(' ').slice(0, MOST_PART_CHARACTERS - behind.length) + behind;
}

/**
 * The upload id. It stays the same when a step of the job sends the same reports again, so that the repetition is
 * harmless. Reports of a second run of the tests get another id, because they are new results. Outside CI the id is
 * random.
 */
function uploadIdOf(job: CiJob | undefined, parts: readonly string[]): string {
  if (job?.execution === undefined) return randomUUID();
  return createHash('sha256')
    .update(JSON.stringify([job.ci, job.execution, ...parts]))
    .digest('hex')
    .slice(0, 40);
}

function missing(what: string, how: string): never {
  throw new CliError(`The ${what} of these results is not known: neither CI nor git names it.`, {
    exit: 2,
    next: `Name it with ${how}.`,
  });
}
