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

  @ACommit("The target's commit that it was built on.")
  baseSha: string;

  @Numbers('Pull requests between its base and its own, in order: the last 100 of them.', [])
  builtOn: number[];

  @AnInteger('How many these are.', 0)
  builtOnCount: number;

  @Numbers('Pull requests that it tested, in order.')
  members: number[];

  @CommitOrNull('The commit that was tested; null when none was made.')
  testBranchSha: string | null;
}

export class StoryItem {
  @AnInstant('When.')
  at: string;

  @AnInteger('Number of the attempt: every submission after a conclusion starts another one.', 1)
  attempt: number;

  @ApiProperty({
    type: String,
    description: 'The state that it came into; null: it stayed in its state.',
    enum: [...ENTRY_STATES],
    enumName: 'PullRequestState',
    nullable: true,
    example: 'testing',
  })
  state: EntryState | null;

  @TextOrNull('Why, as a word of the interface.', null)
  reason: string | null;

  @ApiProperty({ description: 'The event in one sentence.', example: 'Run 318 began to test it on 3f2a1c0d.' })
  sentence: string;

  @TextOrNull('The token or login that caused it; null: the queue itself.', null)
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

  @Numbers('Pull requests that are the cause: they failed or left while it was tested with them.', [])
  becauseOf: number[];

  @ApiProperty({ type: StoryRun, description: 'The test run that it is about; null: none.', nullable: true })
  run: StoryRun | null;

  @ApiProperty({ type: RunEvidence, description: 'The failures of that run; null: none.', nullable: true })
  evidence: RunEvidence | null;
}

export class LostTime {
  @AnInteger('How long, in milliseconds.', 180_000)
  ms: number;

  @TextOrNull('Why, as a word of the interface.', 'prerequisite_merge_item_failed')
  reason: string | null;

  @Numbers('Pull requests that are the cause; empty: none is known.', [2])
  becauseOf: number[];

  @AnInteger('Number of the run that was in vain.', 317)
  runNumber: number;
}

/** The time of an attempt by phase, in milliseconds. The five phases add up to the time since submission. */
export class TimeSoFar {
  @AnInteger('It was not ready.', 0)
  notReadyMs: number;

  @AnInteger('It waited for a test.', 60_000)
  waitingMs: number;

  @AnInteger('It was tested, and that counted.', 540_000)
  testedMs: number;

  @AnInteger('It was tested in vain.', 180_000)
  lostMs: number;

  @AnInteger('It had its result, and waited for others or to be merged.', 20_000)
  decidedMs: number;

  @ApiProperty({ type: [LostTime], description: 'Each wasted test, the oldest first.' })
  lost: LostTime[];
}

/** The history of a pull request in a queue. */
export class PullRequestStory {
  @AnInteger('Of its queue: raised by every decision, as in getEvents.', 1_204)
  version: number;

  @ApiProperty({ type: PicturedPullRequest, description: 'The pull request.' })
  pullRequest: PicturedPullRequest;

  @AnInteger('Number of its last attempt.', 1)
  attempt: number;

  @AnInstant('When that was submitted.')
  submittedAt: string;

  @InstantOrNull('When it concluded; null: it has not.')
  concludedAt: string | null;

  @TextOrNull('What it waits for; null once it has concluded.', null)
  waitingFor: string | null;

  @TextOrNull('What concluded it: the cause, then the way out; null: nothing has, or the queue merged it.', null)
  message: string | null;

  @ApiProperty({
    type: String,
    description:
      'How far the test run of its state is, as in getQueuePicture; null: its state has none, or that has ended. With scheduling flow, a passed pull request stays in the state testing until its merge starts.',
    enum: [...RUN_PHASES],
    enumName: 'RunPhase',
    nullable: true,
    example: 'testing',
  })
  runPhase: RunPhase | null;

  @ACommit('Its head that the queue has.')
  headSha: string;

  @IntegerOrNull('Number of the signed statement about its merge; null: not merged, or not signed yet.', 12)
  statement: number | null;

  @ApiProperty({
    type: RunPicture,
    description: 'The test run of its state, while that goes on, with its required statuses; null: there is none.',
    nullable: true,
  })
  run: RunPicture | null;

  @ApiProperty({ type: TimeSoFar, description: 'The time of its last attempt, by activity.' })
  time: TimeSoFar;

  @ApiProperty({ type: [StoryItem], description: 'Its timeline, the newest event first: at most 200.' })
  items: StoryItem[];

  @ApiProperty({ description: 'Whether there was more before that.', example: false })
  hasMore: boolean;

  @IntegerOrNull('From the push of a testing branch to its result, in milliseconds: as in getQueuePicture.', 540_000)
  expectedRunMs: number | null;

  @AnInstant('When it was read.')
  readAt: string;

  @ApiProperty({
    type: [PicturedPullRequest],
    description: 'Every pull request that occurs in this answer, by number.',
  })
  pullRequests: PicturedPullRequest[];
}
