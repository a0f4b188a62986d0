import { MINUTE, SECOND } from '../vocabulary';
import {
  afterPass,
  afterPush,
  afterUndecided,
  STREAKS_KEPT,
  wasPassingDuring,
  withPassing,
  withRedIn,
} from './results';
import type { Stretch } from '../test-runs';
import { FLOW_AT_START } from '../flow-state';

const HOUR_FROM_0: Stretch = { from: 0, until: 60 * MINUTE };

describe('the time in which test runs passed one after another', () => {
  it.each([
    { what: 'begun before the last one ended', from: 59 * MINUTE, since: 0 },
    { what: 'begun before all of them', from: -MINUTE, since: -MINUTE },
    { what: 'begun a moment after the last one ended', from: 60 * MINUTE + 10 * SECOND, since: 0 },
    { what: 'begun later', from: 60 * MINUTE + 11 * SECOND, since: 60 * MINUTE + 11 * SECOND },
  ])('is extended, or begins again, when the next run was $what', ({ from, since }) => {
    const until = 90 * MINUTE;
    expect(withPassing(HOUR_FROM_0, { from, until })).toEqual({ from: since, until });
  });

  it('begins with the first run', () => {
    expect(withPassing(undefined, HOUR_FROM_0)).toBe(HOUR_FROM_0);
  });

  it.each([
    { from: -60 * MINUTE, until: -5 * MINUTE, both: HOUR_FROM_0 },
    { from: -60 * MINUTE, until: 5 * MINUTE, both: { from: -60 * MINUTE, until: 60 * MINUTE } },
    { from: 5 * MINUTE, until: 10 * MINUTE, both: HOUR_FROM_0 },
  ])('is extended, or stays the same, after a late report: $from to $until', ({ from, until, both }) => {
    expect(withPassing(HOUR_FROM_0, { from, until })).toEqual(both);
  });

  it.each([
    { tested: { from: 5 * MINUTE, until: 60 * MINUTE }, is: true },
    { tested: { from: 5 * MINUTE, until: 60 * MINUTE + 1 }, is: false },
    { tested: { from: -10 * SECOND, until: MINUTE }, is: true },
    { tested: { from: -11 * SECOND, until: MINUTE }, is: false },
    { tested: undefined, is: false },
  ])('covers a test that ran within this time: $tested $is', ({ tested, is }) => {
    expect(wasPassingDuring({ ...FLOW_AT_START, passing: HOUR_FROM_0 }, tested)).toBe(is);
  });

  it('covers no test before the first pass', () => {
    expect(wasPassingDuring(FLOW_AT_START, HOUR_FROM_0)).toBe(false);
  });
});

describe('the result counts of a queue', () => {
  it('count an undecided result', () => {
    expect(afterUndecided({ ...FLOW_AT_START, results: 4 }, 0)).toMatchObject({
      results: 5,
      lastUndecided: 5,
      undecided: 1,
    });
  });

  it.each([
    { redsIn: [{ streak: 7, reds: 1 }], streak: 8 },
    { redsIn: [{ streak: 6, reds: 1 }], streak: 7 },
  ])('begin a new streak after a pass if the present streak had failures: $redsIn', ({ redsIn, streak }) => {
    expect(afterPass({ ...FLOW_AT_START, streak: 7, redsIn }, 0).streak).toBe(streak);
  });

  it('keep only the newest streaks', () => {
    const streaks = Array.from({ length: 40 }, (_, index) => index + 1);
    const { redsIn } = streaks.reduce(withRedIn, FLOW_AT_START);
    expect(redsIn.map(({ streak }) => streak)).toEqual(streaks.slice(-STREAKS_KEPT));
    expect(redsIn).toHaveLength(32);
  });

  it.each([
    { epochs: 0, againAt: 50 },
    { epochs: 1, againAt: 10 },
  ] as const)(
    'set the next test of a failing target to $againAt after $epochs pushes from outside',
    ({ epochs, againAt }) => {
      const redTarget = { since: 0, againAt: 50, reds: 2 };
      const tip = { commit: 'c', tree: 't' };
      const after = afterPush({ ...FLOW_AT_START, redTarget }, { type: 'targetMoved', tip, epochs, seenAt: 10 });
      expect(after.redTarget).toEqual({ ...redTarget, againAt });
    },
  );
});
