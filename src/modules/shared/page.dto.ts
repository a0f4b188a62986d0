import { ApiProperty } from '@nestjs/swagger';
import { Check } from './check';
import { MayBeAbsent } from './presence';

const MAX_PAGE = 100;

export class PageQuery {
  @ApiProperty({
    type: 'integer',
    description: 'The maximum number of rows on a page.',
    minimum: 1,
    maximum: MAX_PAGE,
    example: 25,
  })
  @Check(
    'isPageSize',
    (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_PAGE,
    `must be an integer from 1 to ${MAX_PAGE}`,
  )
  page_size: number;

  @ApiProperty({
    description: 'A token from an earlier answer to the same request; absent or empty for the first page.',
    required: false,
    example: '',
  })
  @MayBeAbsent()
  @Check('isToken', (value) => typeof value === 'string', 'must be a string')
  page_token?: string;
}

/** Page tokens are opaque and valid only for the same request. An empty token means that there is no such page. */
export class Page {
  @ApiProperty({ type: 'integer', description: 'Rows on all pages together.', example: 0 })
  total_rows: number;

  @ApiProperty({ type: 'integer', description: 'Number of pages; 0 for an empty list.', example: 0 })
  total_pages: number;

  @ApiProperty({ description: 'Token of the next page, or empty.', example: '' })
  next_page_token: string;

  @ApiProperty({ description: 'Token of the previous page, or empty.', example: '' })
  prev_page_token: string;

  @ApiProperty({ description: 'Token of the last page, or empty for an empty list.', example: '' })
  last_page_token: string;

  @ApiProperty({ type: 'integer', description: 'Number of this page, counted from 0.', example: 0 })
  page_index: number;
}
