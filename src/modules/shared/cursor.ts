import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Check } from './check';
import { MayBeAbsent } from './presence';
import { isUuid } from './text';

/** The form of a list's cursors. */
interface CursorField {
  readonly isCursor: (value: unknown) => value is string;
  readonly example: string;
  readonly format?: 'uuid';
}

/** The cursor is the id of the last row of a page. */
export const CURSOR_IS_ID: CursorField = {
  isCursor: isUuid,
  example: '5f0c8f9e-4c0a-4f4e-9a52-1f6d3c1b7a10',
  format: 'uuid',
};

/** The cursor is the running number of the last row of a page. */
export const CURSOR_IS_NUMBER: CursorField = { isCursor: isTextLike(/^[1-9]\d{0,17}$/), example: '9000000000' };

/** The field `cursor` of lists: the beginning of the page. */
export function Cursor({ isCursor, ...shown }: CursorField): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      description: 'The nextCursor of the page before; absent: the first page.',
      required: false,
      ...shown,
    }),
    MayBeAbsent(),
    Check('isCursor', isCursor, 'must be the nextCursor of an earlier answer'),
  );
}

export function isTextLike(pattern: RegExp): (value: unknown) => value is string {
  return (value): value is string => typeof value === 'string' && pattern.test(value);
}
