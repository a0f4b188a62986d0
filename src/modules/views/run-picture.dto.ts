import { ApiProperty } from '@nestjs/swagger';
import { ExpectedEnd } from '../shared/expected-end.dto';
import {
  ACommit,
  AnInstant,
  AnInteger,
  CommitOrNull,
  InstantOrNull,
  IntegerOrNull,
  Numbers,
  TextOrNull,
} from './dto/fields';

const KINDS = ['line', 'search', 'verify', 'direct', 'target'] as const;
export const RUN_PHASES = ['building', 'testing', 'passed', 'failed', 'conflicted', 'landing', 'ended'] as const;
const ROLES = ['group', 'half', 'alone', 'check', 'target'] as const;
const STATUS_STATES = ['missing', 'running', 'passed', 'failed', 'lost'] as const;
const FAILURES = ['status', 'timeout', 'lost'] as const;

/** A required status of a test run. */
export class StatusPicture {
  @ApiProperty({ description: 'Name of the status.', example: 'tests' })
  name: string;

  @ApiProperty({
    description: 'lost: CI ended without a result for this status. missing: nobody has reported this status yet.',
    enum: STATUS_STATES,
    enumName: 'RequiredStatusState',
    example: 'running',
  })
  state: (typeof STATUS_STATES)[number];

  @InstantOrNull('When the status was reported last; null: never.')
  reportedAt: string | null;

  @IntegerOrNull(
    'Usual duration of the status from the push of the testing branch to the result, in milliseconds: the median of its last 20 results. Null while the status has fewer than 5 results.',
    540_000,
  )
  expectedMs: number | null;

  @ApiProperty({ description: 'URL of its log; empty when it was reported without one.', example: '' })
  url: string;

  @TextOrNull('The text that was reported with the status.', null)
  description: string | null;
}

export class RunMember {
  @AnInteger('Number of the pull request.', 1)
  prNumber: number;

  @ACommit('Head commit of the pull request in this run.')
  prSha: string;
}

export class RunConflict {
  @AnInteger('The pull request ahead with which the run conflicts.', 1)
  prNumber: number;

  @ApiProperty({ type: [String], description: 'Names of the files.', example: ['price'] })
  files: string[];
}

export class RunFailurePicture {
  @ApiProperty({
    description:
      'status: required statuses failed. timeout: required statuses did not pass in time. lost: CI ended without a result for required statuses.',
    enum: FAILURES,
    enumName: 'RunFailureType',
    example: 'status',
  })
  type: (typeof FAILURES)[number];

  @ApiProperty({
    type: [String],
    description: 'The required statuses that failed, timed out or were lost.',
    example: ['tests'],
  })
  statuses: string[];

  @ApiProperty({ description: 'Whether the result comes from an earlier run of the same tree.', example: false })
  reused: boolean;
}

/** A running test run: its tree is `baseSha`, then `builtOn`, then `members`, in this order. */
export class RunPicture {
  @ApiProperty({ description: 'Id of the test run.', format: 'uuid', example: 'c0a8012e-7b1f-5d7a-9c3e-2f4b6d8e0a1c' })
  testRunId: string;

  @AnInteger('Number of the run in its queue.', 318)
  number: number;

  @ApiProperty({
    description:
      'line: a run that can merge. search: a part of a failed batch. verify: a suspect in isolation, or a whole batch once more. direct: a merge by the tests of the pull request itself. target: the target branch after an incomplete merge.',
    enum: KINDS,
    enumName: 'RunKind',
    example: 'line',
  })
  kind: (typeof KINDS)[number];

  @ApiProperty({
    type: String,
    description: 'With scheduling flow: the purpose of the run. Null with in_order.',
    enum: ROLES,
    enumName: 'FlowRunRole',
    nullable: true,
    example: null,
  })
  role: (typeof ROLES)[number] | null;

  @ApiProperty({
    description:
      'conflicted: the run conflicts with a pull request ahead, and waits until that pull request merges or leaves the queue.',
    enum: RUN_PHASES,
    enumName: 'RunPhase',
    example: 'testing',
  })
  phase: (typeof RUN_PHASES)[number];

  @IntegerOrNull('The bisection or set of suspects that the run belongs to; null: none.', null)
  search: number | null;

  @ACommit('The commit of the target branch that the run is built on.')
  baseSha: string;

  @Numbers('Pull requests ahead that the run contains on top of this commit, in order: the last 100.', [])
  builtOn: number[];

  @AnInteger('How many pull requests ahead the run contains.', 0)
  builtOnCount: number;

  @Numbers('With scheduling flow: pull requests in this run that were still under test when the run was built.', [])
  hopes: number[];

  @ApiProperty({ type: [RunMember], description: 'Pull requests that the run tests, in order.' })
  members: RunMember[];

  @ApiProperty({
    type: [String],
    description:
      'Impacted targets of the first pull request: up to 3. Empty: not in parallel mode, the pull request impacts all targets, or no targets are known.',
    example: ['//pricing'],
  })
  targets: string[];

  @TextOrNull(
    'The testing branch; null until the branch is pushed.',
    'sluice-merge/pr-1/c0a8012e-7b1f-5d7a-9c3e-2f4b6d8e0a1c',
  )
  testBranch: string | null;

  @CommitOrNull('The commit of the testing branch.')
  testBranchSha: string | null;

  @ApiProperty({
    type: [StatusPicture],
    description: 'Required statuses of the run; empty until the testing branch is pushed.',
  })
  statuses: StatusPicture[];

  @AnInstant('When the run was started.')
  createdAt: string;

  @InstantOrNull('When the testing branch was pushed, which starts the test.')
  pushedAt: string | null;

  @InstantOrNull('When the result of the run was known.')
  resultAt: string | null;

  @InstantOrNull('When the run times out; null unless the run is being tested.')
  timesOutAt: string | null;

  @TextOrNull('Why the first pull request of the run waits; null: it waits for nothing.', null)
  waitingFor: string | null;

  @TextOrNull(
    'For a run under test without problems: what the run needs to merge, and what happens otherwise; null: `waitingFor` says more.',
    'Merges when `tests` passes: nothing is ahead of it.',
  )
  landsWhen: string | null;

  @ApiProperty({
    type: ExpectedEnd,
    description: 'When the first pull request of the run is expected to merge or fail; null: unknown yet.',
    nullable: true,
  })
  eta: ExpectedEnd | null;

  @ApiProperty({ type: RunConflict, description: 'The conflict; null unless the run is conflicted.', nullable: true })
  conflict: RunConflict | null;

  @ApiProperty({ type: RunFailurePicture, description: 'The failure; null unless the run failed.', nullable: true })
  failure: RunFailurePicture | null;
}
