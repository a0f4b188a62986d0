import * as fc from 'fast-check';
import { isLongRun } from '../support/long-run';
import { addDay, dayOf, emptySummary, modeOf } from './days/days';

/** One day of 24 hours takes as long as twenty of the short days in other simulations. */
const DAYS = Math.ceil(Number(process.env.SLUICE_SIMULATED_DAYS ?? (isLongRun ? 440 : 120)) / 20);

/** `npm run test:sim` plays thousands of days. This spec plays only a few, and other days each time. */
describe('a simulated day of a queue', () => {
  const { seed = fc.sample(fc.nat(), 1)[0]! } = fc.readConfigureGlobal() ?? {};

  it('lands nothing untested, loses no pull request, fails no innocent pull request, and ends with an idle queue', () => {
    const sum = emptySummary();
    for (let day = 0; day < DAYS; day++) {
      const result = dayOf(seed + day, modeOf(seed + day)).run();
      addDay(sum, seed + day, result);
      const again = `npm run test:sim -- --days 1 --seed ${seed + day}`;
      expect({ again, problems: result.problems }).toEqual({ again, problems: [] });
    }
    expect(sum.landed).toBeGreaterThan(sum.days);
    expect(sum.fewestEvents).toBeGreaterThanOrEqual(200);
    // At least 44 pull requests are submitted on each day, but a queue receives no pull request while it is deleted.
    expect(sum.fewestSubmissions).toBeGreaterThanOrEqual(25);
  }, 300_000);
});
