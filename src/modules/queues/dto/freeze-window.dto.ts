import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { isTimeZone, WEEKDAYS } from '../../../domain/freeze-windows';
import { Check } from '../../shared/check';
import { MayBeAbsentOrNull } from '../../shared/presence';
import { HIGHEST_PRIORITY } from '../../../domain/priority';

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

export class FreezeWindowField {
  @ApiProperty({
    description: 'Days on which the freeze begins, at least one.',
    enum: [...WEEKDAYS],
    enumName: 'Weekday',
    isArray: true,
    example: ['friday'],
  })
  @Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(lowerCase) : value))
  @Check('areDays', areDays, `must be a list of at least one of: ${WEEKDAYS.join(', ')}`)
  days: string[];

  @ApiProperty({ description: 'Time of day at which the freeze begins, as HH:MM.', example: '16:00' })
  @Check(
    'isTimeOfDay',
    (value) => typeof value === 'string' && TIME.test(value),
    'must be a time of day from 00:00 to 23:59',
  )
  from: string;

  @ApiProperty({
    description:
      'Time of day at which the freeze ends, as HH:MM, up to 24:00. A time before `from` is on the next day.',
    example: '24:00',
  })
  @Check(
    'isEnd',
    (value, window) => isEnd(value) && value !== (window as FreezeWindowField).from,
    'must be a time of day from 00:00 to 24:00, other than from; 00:00 to 24:00 is a whole day',
  )
  to: string;

  @ApiProperty({ description: 'Time zone of these times, by its IANA name.', example: 'Europe/Berlin' })
  @Check(
    'isTimeZone',
    (value) => typeof value === 'string' && isTimeZone(value),
    'must be the IANA name of a time zone, as Europe/Berlin',
  )
  timeZone: string;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    description:
      'Pull requests with this priority or a better one (a lower number) still merge. Null or absent: no pull request merges.',
    minimum: 0,
    maximum: HIGHEST_PRIORITY,
    nullable: true,
    required: false,
    example: 0,
  })
  @MayBeAbsentOrNull()
  @Check(
    'isPriorityNumber',
    (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= HIGHEST_PRIORITY,
    `must be an integer from 0 to ${HIGHEST_PRIORITY}, or null`,
  )
  exceptPriorityAtMost: number | null;
}

function lowerCase(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

function areDays(value: unknown): boolean {
  const known: readonly unknown[] = WEEKDAYS;
  return Array.isArray(value) && value.length > 0 && value.length <= 7 && value.every((day) => known.includes(day));
}

function isEnd(value: unknown): boolean {
  return typeof value === 'string' && (TIME.test(value) || value === '24:00');
}
