import type { Answer } from '../forge/answer';

/** The requested page of a list. A header names the number of the next page. */
export function pageOf({ query }: { readonly query: URLSearchParams }, rows: readonly unknown[]): Answer {
  const size = Math.min(100, Number(query.get('per_page')) || 20);
  const page = Math.max(1, Number(query.get('page')) || 1);
  const next = page * size < rows.length ? String(page + 1) : '';
  return { status: 200, body: rows.slice((page - 1) * size, page * size), headers: { 'x-next-page': next } };
}
