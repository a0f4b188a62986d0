import { sameChange, sameChanges } from './line';

const change = (entryId: string, head: string): Parameters<typeof sameChange>[0] => ({ entryId, number: 1, head });

describe('a change of the target', () => {
  it('is a pull request at a head: another head is another change', () => {
    expect(sameChange(change('a', '1'), change('a', '1'))).toBe(true);
    expect(sameChange(change('a', '1'), change('a', '2'))).toBe(false);
    expect(sameChange(change('a', '1'), change('b', '1'))).toBe(false);
  });

  it('has an order among others, and no others beside it', () => {
    const [one, two] = [change('a', '1'), change('b', '2')];
    expect(sameChanges([one, two], [one, two])).toBe(true);
    expect(sameChanges([one, two], [two, one])).toBe(false);
    expect(sameChanges([one], [one, two])).toBe(false);
  });
});
