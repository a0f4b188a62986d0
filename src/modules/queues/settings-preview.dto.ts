import { ApiProperty } from '@nestjs/swagger';
import { QUEUE_SETTINGS } from '../../domain/queue-settings';
import { RejectUnknownFields } from '../../platform/errors/reject-unknown-fields';
import { Check } from '../shared/check';
import { IsInstant } from '../shared/instant';
import { MayBeAbsent } from '../shared/presence';
import { QueueReference } from '../shared/queue-reference.dto';
import { withRequestedSettings } from './dto/setting-fields';

class StretchOfQueue extends QueueReference {
  @ApiProperty({
    description:
      'Pull requests submitted at this time or later count. The default is 30 days ago; a replay covers at most 92 days.',
    format: 'date-time',
    required: false,
    example: '2026-11-01T00:00:00Z',
  })
  @MayBeAbsent()
  @IsInstant()
  since?: string;
}

/** The settings to change in the replay; all other settings stay as they were. */
@RejectUnknownFields()
export class PreviewSettingsRequest extends withRequestedSettings(StretchOfQueue, QUEUE_SETTINGS) {}

export class QueueHistoryRequest extends StretchOfQueue {
  @ApiProperty({
    description: 'true: pull requests, commits, targets and statuses get new numbers, and time begins at 0.',
    required: false,
    example: true,
  })
  @MayBeAbsent()
  @Check('isTrueOrFalse', (value) => typeof value === 'boolean', 'must be true or false')
  anonymous?: boolean;
}

class TimeToMerge {
  @ApiProperty({ type: 'integer', description: 'Half of the merged pull requests took less.', example: 1240 })
  p50Seconds: number;

  @ApiProperty({ type: 'integer', description: 'Nine in ten merged pull requests took less.', example: 1768 })
  p90Seconds: number;

  @ApiProperty({ type: 'integer', description: 'Nineteen in twenty merged pull requests took less.', example: 2067 })
  p95Seconds: number;
}

export class PreviewedFigures {
  @ApiProperty({ type: 'integer', description: 'Pull requests that were merged.', example: 426 })
  merged: number;

  @ApiProperty({ type: 'integer', description: 'Pull requests that failed.', example: 62 })
  failed: number;

  @ApiProperty({ type: 'integer', description: 'Pull requests that were cancelled.', example: 20 })
  cancelled: number;

  @ApiProperty({
    type: TimeToMerge,
    nullable: true,
    description: 'Time from the submission to the merge; null when nothing was merged.',
  })
  timeToMerge: TimeToMerge | null;

  @ApiProperty({ type: 'integer', description: 'Test runs that began.', example: 506 })
  testRuns: number;

  @ApiProperty({ type: 'integer', description: 'Minutes of all test runs together.', example: 9924 })
  testMinutes: number;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Test runs for each merged pull request; null when nothing was merged.',
    example: 1.19,
  })
  testRunsPerMerged: number | null;

  @ApiProperty({
    type: 'integer',
    description: 'Pull requests that failed wrongly: the same commit was merged in the end, or passed alone.',
    example: 6,
  })
  failedWrongly: number;
}

class GroundsOfTests {
  @ApiProperty({
    type: 'integer',
    description: 'Tests of trees that were also tested in the history; they get the results of the history.',
    example: 310,
  })
  tested: number;

  @ApiProperty({
    type: 'integer',
    description:
      'Tests that fail because the tree contains a failure of the history, because CI had an outage then, or as flaky as tests were then.',
    example: 40,
  })
  concluded: number;

  @ApiProperty({
    type: 'integer',
    description: 'Tests of trees that were never tested; they are assumed to pass, because their parts passed.',
    example: 55,
  })
  assumed: number;
}

class ReproducedEnds {
  @ApiProperty({
    type: 'integer',
    description: 'Pull requests that end in the replay as they did in the history, within a minute.',
    example: 508,
  })
  same: number;

  @ApiProperty({ type: 'integer', description: 'Pull requests that ended.', example: 508 })
  of: number;
}

export class SettingsPreviewRecord {
  @ApiProperty({
    format: 'date-time',
    description: 'Pull requests submitted at this time or later count.',
    example: '2026-11-01T00:00:00.000Z',
  })
  since: string;

  @ApiProperty({
    format: 'date-time',
    description: 'The history was replayed up to this time.',
    example: '2026-11-22T12:00:00.000Z',
  })
  until: string;

  @ApiProperty({ description: 'The figures of the stored history.' })
  asItWas: PreviewedFigures;

  @ApiProperty({ description: 'The figures of a replay with the settings that were in force.' })
  asItIs: PreviewedFigures;

  @ApiProperty({ description: 'The figures of a replay with the settings of the request.' })
  asItWouldBe: PreviewedFigures;

  @ApiProperty({ description: 'The source of the test results in asItWouldBe.' })
  tests: GroundsOfTests;

  @ApiProperty({ description: 'How well asItIs agrees with the history.' })
  reproduced: ReproducedEnds;

  @ApiProperty({ type: [String], description: 'Sentences about data that the figures leave out.', example: [] })
  leftOut: readonly string[];
}

export class QueueHistoryRecord {
  @ApiProperty({ type: 'integer', description: 'Version of the history format.', example: 1 })
  version: number;
}
