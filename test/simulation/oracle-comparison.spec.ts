import { describeDifference } from './oracle/comparison';
import { type DayKind, drawDay } from './oracle/days';
import { Dice } from './oracle/random';

const LINE: DayKind = {
  mode: 'single',
  modeSwitches: 'none',
  mostPullRequests: 8,
  settings: { batch: false, pendingFailureDepth: 0, canOptimisticallyMerge: false },
};
const LANES: DayKind = { mode: 'parallel', modeSwitches: 'none', mostPullRequests: 8 };

/**
 * After every deed, both must have the same target, the same test runs on the same bases, and the same state of every
 * pull request.
 */
describe('the engine and the oracle', () => {
  it.each<[string, DayKind]>([
    ['in single mode', LINE],
    [
      'in single mode where one pull request repairs another, and CI is flaky',
      { ...LINE, mending: 'some', flakes: 'some' },
    ],
    ['in single mode with failure depth and optimistic merging', { ...LINE, settings: { batch: false } }],
    ['in single mode with batches', { ...LINE, settings: { batch: true }, flakes: 'some' }],
    ['in parallel mode', { ...LANES, settings: { batch: false } }],
    [
      'in parallel mode with optimistic merging, where one pull request repairs another',
      { ...LANES, mending: 'some', settings: { batch: false, canOptimisticallyMerge: true } },
    ],
    ['in parallel mode with batches', { ...LANES, settings: { batch: true }, flakes: 'some' }],
    ['of any kind', { mostPullRequests: 8, flakes: 'some', mending: 'some' }],
  ])('decide the same on days %s', (_, kind) => {
    for (let seed = 1; seed <= 60; seed++) expect(describeDifference(drawDay(new Dice(seed), kind))).toBeNull();
  });
});
