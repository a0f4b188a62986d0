import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Check } from './check';
import { MayBeAbsent } from './presence';

interface TakeField {
  readonly least?: number;
  readonly most: number;
  /** The value if the field is absent. */
  readonly usual: number;
  /** The contents of a page: `queues`. */
  readonly what: string;
}

/** The field `take` of lists: the maximum length of a page. */
export function Take({ least = 1, most, usual, what }: TakeField): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: 'integer',
      minimum: least,
      maximum: most,
      description: `The most ${what} on a page; absent: ${usual}.`,
      required: false,
      example: usual,
    }),
    MayBeAbsent(),
    Check(
      'isTake',
      (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
      `must be an integer from ${least} to ${most}`,
    ),
  );
}
