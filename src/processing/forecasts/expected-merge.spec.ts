import type { FreezeWindow } from '../../engine/model';
import { HOUR } from '../../engine/vocabulary';
import { expectedMerge, outsideFreezes, wasFrozen } from './expected-merge';

/** A window for every night in UTC, and a window for all of Saturday, which follows the night without a gap. */
const NIGHT: FreezeWindow = {
  days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
  from: '22:00',
  to: '06:00',
  timeZone: 'UTC',
  exceptPriorityAtMost: 0,
};
const SATURDAY: FreezeWindow = { ...NIGHT, days: ['saturday'], from: '06:00', to: '12:00', exceptPriorityAtMost: null };
const WINDOWS = [NIGHT, SATURDAY];
const FRIDAY_20 = Date.UTC(2026, 10, 20, 20);
const usual = { priority: 100 };

it('an expected merge is not in a freeze, nor in a second freeze that begins when the first freeze ends', () => {
  const moments = [0, 1, 3, 9, 12].map((hours) => outsideFreezes(WINDOWS, usual, FRIDAY_20 + hours * HOUR));
  expect(moments.map((at) => (at - FRIDAY_20) / HOUR)).toEqual([0, 1, 16, 16, 16]);
  const urgent = { priority: 0 };
  expect(outsideFreezes([NIGHT], urgent, FRIDAY_20 + 3 * HOUR)).toBe(FRIDAY_20 + 3 * HOUR);
});

it('an expected merge is moved only out of a freeze, or to the earliest possible merge', () => {
  const forecast = { low: HOUR, p50: 3 * HOUR, p90: 17 * HOUR, high: 18 * HOUR };
  const known = { since: FRIDAY_20, earliest: FRIDAY_20 };
  const hours = (at: number): number => (at - FRIDAY_20) / HOUR;
  const { low, p50, p90, high } = expectedMerge(WINDOWS, usual, forecast, known);
  expect([low, p50, p90, high].map(hours)).toEqual([1, 16, 17, 18]);
  const later = expectedMerge([], usual, forecast, { since: FRIDAY_20, earliest: FRIDAY_20 + 4 * HOUR });
  expect([later.low, later.p50, later.p90].map(hours)).toEqual([4, 4, 17]);
});

it('a duration does not count as usual if a freeze interrupted it', () => {
  const between = (from: number, to: number, priority = 100): boolean =>
    wasFrozen(WINDOWS, priority, FRIDAY_20 + from * HOUR, FRIDAY_20 + to * HOUR);
  expect([between(0, 1), between(0, 3), between(3, 17), between(17, 20)]).toEqual([false, true, true, false]);
  expect([between(0, 3, 0), between(9, 12, 0)]).toEqual([false, true]);
});
