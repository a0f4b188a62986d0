import { boundsOf, culpritIn, isPointless, likelihoodOf, nextPrefixes, type SearchState } from './culprit-search';

type Results = SearchState['results'];

const passed = (length: number): Results[number] => ({ length, verdict: 'passed' });
const failed = (length: number): Results[number] => ({ length, verdict: 'failed' });

/**
 * Bisects with this number of slots until the culprit at index `culprit` is known. In each round, every test is
 * finished before the next tests start.
 */
function search(size: number, slots: number, culprit: number): { found: number; runs: number; rounds: number } {
  const results: Results[number][] = [];
  for (let rounds = 0; rounds < 100; rounds++) {
    const found = culpritIn({ size, results });
    if (found !== null) return { found, runs: results.length, rounds };
    const lengths = nextPrefixes({ size, results }, [], slots);
    if (lengths.length === 0) throw new Error('nothing to test, and nobody found');
    results.push(...lengths.map((length) => (length > culprit ? failed(length) : passed(length))));
  }
  throw new Error('does not end');
}

describe('a bisection by prefixes', () => {
  it('tests no prefix that is known to fail, however likely its last entry is', () => {
    expect(nextPrefixes({ size: 3, results: [], priors: [1, 1, 98] }, [], 1)).toEqual([2]);
  });

  it('names a culprit only if it is likely enough (95 % at a flake rate of 5 %)', () => {
    const flaky = { size: 2, results: [], flakeRate: 0.05 };
    expect(culpritIn({ ...flaky, priors: [19, 1] })).toBe(0);
    expect(culpritIn({ ...flaky, priors: [18.9, 1.1] })).toBeNull();
  });

  it('finds every culprit, whatever the size of the batch and the slots', () => {
    for (let size = 2; size <= 32; size++)
      for (let slots = 1; slots <= 8; slots++)
        for (let culprit = 0; culprit < size; culprit++) expect(search(size, slots, culprit).found).toBe(culprit);
  });

  it.each([
    [8, 1, 3],
    [8, 3, 2],
    [8, 7, 1],
    [16, 3, 2],
    [32, 2, 4],
    [32, 5, 2],
  ])(
    'needs as many rounds as an even division of the suspects: %i entries, %i slots, %i rounds',
    (size, slots, rounds) => {
      const worst = Array.from({ length: size }, (_, culprit) => search(size, slots, culprit).rounds);
      expect(Math.max(...worst)).toBe(rounds);
    },
  );

  it.each([
    [4, 3, [1, 2, 3]],
    [8, 1, [4]],
    [8, 3, [2, 4, 6]],
    [5, 1, [3]],
    [10, 3, [3, 5, 8]],
    [3, 8, [1, 2]],
    [1, 4, []],
  ])('divides %i suspects evenly among %i slots', (size, slots, lengths) => {
    expect(nextPrefixes({ size, results: [] }, [], slots)).toEqual(lengths);
  });

  it('continues between the longest passed prefix and the shortest failed prefix behind it', () => {
    const results = [failed(2), passed(3), failed(9), failed(7)];
    expect(boundsOf({ size: 10, results })).toEqual({ passed: 3, failed: 7 });
    expect(nextPrefixes({ size: 10, results }, [], 1)).toEqual([5]);
    expect([3, 4, 6, 7, 8].map((length) => isPointless({ size: 10, results }, length))).toEqual([
      true,
      false,
      false,
      true,
      true,
    ]);
  });

  it('ignores a time-out', () => {
    expect(boundsOf({ size: 4, results: [{ length: 2, verdict: 'timed_out' }] })).toEqual({ passed: 0, failed: 4 });
  });

  it('uses a newly free slot in the middle of the widest gap', () => {
    expect(nextPrefixes({ size: 16, results: [passed(4)] }, [8, 14], 1)).toEqual([11]);
    expect(nextPrefixes({ size: 16, results: [] }, [4, 12], 2)).toEqual([2, 8]);
    expect(nextPrefixes({ size: 3, results: [] }, [1, 2], 4)).toEqual([]);
  });

  it('knows the culprit once one suspect is left, and not before', () => {
    expect(culpritIn({ size: 4, results: [passed(1), failed(2)] })).toBe(1);
    expect(culpritIn({ size: 4, results: [passed(3)] })).toBe(3);
    expect(culpritIn({ size: 4, results: [failed(1)] })).toBe(0);
    expect(culpritIn({ size: 4, results: [passed(1)] })).toBeNull();
  });

  it('first tests a prefix that divides the suspects by likelihood', () => {
    const priors = [1, 1, 1, 1, 1, 1, 1, 9];
    expect(nextPrefixes({ size: 8, results: [], priors }, [], 1)).toEqual([7]);
    expect(likelihoodOf({ size: 4, results: [failed(3)], priors: [1, 1, 2, 4] })).toEqual([0.25, 0.25, 0.5, 0]);
    expect(culpritIn({ size: 8, results: [], priors: [1, 1, 1, 1, 1, 1, 1, 1e6] })).toBeNull();
  });
});

describe('a bisection with flaky tests', () => {
  const flakeRate = 0.1;

  it('treats a failure as likely, not as certain', () => {
    expect(likelihoodOf({ size: 2, results: [failed(1)], flakeRate })).toEqual([1 / 1.1, 0.1 / 1.1]);
    expect(culpritIn({ size: 2, results: [failed(1)], flakeRate })).toBeNull();
  });

  it('becomes more certain of a culprit with every further failure', () => {
    expect(culpritIn({ size: 2, results: [failed(1), failed(1)], flakeRate })).toBe(0);
    expect(culpritIn({ size: 3, results: [passed(1), failed(2), failed(2)], flakeRate })).toBe(1);
  });

  it('rules out the entries of a passed prefix', () => {
    expect(likelihoodOf({ size: 3, results: [failed(1), passed(2)], flakeRate })).toEqual([0, 0, 1]);
    expect(culpritIn({ size: 3, results: [failed(1), passed(2)], flakeRate })).toBe(2);
  });
});
