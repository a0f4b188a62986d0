import { ApiProperty } from '@nestjs/swagger';
import { ExpectedEnd } from '../shared/expected-end.dto';
import { ENTRY_STATES, type EntryState, type Mergeability } from '../../engine/vocabulary';

const MERGEABILITIES = ['unspecified', 'in_progress', 'mergeable', 'not_mergeable'];
const INSTANT = { format: 'date-time', example: '2026-11-20T09:30:00.000Z' } as const;
const TEST_RUN = { format: 'uuid', example: 'c0a8012e-7b1f-5d7a-9c3e-2f4b6d8e0a1c' } as const;

/** Tests start when the base matches, the host says mergeable, and required targets are known. */
class Readiness {
  @ApiProperty({
    description: 'Whether the test needs the impacted targets first, as in parallel mode.',
    example: false,
  })
  requiresImpactedTargets: boolean;

  @ApiProperty({
    description: 'Whether impacted targets were uploaded or computed for the present head.',
    example: false,
  })
  hasImpactedTargets: boolean;

  @ApiProperty({ description: "Whether the base branch of the pull request is the queue's branch.", example: true })
  doesBaseBranchMatch: boolean;

  @ApiProperty({
    description: 'Whether the pull request can be merged into the target; a draft cannot.',
    enum: MERGEABILITIES,
    enumName: 'Mergeability',
    example: 'mergeable',
  })
  hostMergeability: Mergeability;

  @ApiProperty({
    description: 'The value of `hostMergeability`, under the name that existing clients read.',
    enum: MERGEABILITIES,
    enumName: 'Mergeability',
    example: 'mergeable',
  })
  gitHubMergeability: Mergeability;

  @ApiProperty({
    description:
      'Numbers of the pull requests that this one contains or depends on, and that keep it from being ready. Those pull requests failed, were removed, are not ready, or were never submitted to this queue.',
    type: [Number],
    example: [],
  })
  unmetDependencies: readonly number[];
}

/** The impacted targets of a head, and their source. */
export class KnownTargets {
  @ApiProperty({
    description:
      'uploaded: sent for the head. computed: from `targets` of the configuration file on the target branch.',
    enum: ['uploaded', 'computed'],
    enumName: 'TargetsSource',
    example: 'computed',
  })
  source: 'uploaded' | 'computed';

  @ApiProperty({
    description:
      'Whether the pull request impacts every target. Also true while targets are computed again because the configuration file has changed.',
    example: false,
  })
  impactsAll: boolean;

  @ApiProperty({ type: 'integer', description: 'How many targets the pull request impacts.', example: 1 })
  targetCount: number;

  @ApiProperty({ type: [String], description: 'Names of the first 20 targets.', example: ['web'] })
  targets: string[];
}

/** One transition of a pull request in the queue. */
export class TimelineItem {
  @ApiProperty({
    description: 'The state after the transition.',
    enum: [...ENTRY_STATES],
    enumName: 'PullRequestState',
    example: 'pending',
  })
  state: EntryState;

  @ApiProperty({
    type: String,
    description: 'Why the pull request came into that state; null if the test run has the reason.',
    nullable: true,
    example: 'merge_item_now_ready',
  })
  reason: string | null;

  @ApiProperty({ description: 'When.', ...INSTANT })
  timestamp: string;

  @ApiProperty({
    type: String,
    description: 'The token or person who caused the transition; null: the queue itself.',
    nullable: true,
    example: 'demo',
  })
  actor: string | null;

  @ApiProperty({
    type: 'integer',
    description: 'Number of the attempt: every submission after a conclusion starts another attempt.',
    example: 1,
  })
  attempt: number;

  @ApiProperty({ type: String, description: 'The test run of the transition, or null.', nullable: true, ...TEST_RUN })
  testRunId: string | null;
}

/** The record of a pull request in a queue. The record stays after the pull request has concluded. */
export class SubmittedPullRequest {
  @ApiProperty({
    description: "Id of the pull request's entry in this queue; kept when it is submitted again.",
    format: 'uuid',
    example: '5f0c8f9e-4c0a-4f4e-9a52-1f6d3c1b7a10',
  })
  id: string;

