import { type RunnerCounts, unusualCounts, withoutTriesOfFailed } from './runner-counts';

const pytest = (counts: Record<string, number>): RunnerCounts => ({ runner: 'pytest', counts });

describe('counts of a runner other than tests', () => {
  it.each([
    ['tests', { failed: 1, passed: 3, errors: 2, skipped: 1 }, [], []],
    ['counts by which the runner never fails', { xfailed: 3, xpassed: 2 }, [], []],
    ['nothing', { warnings: 0 }, [], []],
    ['more than before', { warnings: 3 }, [[pytest({ warnings: 2 })]], ['warnings']],
    ['as many as a run that ended with 0', { warnings: 2 }, [[pytest({ warnings: 1 })], [pytest({ warnings: 2 })]], []],
    [
      'a count that only another runner had',
      { warnings: 2 },
      [[{ runner: 'PHPUnit', counts: { warnings: 9 } }]],
      ['warnings'],
    ],
    ['the sum of two commands of a run', { warnings: 3 }, [[pytest({ warnings: 2 }), pytest({ warnings: 1 })]], []],
    ['tests that passed on a retry, where no run that ended with 0 had one', { rerun: 1 }, [[pytest({})]], ['rerun']],
    ['tests that passed on a retry, where a run that ended with 0 had one', { rerun: 5 }, [[pytest({ rerun: 1 })]], []],
    ['an unknown word', { smells: 1 }, [], ['smells']],
  ])('%s', (_what, counts, passed, names) => {
    expect(unusualCounts([pytest(counts)], passed).map(({ name }) => name)).toEqual(names);
  });
});

describe('attempts that pytest counts', () => {
  it.each([
    ['are left out where the test failed in the end', 2, { passed: 0, failed: 2 }, 0],
    ['stay where the test passed in the end', 1, { passed: 1, failed: 0 }, 1],
    ['are told apart in a run that has both', 3, { passed: 1, failed: 2 }, 1],
    ['stay where the report does not have them', 2, { passed: 0, failed: 0 }, 2],
    ['stay where two failed tests have one name', 1, { passed: 1, failed: 1 }, 1],
  ])('%s', (_what, rerun, extra, left) => {
    expect(withoutTriesOfFailed([pytest({ failed: 1, rerun })], extra)).toEqual([pytest({ failed: 1, rerun: left })]);
  });

  it('are left out only if the runner is pytest', () => {
    const counted = [{ runner: 'Surefire', counts: { rerun: 3 } }, pytest({ passed: 1 })];
    expect(withoutTriesOfFailed(counted, { passed: 0, failed: 3 })).toEqual(counted);
  });
});
