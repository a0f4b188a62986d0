import fc from 'fast-check';
import { clockTime } from './clock-time';

it('clockTime: shows the time, and the date if it is another day, in ISO form', () => {
  const instant = fc.integer({ min: 0, max: Date.UTC(2500, 0, 1) });
  fc.assert(
    fc.property(instant, instant, (at, now) => {
      const [date, time] = new Date(at).toISOString().split('T') as [string, string];
      const isToday = new Date(now).toISOString().startsWith(date);
      expect(clockTime(at, now)).toBe(`${isToday ? '' : `${date}, `}${time.slice(0, 5)} UTC`);
    }),
  );
  const leapDay = Date.UTC(2028, 1, 29, 7, 5);
  expect([clockTime(leapDay, leapDay), clockTime(leapDay, 0)]).toEqual(['07:05 UTC', '2028-02-29, 07:05 UTC']);
});
