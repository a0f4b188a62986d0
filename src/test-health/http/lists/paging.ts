import { createHash } from 'node:crypto';
import type { Page, PageQuery } from '../../../shared/dto/page.dto';
import { invalidField } from '../refusals';

/** A page of one list with one set of filters. */
export interface OpenPage {
  readonly index: number;
  readonly size: number;
  /** A hash of list, filters and page size. Each token contains it, so that it is valid for this question only. */
  readonly question: string;
}

/** `filters`: everything that selects rows. Errors: VALIDATION_FAILED for a token of another question. */
export function openPage({ page_size, page_token }: PageQuery, filters: readonly unknown[]): OpenPage {
  const question = fingerprint([page_size, ...filters]);
  const index = page_token ? indexIn(page_token, question) : 0;
  return { index, size: page_size, question };
}

export function pageInfo({ index, size, question }: OpenPage, totalRows: number): Page {
  const totalPages = Math.ceil(totalRows / size);
  const tokenOf = (page: number) => (page >= 0 && page < totalPages ? token(page, question) : '');
  return {
    total_rows: totalRows,
    total_pages: totalPages,
    next_page_token: tokenOf(index + 1),
    // Rows may have gone since the token was made. Then the last page is the one before this.
    prev_page_token: tokenOf(Math.min(index, totalPages) - 1),
    last_page_token: tokenOf(totalPages - 1),
    page_index: index,
  };
}

function token(index: number, question: string): string {
  return Buffer.from(`${index}.${question}`).toString('base64url');
}

function indexIn(given: string, question: string): number {
  const [, index, asked] = /^(\d{1,9})\.([0-9a-f]+)$/.exec(Buffer.from(given, 'base64url').toString('latin1')) ?? [];
  if (index !== undefined && asked === question) return Number(index);
  const message = 'must come from an answer of the same list with the same filters and page size';
  throw invalidField('page_query.page_token', message);
}

function fingerprint(values: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 32);
}