  @ApiProperty({
    description: 'State of the pull request in this queue.',
    enum: [...ENTRY_STATES],
    enumName: 'PullRequestState',
    example: 'testing',
  })
  state: EntryState;

  @ApiProperty({
    type: String,
    description: 'Why the pull request is in that state; null if the test run has the reason.',
    nullable: true,
    example: 'merge_item_now_ready',
  })
  stateReason: string | null;

  @ApiProperty({
    type: String,
    description:
      'Why the pull request concluded: the message of the code host, conflicting files, or failed statuses with their links. Null: the pull request has not concluded, or the queue merged it.',
    nullable: true,
    example: null,
  })
  stateMessage: string | null;

  @ApiProperty({ description: 'When the pull request came into that state.', ...INSTANT })
  stateChangedAt: string;

  @ApiProperty({
    type: ExpectedEnd,
    description:
      'When the pull request is expected to merge or fail, which is never in a freeze window. Null after the pull request has concluded, while the queue does not run, and until 30 comparable pull requests are known.',
    nullable: true,
  })
  eta: ExpectedEnd | null;

  @ApiProperty({
    type: String,
    description: 'A sentence: why the pull request waits, and what would change that; null when it does not wait.',
    nullable: true,
    example: 'required status `tests` has not reported on 3f2a1c0d for 2 minutes',
  })
  waitingFor: string | null;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    description: 'Priority; lower numbers are tested first.',
    example: 100,
  })
  priorityValue: number;

  @ApiProperty({ description: 'Name of the priority: urgent, high, medium, low or custom.', example: 'medium' })
  priorityName: string;

  @ApiProperty({ description: 'medium when the submission named no priority, else empty.', example: 'medium' })
  usedDefaultPriorityName: string;

  @ApiProperty({ description: 'Whether the pull request is urgent: tested at once (priority 0).', example: false })
  skipTheLine: boolean;

  @ApiProperty({ description: 'Always false: Sluice has no forced submissions.', example: false })
  forceEnqueued: boolean;

  @ApiProperty({ description: 'Whether the pull request is tested alone, never in a batch.', example: false })
  noBatch: boolean;

  @ApiProperty({ description: 'Whether the pull request is a dry run: tested, but not merged.', example: false })
  dryRun: boolean;

  @ApiProperty({
    description: 'Whether the pull request has not concluded: it is neither merged, failed nor cancelled.',
    example: true,
  })
  isCurrentlySubmittedToQueue: boolean;

  @ApiProperty({
    type: String,
    description: 'Id of the passed test run that allows the pull request to merge; null: there is none.',
    nullable: true,
    ...TEST_RUN,
  })
  verifiedByTestRun: string | null;

  @ApiProperty({ type: 'integer', description: 'Number of the pull request.', example: 1 })
  prNumber: number;

  @ApiProperty({ description: 'Title of the pull request.', example: 'Add the first widget' })
  prTitle: string;

  @ApiProperty({ description: 'Head commit of this attempt.', example: '3f2a1c0d9e8b7a6f5e4d3c2b1a0f9e8d7c6b5a49' })
  prSha: string;

  @ApiProperty({ description: 'Base branch of the pull request.', example: 'main' })
  prBaseBranch: string;

  @ApiProperty({ description: 'Author of the pull request.', example: 'Ada' })
  prAuthor: string;

  @ApiProperty({ type: Readiness, description: 'Conditions that must hold before the pull request can be tested.' })
  readiness: Readiness;

  @ApiProperty({
    type: KnownTargets,
    description: 'Impacted targets of the pull request; null: none are known.',
    nullable: true,
  })
  impactedTargets: KnownTargets | null;

  @ApiProperty({
    type: [Number],
    description:
      'Only in a stack of the code host: numbers of the unmerged pull requests below it, the lowest first. Those pull requests are submitted and merged together with this one.',
    required: false,
    example: [7, 8],
  })
  stackedOn?: number[];

  @ApiProperty({
    type: [TimelineItem],
    description: 'Every transition, newest first; only with includeTimeline.',
    required: false,
  })
  timeline?: TimelineItem[];
}
