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
 * After every deed both have the same target, the same test runs on the same bases, and the same state of every pull
 * request.
 */
describe('the engine and the oracle', () => {
  it.each<[string, DayKind]>([
    ['of a line', LINE],
    ['of a line where one pull request mends another, and CI flakes', { ...LINE, mending: 'some', flakes: 'some' }],
    ['of a line with failure depth and optimistic merging', { ...LINE, settings: { batch: false } }],
    ['of a line with batches', { ...LINE, settings: { batch: true }, flakes: 'some' }],
    ['of lanes', { ...LANES, settings: { batch: false } }],
    [
      'of lanes that merge optimistically, where one pull request mends another',
      { ...LANES, mending: 'some', settings: { batch: false, canOptimisticallyMerge: true } },
    ],
    ['of lanes with batches', { ...LANES, settings: { batch: true }, flakes: 'some' }],
    ['of any kind', { mostPullRequests: 8, flakes: 'some', mending: 'some' }],
  ])('agree on days %s', (_, kind) => {
    for (let seed = 1; seed <= 60; seed++) expect(describeDifference(drawDay(new Dice(seed), kind))).toBeNull();
  });
});
