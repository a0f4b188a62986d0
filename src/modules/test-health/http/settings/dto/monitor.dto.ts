import { ApiProperty } from '@nestjs/swagger';
import { AnyCase } from '../../../../shared/any-case';
import { Check } from '../../../../shared/check';
import { isText, IsTrueOrFalse } from '../../../../shared/text';
import {
  CONSECUTIVE_FAILURES,
  MAX_WINDOW_DAYS,
  type Monitor,
  PASS_ON_RETRY,
  TRANSITIONS,
} from '../../../rules/settings';
import { FieldOf, isShare, isWithin, NumberOf, OptionalFieldOf } from './monitor-fields';
import { isMapping } from '../../../../../platform/mapping';

const TYPES = [PASS_ON_RETRY, CONSECUTIVE_FAILURES, TRANSITIONS, 'failure_rate', 'failure_count'] as const;
/** Types that need consecutive commits. The commits of pull requests are not consecutive. */
const BY_LINE: readonly string[] = [CONSECUTIVE_FAILURES, TRANSITIONS];
const BY_WINDOW = ['failure_rate', 'failure_count'] as const;
const VERDICTS = ['flaky', 'broken'];
const MAX_NAME = 64;
const MAX_PATTERN = 255;
const MAX_PATTERNS = 10;
const MAX_HOURS = 24 * MAX_WINDOW_DAYS;
const MAX_COUNT = 1_000_000;
/** The longest streak that the stored results can prove. */
const MAX_STREAK = 100;

/** A monitor watches every test of a repository. Each type has its own fields. */
export class MonitorSetting {
  @ApiProperty({
    description: 'The kind of failure that the monitor detects.',
    enum: [...TYPES],
    enumName: 'MonitorType',
    example: 'failure_rate',
  })
  @AnyCase(TYPES)
  type: Monitor['type'];

  @ApiProperty({
    description: `Name of the monitor, unique in the repository. The monitor of type ${PASS_ON_RETRY} is named after its type.`,
    maxLength: MAX_NAME,
    example: 'often on main',
  })
  @Check(
    'isMonitorName',
    isName,
    `must be a string of 1 to ${MAX_NAME} characters; ${PASS_ON_RETRY} is the name of the monitor of that type, and of no other`,
  )
  name: string;

  @ApiProperty({ description: 'Whether the monitor is on.', example: true })
  @IsTrueOrFalse()
  enabled: boolean;

  @NumberOf(
    { required: [PASS_ON_RETRY] },
    MAX_WINDOW_DAYS,
    'A test recovers after this number of days without a failure and a pass on the same commit.',
    7,
  )
  quiet_days?: number;

  @NumberOf({ required: BY_WINDOW }, MAX_HOURS, 'Time range that the monitor reads, in hours.', 24)
  window_hours?: number;

  @FieldOf(
    [CONSECUTIVE_FAILURES, TRANSITIONS, ...BY_WINDOW],
    {
      type: 'number',
      description:
        'The monitor is active at this value or more. failure_rate: the share of failed runs, above 0 and up to 1, with a confidence of 95 %. failure_count: a number of failures. consecutive_failures: a number of commits in a row; the test recovers after as many passes. transitions: the number of commits on which the test failed, each between two commits on which it passed.',
      example: 0.3,
    },
    isThreshold,
    `must be a share above 0 and up to 1 (failure_rate), an integer from 1 to ${MAX_COUNT} (failure_count), from 2 to ${MAX_STREAK} (consecutive_failures) or from 1 to ${MAX_STREAK} (transitions)`,
  )
  threshold?: number;

  @OptionalFieldOf(
    ['failure_rate'],
    { type: 'number', description: 'A test recovers below this share; absent: below the threshold.', example: 0.1 },
    (value, monitor) => isShare(value) && value <= ((monitor as MonitorSetting).threshold ?? 1),
    'must be a share above 0 and up to the threshold',
  )
  recover_below?: number;

  @FieldOf(
    [CONSECUTIVE_FAILURES],
    {
      type: 'integer',
      description:
        'The threshold for a test that failed often in the past. A test that failed sometimes gets a threshold between the two values.',
      example: 8,
    },
    (value, monitor) => isWithin(value, (monitor as MonitorSetting).threshold ?? 1, MAX_STREAK),
    `must be an integer from the threshold to ${MAX_STREAK}`,
  )
  flaky_threshold?: number;

  @NumberOf({ required: [TRANSITIONS] }, MAX_WINDOW_DAYS, 'Time range that the monitor reads, in days.', 30)
  window_days?: number;

  @NumberOf(
    { required: ['failure_rate', TRANSITIONS], optional: ['failure_count'] },
    MAX_COUNT,
    'The monitor needs at least this number of runs in its time range.',
    20,
  )
  minimum_runs?: number;

  @NumberOf(
    { optional: [PASS_ON_RETRY] },
    MAX_STREAK,
    'The number of such commits with which the monitor becomes active; absent: 1.',
    1,
  )
  minimum_commits?: number;

  @OptionalFieldOf(
    TYPES,
    {
      type: [String],
      description:
        'The branches whose results the monitor reads; empty or absent: every branch. Each entry is a name, in which `*` stands for any characters and `?` for one, or one of the classes queue (testing branches), pull_request and stable. Monitors of the types consecutive_failures and transitions never read results of pull requests.',
      example: ['main', 'release/*'],
    },
    isPatterns,
    `must be a list of at most ${MAX_PATTERNS} patterns of 1 to ${MAX_PATTERN} characters, without pull_request for ${BY_LINE.join(' and ')}`,
  )
  branches?: string[];

  @FieldOf(
    BY_WINDOW,
    {
      enum: VERDICTS,
      enumName: 'Verdict',
      description: 'The status of a test while the monitor is active on it.',
      example: 'flaky',
    },
    (value) => VERDICTS.includes(value as string),
    `must be one of: ${VERDICTS.join(', ')}`,
  )
  verdict?: 'flaky' | 'broken';
}

/** Whether the monitors have different names, and exactly one has the type pass_on_retry. */
export function areDistinctMonitors(monitors: unknown): boolean {
  if (!Array.isArray(monitors) || !monitors.every(isMapping)) return false;
  const names = monitors.map(({ name }) => name);
  return new Set(names).size === names.length && monitors.filter(({ type }) => type === PASS_ON_RETRY).length === 1;
}

function isName(value: unknown, monitor: object): boolean {
  return isText(value, MAX_NAME) && (value === PASS_ON_RETRY) === ((monitor as MonitorSetting).type === PASS_ON_RETRY);
}

function isThreshold(value: unknown, monitor: object): boolean {
  const { type } = monitor as MonitorSetting;
  if (type === 'failure_rate') return isShare(value);
  if (type === 'failure_count') return isWithin(value, 1, MAX_COUNT);
  // With a streak of 1, every single failure would make a test broken, and every pass would make it healthy again.
  return isWithin(value, type === CONSECUTIVE_FAILURES ? 2 : 1, MAX_STREAK);
}

function isPatterns(value: unknown, monitor: object): boolean {
  if (!Array.isArray(value) || value.length > MAX_PATTERNS) return false;
  if (BY_LINE.includes((monitor as MonitorSetting).type) && value.includes('pull_request')) return false;
  return value.every((one) => isText(one, MAX_PATTERN));
}
