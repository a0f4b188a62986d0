import { BEGINNING, type ListedPage } from '../../storage/queries/listed-page';
import { numberedPageInfo, openNumberedPage, openPage, pageInfo } from './paging';

const [A, B, C, D, E] = ['a', 'b', 'c', 'd', 'e'].map((digit) => `${digit.repeat(8)}-1111-5111-8111-111111111111`);
const EMPTY: ListedPage = { total: 0, start: 0, ids: [], idBefore: null, idBeforeLast: null };
/** Five rows, two on a page, make three pages. */
const FIRST: ListedPage = { total: 5, start: 0, ids: [A!, B!], idBefore: null, idBeforeLast: D! };
const SECOND: ListedPage = { total: 5, start: 2, ids: [C!, D!], idBefore: B!, idBeforeLast: D! };
const LAST: ListedPage = { total: 5, start: 4, ids: [E!], idBefore: D!, idBeforeLast: D! };

const open = (page_token = '', page_size = 2, filters = ['x']) => openPage({ page_size, page_token }, filters);
const infoOf = (page: ListedPage) => pageInfo(open(), page);

describe('A page', () => {
  it('of an empty list is the only page, without neighbours', () => {
    expect(infoOf(EMPTY)).toEqual({
      total_rows: 0,
      total_pages: 0,
      next_page_token: '',
      prev_page_token: '',
      last_page_token: '',
      page_index: 0,
    });
  });

  it('is counted from 0; the first page has no previous page, and the last page no next page', () => {
    const places = [FIRST, SECOND, LAST].map(infoOf);
    expect(places.map(({ page_index, total_pages }) => [page_index, total_pages])).toEqual([
      [0, 3],
      [1, 3],
      [2, 3],
    ]);
    expect(places.map(({ next_page_token }) => next_page_token !== '')).toEqual([true, true, false]);
    expect(places.map(({ prev_page_token }) => prev_page_token !== '')).toEqual([false, true, true]);
  });

  it('has tokens for the page after its last row, the page before its first row, and the last page', () => {
    const info = infoOf(SECOND);
    expect(open(info.next_page_token).position).toEqual({ side: 'after', id: D });
    expect(open(info.prev_page_token).position).toEqual({ side: 'before', id: B });
    expect(open(infoOf(FIRST).last_page_token).position).toEqual({ side: 'after', id: D });
  });

  it('has the token of the last page as its next token if it is the page before the last', () => {
    const info = infoOf(SECOND);
    expect(info.next_page_token).toBe(info.last_page_token);
    expect(infoOf(FIRST).last_page_token).toBe(info.last_page_token);
  });

  it('begins at the first row if there is no token, or if the token is from the only page', () => {
    expect(open().position).toEqual(BEGINNING);
    const only: ListedPage = { total: 1, start: 0, ids: [A!], idBefore: null, idBeforeLast: null };
    expect(open(infoOf(only).last_page_token).position).toEqual(BEGINNING);
  });

  it('without rows has the last page with rows as its previous page', () => {
    const info = infoOf({ total: 1, start: 1, ids: [], idBefore: A!, idBeforeLast: null });
    expect(info).toMatchObject({ page_index: 1, total_pages: 1, next_page_token: '' });
    expect(open(info.prev_page_token).position).toEqual({ side: 'before', id: A });
  });

  it('has the index of the last page if it has the last rows, even after rows were added or removed', () => {
    const info = infoOf({ total: 4, start: 3, ids: [E!], idBefore: D!, idBeforeLast: D! });
    expect(info).toMatchObject({ total_rows: 4, page_index: 2, total_pages: 3, next_page_token: '' });
    const before = infoOf({ total: 4, start: 0, ids: [A!], idBefore: null, idBeforeLast: C! });
    expect(before).toMatchObject({ page_index: 0, total_pages: 3, prev_page_token: '' });
  });

  it.each([
    ['other filters', 2, ['y']],
    ['another page size', 3, ['x']],
  ])('is refused for the token of a request with %s', (_what, size, filters) => {
    expect(() => open(infoOf(FIRST).last_page_token, size, filters)).toThrow('page_query.page_token');
  });

  it.each(['nonsense', 'MC4', '%', ' ', Buffer.from(`after.${BEGINNING.id}.0`).toString('base64url')])(
    'is refused for %j',
    (page_token) => expect(() => open(page_token)).toThrow('page_query.page_token'),
  );
});

describe('A page of a list whose order changes', () => {
  const at = (start: number, total = 5, size = 2) => numberedPageInfo({ start, size, question: 'q' }, total);

  it.each([
    [0, 0, 0, 0, ['', '', '']],
    [0, 2, 1, 0, ['', '', '0']],
    [0, 5, 3, 0, ['2', '', '4']],
    [2, 5, 3, 1, ['4', '0', '4']],
    [4, 5, 3, 2, ['', '2', '4']],
    [4, 4, 2, 2, ['', '2', '2']],
  ])(
    'that begins at row %i of %i is one of %i pages, with the index %i',
    (start, total, pages, index, [next, before, last]) => {
      const rowOf = (token: string) => Buffer.from(token, 'base64url').toString('latin1').split('.')[0];
      const { total_pages, page_index, next_page_token, prev_page_token, last_page_token } = at(start, total);
      expect([total_pages, page_index, ...[next_page_token, prev_page_token, last_page_token].map(rowOf)]).toEqual([
        ...[pages, index],
        ...[next, before, last],
      ]);
    },
  );

  it('is opened by its token only if the other fields of the request are the same', () => {
    const asked = (page_token: string, filters = ['x']) => openNumberedPage({ page_size: 2, page_token }, filters);
    const { next_page_token } = numberedPageInfo(asked(''), 5);
    expect(asked(next_page_token).start).toBe(2);
    expect(() => asked(next_page_token, ['y'])).toThrow('page_query.page_token');
    for (const nonsense of ['nonsense', Buffer.from('-1.q').toString('base64url')])
      expect(() => asked(nonsense)).toThrow('page_query.page_token');
  });
});
