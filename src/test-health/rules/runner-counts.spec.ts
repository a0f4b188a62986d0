import { type RunnerCounts, unusualCounts } from './runner-counts';

const pytest = (counts: Record<string, number>): RunnerCounts => ({ runner: 'pytest', counts });

describe('What a runner counts besides tests', () => {
  it.each([
    ['tests', { failed: 1, passed: 3, errors: 2, skipped: 1 }, [], []],
    ['what the runner never fails by', { xfailed: 3, rerun: 2 }, [], []],
    ['nothing', { warnings: 0 }, [], []],
    ['more than before', { warnings: 3 }, [[pytest({ warnings: 2 })]], ['warnings']],
    ['as many as a run that ended with 0', { warnings: 2 }, [[pytest({ warnings: 1 })], [pytest({ warnings: 2 })]], []],
    ['what only another runner had', { warnings: 2 }, [[{ runner: 'PHPUnit', counts: { warnings: 9 } }]], ['warnings']],
    [
      'what two commands of a run had together',
      { warnings: 3 },
      [[pytest({ warnings: 2 }), pytest({ warnings: 1 })]],
      [],
    ],
    ['a word that nobody knows', { smells: 1 }, [], ['smells']],
  ])('%s', (_what, counts, passed, names) => {
    expect(unusualCounts([pytest(counts)], passed).map(({ name }) => name)).toEqual(names);
  });
});
