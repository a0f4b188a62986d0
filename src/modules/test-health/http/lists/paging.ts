import { createHash } from 'node:crypto';
import type { Page, PageQuery } from '../../../shared/page.dto';
import { BEGINNING, type ListedPage, type ListPosition, type WantedPage } from '../../storage/queries/listed-page';
import { invalidField } from '../refusals';

/** A page of one list with one set of filters. */
export interface OpenPage extends WantedPage {
  /**
   * A hash of list, filters and page size. Each token contains the hash, so a token is valid for the same request only.
   */
  readonly question: string;
}

/** `filters`: all values of the request that select rows. Errors: VALIDATION_FAILED for a token of another request. */
export function openPage({ page_size, page_token }: PageQuery, filters: readonly unknown[]): OpenPage {
  const question = fingerprint([page_size, ...filters]);
  const position = page_token ? positionIn(page_token, question) : BEGINNING;
  return { position, size: page_size, question };
}

/**
 * The position of a page, by its rows in the current list. The list may change between two answers, so the number of
 * pages is the pages before this page, this page, and the pages after it.
 */
export function pageInfo({ size, question }: OpenPage, page: ListedPage): Page {
  const { total, start, ids, idBefore, idBeforeLast } = page;
  const end = start + ids.length;
  const index = Math.ceil(start / size);
  const tokenOf = (side: ListPosition['side'], id = BEGINNING.id) => token({ side, id }, question);
  return {
    total_rows: total,
    total_pages: index + (ids.length > 0 ? 1 : 0) + Math.ceil((total - end) / size),
    next_page_token: end < total ? tokenOf('after', ids.at(-1)) : '',
    prev_page_token: idBefore === null ? '' : tokenOf('before', idBefore),
    last_page_token: total === 0 ? '' : tokenOf('after', idBeforeLast ?? undefined),
    page_index: index,
  };
}

function token({ side, id }: ListPosition, question: string): string {
  return Buffer.from(`${side}.${id}.${question}`).toString('base64url');
}

const TOKEN = /^(after|before)\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([0-9a-f]+)$/;

function positionIn(given: string, question: string): ListPosition {
  const [, side, id, asked] = TOKEN.exec(Buffer.from(given, 'base64url').toString('latin1')) ?? [];
  if (id !== undefined && asked === question) return { side: side as ListPosition['side'], id };
  throw foreignToken();
}

function foreignToken(): Error {
  const message = 'must come from an answer of the same list with the same filters and page size';
  return invalidField('page_query.page_token', message);
}

/** A page of a list whose order changes, identified by the number of rows before it. */
export interface NumberedPage {
  readonly start: number;
  readonly size: number;
  /** A hash of list, filters and page size, as in `OpenPage`. */
  readonly question: string;
}

/** Like `openPage`, for a list whose order changes. */
export function openNumberedPage({ page_size, page_token }: PageQuery, filters: readonly unknown[]): NumberedPage {
  const question = fingerprint([page_size, ...filters]);
  if (!page_token) return { start: 0, size: page_size, question };
  const [, start, asked] = NUMBERED.exec(Buffer.from(page_token, 'base64url').toString('latin1')) ?? [];
  if (start === undefined || asked !== question) throw foreignToken();
  return { start: Number(start), size: page_size, question };
}

const NUMBERED = /^(\d{1,9})\.([0-9a-f]+)$/;

/** The position of the page in a list of `total` rows. Pages begin at multiples of their size. */
export function numberedPageInfo({ start, size, question }: NumberedPage, total: number): Page {
  const tokenAt = (row: number) => Buffer.from(`${row}.${question}`).toString('base64url');
  return {
    total_rows: total,
    total_pages: Math.ceil(total / size),
    next_page_token: start + size < total ? tokenAt(start + size) : '',
    prev_page_token: start > 0 ? tokenAt(Math.max(0, start - size)) : '',
    last_page_token: total === 0 ? '' : tokenAt(Math.floor((total - 1) / size) * size),
    page_index: Math.floor(start / size),
  };
}

function fingerprint(values: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 32);
}
