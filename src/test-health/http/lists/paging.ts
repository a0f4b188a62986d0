import { createHash } from 'node:crypto';
import type { Page, PageQuery } from '../../../shared/dto/page.dto';
import { BEGINNING, type ListedPage, type ListPosition, type WantedPage } from '../../storage/queries/listed-page';
import { invalidField } from '../refusals';

/** A page of one list with one set of filters. */
export interface OpenPage extends WantedPage {
  /** A hash of list, filters and page size. Each token contains it, so that it is valid for this question only. */
  readonly question: string;
}

/** `filters`: everything that selects rows. Errors: VALIDATION_FAILED for a token of another question. */
export function openPage({ page_size, page_token }: PageQuery, filters: readonly unknown[]): OpenPage {
  const question = fingerprint([page_size, ...filters]);
  const position = page_token ? positionIn(page_token, question) : BEGINNING;
  return { position, size: page_size, question };
}

/**
 * Where a page stands, from its own place in the list as it is now. Rows come and go between two answers, so pages are counted
 * from here: those before, this one, and those behind.
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
  const message = 'must come from an answer of the same list with the same filters and page size';
  throw invalidField('page_query.page_token', message);
}

function fingerprint(values: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 32);
}
