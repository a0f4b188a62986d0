import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Check } from '../../shared/check';
import { Cursor, CURSOR_IS_NUMBER } from '../../shared/cursor';
import { isInstant } from '../../shared/instant';
import { MayBeAbsent } from '../../shared/presence';

const MAX_TAKE = 100;
export const DEFAULT_TAKE = 50;
const IS_INSTANT = 'must be a date and time of RFC 3339, such as 2026-11-21T12:00:00Z';

export class AuditQuery {
  @ApiProperty({
    description: 'Only changes at this time or later.',
    required: false,
    format: 'date-time',
    example: '2026-11-01T00:00:00Z',
  })
  @MayBeAbsent()
  @Check('isInstant', isInstant, IS_INSTANT)
  since?: string;

  @ApiProperty({
    description: 'Only changes before this time.',
    required: false,
    format: 'date-time',
    example: '2099-12-01T00:00:00Z',
  })
  @MayBeAbsent()
  @Check('isInstant', isInstant, IS_INSTANT)
  until?: string;

  @Cursor(CURSOR_IS_NUMBER)
  cursor?: string;

  @ApiProperty({
    type: 'integer',
    description: 'The maximum number of changes in the answer.',
    required: false,
    minimum: 1,
    maximum: MAX_TAKE,
    default: DEFAULT_TAKE,
    example: DEFAULT_TAKE,
  })
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : value,
  )
  @MayBeAbsent()
  @Check(
    'isTake',
    (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_TAKE,
    `must be an integer from 1 to ${MAX_TAKE}`,
  )
  take?: number;
}

export class AuditItem {
  @ApiProperty({ description: 'Later changes have higher numbers.', example: '42' })
  id: string;

  @ApiProperty({ description: 'When.', format: 'date-time', example: '2026-11-21T12:00:00.000Z' })
  at: string;

  @ApiProperty({
    description: 'The author of the change: the name of a token, a login, or a user of the service machine.',
    example: 'ops',
  })
  actor: string;

  @ApiProperty({
    description: 'How. mcp: an agent, according to the calling program.',
    enum: ['api', 'page', 'mcp', 'command_line', 'service'],
    example: 'api',
  })
  channel: string;

  @ApiProperty({
    description: 'Address of the client; null on the service machine.',
    type: String,
    nullable: true,
    example: '192.0.2.7',
  })
  address: string | null;

  @ApiProperty({ description: 'The action.', example: 'queue.updated' })
  action: string;

  @ApiProperty({ description: 'The object of the action.', example: 'local/demo/widgets main' })
  subject: string;

  @ApiProperty({
    description: 'The value before the change; null: the object did not exist.',
    type: 'object',
    additionalProperties: true,
    nullable: true,
    example: { concurrency: 1 },
  })
  from: object | null;

  @ApiProperty({
    description: 'The value after the change; null: the object was deleted.',
    type: 'object',
    additionalProperties: true,
    nullable: true,
    example: { concurrency: 2 },
  })
  to: object | null;
}

export class AuditAnswer {
  @ApiProperty({ description: 'The changes, the newest first.', type: [AuditItem] })
  items: AuditItem[];

  @ApiProperty({
    description: 'Cursor of the next page; null: this is the last page.',
    type: String,
    nullable: true,
    example: null,
  })
  nextCursor: string | null;
}
