import { ApiProperty } from '@nestjs/swagger';
import { AnyCase } from '../../../../shared/dto/any-case';
import { Check } from '../../../../shared/dto/check';
import { isText, IsTrueOrFalse } from '../../../../shared/dto/text';
import { MAX_WINDOW_DAYS, type Monitor, PASS_ON_RETRY } from '../../../rules/settings';
import { FieldOf, isShare, isWithin, OptionalFieldOf } from './monitor-fields';

const TYPES = [PASS_ON_RETRY, 'failure_rate', 'failure_count'] as const;
const BY_WINDOW = ['failure_rate', 'failure_count'] as const;
const VERDICTS = ['flaky', 'broken'];
const MAX_NAME = 64;
const MAX_PATTERN = 255;
const MAX_PATTERNS = 10;
const MAX_HOURS = 24 * MAX_WINDOW_DAYS;
const MAX_COUNT = 1_000_000;

/** A monitor watches every test of a repository. Each type has fields of its own. */
export class MonitorSetting {
  @ApiProperty({
    description: 'What it looks for.',
    enum: [...TYPES],
    enumName: 'MonitorType',
    example: 'failure_rate',
  })
  @AnyCase(TYPES)
  type: Monitor['type'];

  @ApiProperty({
    description: `Unique in the repository. The monitor of type ${PASS_ON_RETRY} is named like its type.`,
    maxLength: MAX_NAME,
    example: 'often on main',
  })
  @Check(
    'isMonitorName',
    isName,
    `must be a string of 1 to ${MAX_NAME} characters; ${PASS_ON_RETRY} is the name of the monitor of that type, and of no other`,
  )
  name: string;

  @ApiProperty({ description: 'Whether it is on.', example: true })
  @IsTrueOrFalse()
  enabled: boolean;

  @FieldOf(
    [PASS_ON_RETRY],
    {
      type: 'integer',
      description: 'A test recovers after so many days without a failure and a pass on one commit.',
      example: 7,
    },
    (value) => isWithin(value, 1, MAX_WINDOW_DAYS),
    `must be an integer from 1 to ${MAX_WINDOW_DAYS}`,
  )
  quiet_days?: number;

  @FieldOf(
    BY_WINDOW,
    { type: 'integer', description: 'How far back it looks, in hours.', example: 24 },
    (value) => isWithin(value, 1, MAX_HOURS),
    `must be an integer from 1 to ${MAX_HOURS}`,
  )
  window_hours?: number;

  @FieldOf(
    BY_WINDOW,
    {
      type: 'number',
      description:
        'It is active at this value or more: a share of the runs, above 0 and up to 1, or a number of failures.',
      example: 0.3,
    },
    (value, monitor) => (isRate(monitor) ? isShare(value) : isWithin(value, 1, MAX_COUNT)),
    `must be a share above 0 and up to 1 (failure_rate) or an integer from 1 to ${MAX_COUNT} (failure_count)`,
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
    ['failure_rate'],
    { type: 'integer', description: 'It becomes active only with so many runs in the window.', example: 20 },
    (value) => isWithin(value, 1, MAX_COUNT),
    `must be an integer from 1 to ${MAX_COUNT}`,
  )
  minimum_runs?: number;

  @FieldOf(
    BY_WINDOW,
    {
      type: [String],
      description:
        'The branches it looks at; empty: every branch. Names, in which `*` stands for any characters and `?` for one, and the classes queue (testing branches), pull_request and stable.',
      example: ['main', 'release/*'],
    },
    isPatterns,
    `must be a list of at most ${MAX_PATTERNS} patterns of 1 to ${MAX_PATTERN} characters`,
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

/** Whether the monitors have different names, exactly one of them of type pass_on_retry. */
export function areDistinctMonitors(monitors: unknown): boolean {
  if (!Array.isArray(monitors) || !monitors.every(isObject)) return false;
  const names = monitors.map(({ name }) => name);
  return new Set(names).size === names.length && monitors.filter(({ type }) => type === PASS_ON_RETRY).length === 1;
}

function isObject(value: unknown): value is Partial<MonitorSetting> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isName(value: unknown, monitor: object): boolean {
  return isText(value, MAX_NAME) && (value === PASS_ON_RETRY) === ((monitor as MonitorSetting).type === PASS_ON_RETRY);
}

function isRate(monitor: object): boolean {
  return (monitor as MonitorSetting).type === 'failure_rate';
}

function isPatterns(value: unknown): boolean {
  return Array.isArray(value) && value.length <= MAX_PATTERNS && value.every((one) => isText(one, MAX_PATTERN));
}
