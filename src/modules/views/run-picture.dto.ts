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
    description: 'lost: CI ended without a result for it. missing: nobody has reported it yet.',
    enum: STATUS_STATES,
    enumName: 'RequiredStatusState',
    example: 'running',
  })
  state: (typeof STATUS_STATES)[number];

  @InstantOrNull('When it was reported last; null: it was not.')
  reportedAt: string | null;

  @IntegerOrNull(
    'From the push of the testing branch to its verdict, in milliseconds: the median of its last 20 verdicts. Null while it has fewer than 5.',
    540_000,
  )
  expectedMs: number | null;

  @ApiProperty({ description: 'URL of its log; empty when it was reported without one.', example: '' })
  url: string;

  @TextOrNull('What was reported with it.', null)
  description: string | null;
}

export class RunMember {
  @AnInteger('Number of the pull request.', 1)
  prNumber: number;

  @ACommit('Its head that the run tests.')
  prSha: string;
}

export class RunConflict {
  @AnInteger('The pull request ahead that it conflicts with.', 1)
  prNumber: number;

  @ApiProperty({ type: [String], description: 'Names of the files.', example: ['price'] })
  files: string[];
}

export class RunFailurePicture {
  @ApiProperty({
    description:
      'status: required statuses failed. timeout: required statuses did not pass in time. lost: CI ended without a result for them.',
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

  @ApiProperty({ description: 'Whether it is the result of an earlier run of the same tree.', example: false })
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
      'line: a run that can merge. search: a part of a failed batch. verify: a suspect alone, or a batch again. direct: merged on its own tests. target: what a merge left on the target.',
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
    description: 'conflicted: it conflicts with a pull request ahead, and waits until that merges or leaves.',
    enum: RUN_PHASES,
    enumName: 'RunPhase',
    example: 'testing',
  })
  phase: (typeof RUN_PHASES)[number];

  @IntegerOrNull('The culprit search or set of suspects that it belongs to; null: none.', null)
  search: number | null;

  @ACommit("The target's commit that it is built on.")
  baseSha: string;

  @Numbers('Pull requests between its base and its own, in order: the last 100 of them.', [])
  builtOn: number[];

  @AnInteger('How many these are.', 0)
  builtOnCount: number;

  @Numbers('With scheduling flow: those of them that were still tested when it was built.', [])
  hopes: number[];

  @ApiProperty({ type: [RunMember], description: 'Pull requests that it tests, in order.' })
  members: RunMember[];

  @ApiProperty({
    type: [String],
    description:
      'Impacted targets of the first of them: up to 3. Empty: not in parallel mode, it impacts all targets, or no targets are known.',
    example: ['//pricing'],
  })
  targets: string[];

  @TextOrNull('The testing branch; null before it is pushed.', 'sluice-merge/pr-1/c0a8012e-7b1f-5d7a-9c3e-2f4b6d8e0a1c')
  testBranch: string | null;

  @CommitOrNull('The commit of that branch.')
  testBranchSha: string | null;

  @ApiProperty({ type: [StatusPicture], description: 'Its required statuses; empty before its branch is pushed.' })
  statuses: StatusPicture[];

  @AnInstant('When it was started.')
  createdAt: string;

  @InstantOrNull('When its branch was pushed: its test began.')
  pushedAt: string | null;

  @InstantOrNull('When its result was known.')
  resultAt: string | null;

  @InstantOrNull('When it times out; null unless it is being tested.')
  timesOutAt: string | null;

  @TextOrNull('What it waits for, of the first of its pull requests; null when it has none.', null)
  waitingFor: string | null;

  @TextOrNull(
    'While it is tested as usual: what it needs to land, and what happens to it otherwise; null: `waitingFor` says more.',
    'Lands when `tests` passes: nothing is ahead of it.',
  )
  landsWhen: string | null;

  @ApiProperty({
    type: ExpectedEnd,
    description: 'When the first of its pull requests is expected to merge or fail; null: unknown yet.',
    nullable: true,
  })
  eta: ExpectedEnd | null;

  @ApiProperty({ type: RunConflict, description: 'Null unless it conflicts.', nullable: true })
  conflict: RunConflict | null;

  @ApiProperty({ type: RunFailurePicture, description: 'Null unless it failed.', nullable: true })
  failure: RunFailurePicture | null;
}
