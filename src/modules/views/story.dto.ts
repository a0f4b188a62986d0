import { ApiProperty } from '@nestjs/swagger';
import { ENTRY_STATES, type EntryState, type RunPhase } from '../../engine/vocabulary';
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
import { RunEvidence } from './left-pull-request.dto';
import { PicturedPullRequest } from './pictured-pull-request.dto';
import { RUN_PHASES, RunPicture } from './run-picture.dto';

const CHANNELS = ['api', 'host'] as const;
const KINDS = ['line', 'search', 'verify', 'direct', 'target'] as const;

/** A test run: its tree is `baseSha`, then `builtOn`, then `members`, in this order. */
export class StoryRun {
  @ApiProperty({ description: 'Id of the test run.', format: 'uuid', example: 'c0a8012e-7b1f-5d7a-9c3e-2f4b6d8e0a1c' })
  testRunId: string;

  @AnInteger('Number of the run in its queue.', 318)
  number: number;

  @ApiProperty({ description: 'As in getQueuePicture.', enum: KINDS, enumName: 'RunKind', example: 'line' })
  kind: (typeof KINDS)[number];

  @ACommit('The commit of the target branch that the run was built on.')
  baseSha: string;

  @Numbers('Pull requests ahead that the run contains on top of this commit, in order: the last 100.', [])
  builtOn: number[];

  @AnInteger('How many these are.', 0)
  builtOnCount: number;

  @Numbers('Pull requests that the run tested, in order.')
  members: number[];

  @CommitOrNull('The commit that was tested; null when none was made.')
  testBranchSha: string | null;
}

export class StoryItem {
  @AnInstant('When the event happened.')
  at: string;

  @AnInteger('Number of the attempt: every submission after a conclusion starts another one.', 1)
  attempt: number;

  @ApiProperty({
    type: String,
    description: 'The new state of the pull request; null: the state did not change.',
    enum: [...ENTRY_STATES],
    enumName: 'PullRequestState',
    nullable: true,
    example: 'testing',
  })
  state: EntryState | null;

  @TextOrNull('The reason, as in the state of a pull request.', null)
  reason: string | null;

  @ApiProperty({ description: 'The event in one sentence.', example: 'Run 318 began to test it on 3f2a1c0d.' })
  sentence: string;

  @TextOrNull('The token or login that caused the event; null: the queue itself.', null)
  actor: string | null;

  @ApiProperty({
    type: String,
    description: 'api: through this API. host: at the code host. null: the queue itself, or not known.',
    enum: CHANNELS,
    enumName: 'StoryChannel',
    nullable: true,
    example: 'api',
  })
  channel: (typeof CHANNELS)[number] | null;

  @Numbers(
    'Pull requests that caused the event: they failed or left the queue while this pull request was tested with them.',
    [],
  )
  becauseOf: number[];

  @ApiProperty({ type: StoryRun, description: 'The test run that the event is about; null: none.', nullable: true })
  run: StoryRun | null;

  @ApiProperty({ type: RunEvidence, description: 'The failures of the test run; null: none.', nullable: true })
  evidence: RunEvidence | null;
}

export class LostTime {
  @AnInteger('Duration of the wasted test, in milliseconds.', 180_000)
  ms: number;

  @TextOrNull('The reason, as in the state of a pull request.', 'prerequisite_merge_item_failed')
  reason: string | null;

  @Numbers('Pull requests that caused the waste; empty: unknown.', [2])
  becauseOf: number[];

  @AnInteger('Number of the wasted run.', 317)
  runNumber: number;
}

/** The time of an attempt by phase, in milliseconds. The five phases add up to the time since submission. */
export class TimeSoFar {
  @AnInteger('Milliseconds in which the pull request was not ready.', 0)
  notReadyMs: number;

  @AnInteger('Milliseconds of waiting for a test.', 60_000)
  waitingMs: number;

  @AnInteger('Milliseconds in tests that counted.', 540_000)
  testedMs: number;

  @AnInteger('Milliseconds in wasted tests.', 180_000)
  lostMs: number;

  @AnInteger('Milliseconds after the result: waiting for other pull requests or for the merge.', 20_000)
  decidedMs: number;

  @ApiProperty({ type: [LostTime], description: 'Each test run whose result was discarded, the oldest first.' })
  lost: LostTime[];
}

/** The history of a pull request in a queue. */
export class PullRequestStory {
  @AnInteger('Every decision of the queue raises the version, as in getEvents.', 1_204)
  version: number;

  @ApiProperty({ type: PicturedPullRequest, description: 'The pull request.' })
  pullRequest: PicturedPullRequest;

  @AnInteger('Number of the last attempt.', 1)
  attempt: number;

  @AnInstant('When the last attempt was submitted.')
  submittedAt: string;

  @InstantOrNull('When the pull request concluded; null: it has not concluded.')
  concludedAt: string | null;

  @TextOrNull('The reason why the pull request waits; null after it has concluded.', null)
  waitingFor: string | null;

  @TextOrNull(
    'Why the pull request concluded: the cause, then the way out; null: the pull request has not concluded, or the queue merged it.',
    null,
  )
  message: string | null;

  @ApiProperty({
    type: String,
    description:
      'Phase of the test run in which the pull request is, as in getQueuePicture; null: there is none, or the test run has ended. With scheduling flow, a passed pull request stays in the state testing until its merge starts.',
    enum: [...RUN_PHASES],
    enumName: 'RunPhase',
    nullable: true,
    example: 'testing',
  })
  runPhase: RunPhase | null;

  @ACommit('Head commit that the queue has.')
  headSha: string;

  @IntegerOrNull('Number of the signed statement about its merge; null: not merged, or not signed yet.', 12)
  statement: number | null;

  @ApiProperty({
    type: RunPicture,
    description:
      'The test run in which the pull request is, with its required statuses, until the run ends; null: there is none.',
    nullable: true,
  })
  run: RunPicture | null;

  @ApiProperty({ type: TimeSoFar, description: 'How long each phase of the last attempt has taken.' })
  time: TimeSoFar;

  @ApiProperty({ type: [StoryItem], description: 'The timeline, the newest event first: at most 200 events.' })
  items: StoryItem[];

  @ApiProperty({ description: 'Whether there are earlier events.', example: false })
  hasMore: boolean;

  @IntegerOrNull(
    'Usual duration of a test run from the push of its testing branch to its result, in milliseconds, as in getQueuePicture.',
    540_000,
  )
  expectedRunMs: number | null;

  @AnInstant('When the answer was read.')
  readAt: string;

  @ApiProperty({
    type: [PicturedPullRequest],
    description: 'Every pull request that occurs in this answer, by number.',
  })
  pullRequests: PicturedPullRequest[];
}
