import { openPage, pageInfo } from './paging';

const FIRST = { page_size: 2 };

function pageAt(page_token: string, total: number) {
  return pageInfo(openPage({ page_size: 2, page_token }, ['x']), total);
}

describe('A page', () => {
  it('of an empty list is the only one and leads nowhere', () => {
    expect(pageInfo(openPage(FIRST, ['x']), 0)).toEqual({
      total_rows: 0,
      total_pages: 0,
      next_page_token: '',
      prev_page_token: '',
      last_page_token: '',
      page_index: 0,
    });
  });

  it('leads to its neighbours and to the last one by tokens', () => {
    const first = pageAt('', 5);
    expect(first).toMatchObject({ total_rows: 5, total_pages: 3, page_index: 0, prev_page_token: '' });
    const second = pageAt(first.next_page_token, 5);
    expect(second.page_index).toBe(1);
    expect(pageAt(second.prev_page_token, 5).page_index).toBe(0);
    const last = pageAt(second.last_page_token, 5);
    expect(last).toMatchObject({ page_index: 2, next_page_token: '' });
    expect(second.next_page_token).toBe(second.last_page_token);
  });

  it('that has no rows any more leads back to the last one that has', () => {
    const last = pageAt(pageAt('', 5).last_page_token, 1);
    expect(pageAt(last.prev_page_token, 1)).toMatchObject({ page_index: 0, total_pages: 1 });
  });

  it.each([
    ['other filters', { page_size: 2 }, ['y']],
    ['another page size', { page_size: 3 }, ['x']],
  ])('is not opened by the token of a question with %s', (_what, query, filters) => {
    const { last_page_token: page_token } = pageAt('', 5);
    expect(() => openPage({ ...query, page_token }, filters)).toThrow('page_query.page_token');
  });

  it.each(['nonsense', 'MC4', '%', ' '])('is not opened by %j', (page_token) => {
    expect(() => openPage({ page_size: 2, page_token }, ['x'])).toThrow('page_query.page_token');
  });
});
