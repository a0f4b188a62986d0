import { ApiProperty } from '@nestjs/swagger';
import { Check } from '../shared/check';
import { MayBeAbsent } from '../shared/presence';
import { QueueReference } from '../shared/queue-reference.dto';
import { RepositoryReference } from '../shared/repository-reference.dto';
import { Take } from '../shared/take';
import { AnInstant, AnInteger, IntegerOrNull } from './dto/fields';

export const MOST_DAYS = 366;
export const USUAL_DAYS = 28;
const A_DAY = { format: 'date', example: '2026-11-22' } as const;

/** `2026-11-22`; not `2026-02-30`. */
export function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^[12]\d{3}-\d\d-\d\d$/.test(value)) return false;
  const at = new Date(`${value}T00:00:00.000Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value);
}

export class GetQueueHistoryByDayRequest extends QueueReference {
  @Take({ most: MOST_DAYS, usual: USUAL_DAYS, what: 'days' })
  take?: number;

  @ApiProperty({ description: 'The last day, in UTC; absent: today.', required: false, ...A_DAY })
  @MayBeAbsent()
  @Check('isDay', isDay, 'must be a day such as 2026-11-22')
  until?: string;
}

/** The reason for pull requests that left the queue unmerged. */
export class CountedReason {
  @ApiProperty({
    description: 'The reason, as in the state of a pull request.',
    example: 'test_run_required_status_failed',
  })
  reason: string;

  @AnInteger('How many pull requests failed or were cancelled for this reason.', 3)
  count: number;
}

/** The results of a queue in a range of time. */
export class HistoryFigures {
  @AnInteger('How many pull requests merged.', 24)
  mergedCount: number;

  @AnInteger('How many pull requests failed. A pull request that fails twice counts twice.', 3)
  failedCount: number;

  @AnInteger('How many pull requests were cancelled: by a person, by a push, or because they never became ready.', 1)
  cancelledCount: number;

  @IntegerOrNull(
    'Time from the submission to the merge, in milliseconds, with an error of at most 5 %: half of the merged pull requests took at most this long. Null: no pull request merged.',
    1_080_000,
  )
  waitedP50Ms: number | null;

  @IntegerOrNull(
    'Time from the submission to the merge, in milliseconds: nine of ten merged pull requests took at most this long.',
    2_460_000,
  )
  waitedP90Ms: number | null;

  @AnInteger('How many test commits were pushed.', 16)
  runCount: number;

  @ApiProperty({
    type: Number,
    description: 'Tested commits per merged pull request. Null: no pull request merged.',
    nullable: true,
    example: 0.67,
  })
  runsPerMerged: number | null;

  @ApiProperty({
    type: [CountedReason],
    description: 'Reasons of failed and cancelled pull requests, the most frequent first.',
  })
  reasons: CountedReason[];

  @AnInteger('How many pull requests with a forecast merged or failed.', 20)
  etaCount: number;

  @IntegerOrNull(
    'For pull requests that had a forecast: the median time between their end and the p50 of their first forecast, early or late, in milliseconds. Null: no pull request had a forecast.',
    180_000,
  )
  etaErrorMs: number | null;

  @ApiProperty({
    type: Number,
    description:
      'For pull requests that had a forecast: the share (0…1) that ended between the low and the high of their first forecast. Null: no pull request had a forecast.',
    nullable: true,
    example: 0.9,
  })
  etaWithinShare: number | null;
}

export class HistoryDay extends HistoryFigures {
  @ApiProperty({ description: 'The day, in UTC.', ...A_DAY })
  day: string;
}

/** The results of a queue, day by day. */
export class QueueHistoryByDay {
  @ApiProperty({ type: RepositoryReference, description: 'The repository.' })
  repo: RepositoryReference;

  @ApiProperty({ description: 'Target branch of the queue.', example: 'main' })
  targetBranch: string;

  @AnInteger('Every decision of the queue raises the version, as in getEvents.', 1_204)
  version: number;

  @AnInstant('When the answer was read.')
  readAt: string;

  @ApiProperty({
    type: [HistoryDay],
    description: 'Every day, the oldest first. Days before the creation of the queue are absent.',
  })
  days: HistoryDay[];

  @ApiProperty({ type: HistoryFigures, description: 'Totals of all these days.' })
  total: HistoryFigures;

  @ApiProperty({
    type: HistoryFigures,
    description: 'Totals of the same number of days before them; null: the queue did not exist that long.',
    nullable: true,
  })
  before: HistoryFigures | null;

  @ApiProperty({ type: HistoryFigures, description: 'Totals of the seven days that end with the last day.' })
  lastWeek: HistoryFigures;
}
