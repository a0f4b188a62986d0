import { sameHead, sameHeads } from './line';

const change = (entryId: string, head: string): Parameters<typeof sameHead>[0] => ({ entryId, number: 1, head });

describe('a queued head', () => {
  it('is the same only if both its entry and its head are the same', () => {
    expect(sameHead(change('a', '1'), change('a', '1'))).toBe(true);
    expect(sameHead(change('a', '1'), change('a', '2'))).toBe(false);
    expect(sameHead(change('a', '1'), change('b', '1'))).toBe(false);
  });

  it('makes two lists equal only if both have the same heads in the same order', () => {
    const [one, two] = [change('a', '1'), change('b', '2')];
    expect(sameHeads([one, two], [one, two])).toBe(true);
    expect(sameHeads([one, two], [two, one])).toBe(false);
    expect(sameHeads([one], [one, two])).toBe(false);
  });
});
