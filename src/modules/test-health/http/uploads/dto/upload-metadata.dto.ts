import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Check } from '../../../../shared/check';
import { MayBeAbsent } from '../../../../shared/presence';
import { PULL_REQUEST_NUMBER, PullRequestNumber } from '../../../../shared/pull-request-reference.dto';
import type { RunnerCounts } from '../../../rules/runner-counts';
import { IsCommitId, IsText, IsTrueOrFalse } from '../../../../shared/text';
import { OfRepository } from '../../dto/of-repository.dto';

const MAX_BRANCH = 255;
const MAX_VARIANT = 64;
const MAX_JOB = 255;
const MAX_SHARD = 64;
const MAX_PART = 255;
const MAX_ATTEMPT = 200;
const MAX_CONDITIONS = 255;
export const MAX_EXIT_CODE = 2_147_483_647;
const MAX_UPLOAD_ID = 200;
const MAX_URL = 2_000;
const MAX_PATH = 1_000;
const MAX_RUNNERS = 20;
const MAX_COUNTS = 40;
const MAX_COUNT_NAME = 64;

/** The part `metadata` of an upload. If the body is a single report, these fields are in the query. */
export class ResultsMetadata extends OfRepository('The repository whose tests ran.') {
  @ApiProperty({
    description: 'The tested commit: 40 hexadecimal digits. A test that fails and passes on one commit is flaky.',
    example: '0123456789abcdef0123456789abcdef01234567',
  })
  @IsCommitId()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value))
  commit: string;

  @ApiProperty({ description: 'The tested branch.', required: false, example: 'main' })
  @MayBeAbsent()
  @IsText(MAX_BRANCH)
  branch?: string;

  @ApiProperty({ ...PULL_REQUEST_NUMBER, required: false })
  @MayBeAbsent()
  @PullRequestNumber()
  pr_number?: number;

  @ApiProperty({
    description: 'Distinguishes runs of the same tests, for example by operating system.',
    required: false,
    maxLength: MAX_VARIANT,
    example: 'linux',
  })
  @MayBeAbsent()
  @IsText(MAX_VARIANT)
  variant?: string;

  @ApiProperty({
    description: 'Address of the CI job.',
    required: false,
    example: 'https://ci.example/jobs/7',
  })
  @MayBeAbsent()
  @Check(
    'isAddress',
    isAddress,
    `must be an address that begins with http:// or https://, of at most ${MAX_URL} characters`,
  )
  job_url?: string;

  @ApiProperty({
    description:
      'Name of the CI job, the same in each of its runs. Jobs that run the same tests under other conditions need different names.',
    required: false,
    maxLength: MAX_JOB,
    example: 'CI / test (Linux X64)',
  })
  @MayBeAbsent()
  @IsText(MAX_JOB)
  job?: string;

  @ApiProperty({
    description: "The share of the job's tests in this upload, for a job whose tests run on several machines.",
    required: false,
    maxLength: MAX_SHARD,
    example: '2/4',
  })
  @MayBeAbsent()
  @IsText(MAX_SHARD)
  shard?: string;

  @ApiProperty({
    description: 'Distinguishes uploads of one job with different tests, for a job that uploads several times.',
    required: false,
    maxLength: MAX_PART,
    example: 'reports/unit/*.xml',
  })
  @MayBeAbsent()
  @IsText(MAX_PART)
  part?: string;

  @ApiProperty({
    description:
      'The attempt of the job: the same for all uploads of one attempt, another when the job runs again. A test that fails in one try and passes in another on the same commit is flaky. Without this field, no other upload counts as a retry.',
    required: false,
    maxLength: MAX_ATTEMPT,
    example: '8412345678/2',
  })
  @MayBeAbsent()
  @IsText(MAX_ATTEMPT)
  attempt?: string;

  @ApiProperty({
    description:
      'Properties of the machine that may change results, such as tool versions. One job of a matrix has the same properties in each run. A failure and a pass under different conditions do not make a test flaky.',
    required: false,
    maxLength: MAX_CONDITIONS,
    example: 'node 22.13, python 3.12',
  })
  @MayBeAbsent()
  @IsText(MAX_CONDITIONS)
  conditions?: string;

  @ApiProperty({
    type: 'integer',
    description: 'How the test command ended, before failures were ignored.',
    required: false,
    minimum: 0,
    maximum: MAX_EXIT_CODE,
    example: 1,
  })
  @MayBeAbsent()
  @Transform(({ value }: { value: unknown }) => (isDigits(value) ? Number(value) : value))
  @Check('isExitCode', isExitCode, `must be an integer from 0 to ${MAX_EXIT_CODE}`)
  test_exit_code?: number;

  @ApiProperty({
    description:
      'Absolute path of the checkout on the machine that ran the tests: it is removed from files, names and messages. Without this field, only the paths in which CI systems usually check out are removed.',
    required: false,
    maxLength: MAX_PATH,
    example: '/srv/ci/build-7/widgets',
  })
  @MayBeAbsent()
  @Check('isWorkspace', isWorkspace, `must be an absolute path below the root, of at most ${MAX_PATH} characters`)
  workspace?: string;

  @ApiProperty({
    description:
      'Whether the job ignores failures of quarantined tests. If true, these failures cannot be the reason for a failed test run of the queue.',
    required: false,
    example: true,
  })
  @MayBeAbsent()
  @Transform(({ value }: { value: unknown }) => (value === 'true' || value === 'false' ? value === 'true' : value))
  @IsTrueOrFalse()
  ignores_quarantined?: boolean;

  @ApiProperty({
    description:
      'The counts in the last lines of the test runners. If a runner counted anything but passed, failed, errors and skipped, that count may be the reason why the run failed.',
    required: false,
    type: 'array',
    maxItems: MAX_RUNNERS,
    items: {
      type: 'object',
      required: ['runner', 'counts'],
      properties: {
        runner: { type: 'string' },
        counts: { type: 'object', additionalProperties: { type: 'integer', minimum: 0 } },
      },
    },
    example: [{ runner: 'pytest', counts: { passed: 12, failed: 1, warnings: 2 } }],
  })
  @MayBeAbsent()
  @Check(
    'areRunnerCounts',
    areRunnerCounts,
    `must be at most ${MAX_RUNNERS} runners, each with at most ${MAX_COUNTS} counts`,
  )
  runner_counts?: RunnerCounts[];

  @ApiProperty({
    description: 'An upload with the id of an earlier upload changes nothing. Without an id every upload is new.',
    required: false,
    maxLength: MAX_UPLOAD_ID,
    example: 'job-7-attempt-1',
  })
  @MayBeAbsent()
  @IsText(MAX_UPLOAD_ID)
  upload_id?: string;
}

/** The form of a number in a query. */
function isDigits(value: unknown): boolean {
  return typeof value === 'string' && /^\d{1,10}$/.test(value);
}

function isExitCode(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_EXIT_CODE;
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_URL && /^https?:\/\//i.test(value) && URL.canParse(value);
}

function isWorkspace(value: unknown): boolean {
  return (
    typeof value === 'string' && value.length <= MAX_PATH && /^(?:\/|[A-Za-z]:[\\/]|\\\\)[^\0]*[^\0\\/]/.test(value)
  );
}

function areRunnerCounts(value: unknown): boolean {
  return Array.isArray(value) && value.length <= MAX_RUNNERS && value.every(isRunnerCounts);
}

function isRunnerCounts(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { runner, counts, ...more } = value as Readonly<Record<string, unknown>>;
  if (!isName(runner) || typeof counts !== 'object' || counts === null || Object.keys(more).length > 0) return false;
  const entries = Object.entries(counts);
  const areCounts = entries.every(
    ([name, count]) => isName(name) && Number.isSafeInteger(count) && (count as number) >= 0,
  );
  return entries.length <= MAX_COUNTS && areCounts;
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_COUNT_NAME && !value.includes('\0');
}
