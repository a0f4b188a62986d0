import { MINUTE, SECOND } from '../vocabulary';
import { isPassingSince, withPassing } from './results';
import { FLOW_AT_START, type Stretch } from './state';

const HOUR_FROM_0: Stretch = { from: 0, until: 60 * MINUTE };

describe('what tests that passed say of the time before', () => {
  it.each([
    { what: 'begun before the last one ended', from: 59 * MINUTE, since: 0 },
    { what: 'begun before all of them', from: -MINUTE, since: -MINUTE },
    { what: 'begun a moment after the last one ended', from: 60 * MINUTE + 10 * SECOND, since: 0 },
    { what: 'begun later', from: 60 * MINUTE + 11 * SECOND, since: 60 * MINUTE + 11 * SECOND },
  ])('is of one stretch when the next was $what', ({ from, since }) => {
    const until = 90 * MINUTE;
    expect(withPassing(HOUR_FROM_0, { from, until })).toEqual({ from: since, until });
  });

  it('begins with the first one', () => {
    expect(withPassing(undefined, HOUR_FROM_0)).toBe(HOUR_FROM_0);
  });

  it.each([
    { pushedAt: 5 * MINUTE, is: true },
    { pushedAt: -10 * SECOND, is: true },
    { pushedAt: -11 * SECOND, is: false },
    { pushedAt: undefined, is: false },
  ])('is of a test that was begun at $pushedAt: $is', ({ pushedAt, is }) => {
    expect(isPassingSince({ ...FLOW_AT_START, passing: HOUR_FROM_0 }, pushedAt)).toBe(is);
  });

  it('is nothing before anything passed', () => {
    expect(isPassingSince(FLOW_AT_START, 0)).toBe(false);
  });
});
