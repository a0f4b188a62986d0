import * as fc from 'fast-check';
import { isLongRun } from '../support/long-run';
import { FlowDay } from './flow/flow-day';

const DAYS = Number(process.env.SLUICE_SIMULATED_DAYS ?? (isLongRun ? 580 : 120));

/** `npm run test:flow` plays thousands of days. This spec plays only a few days, and other days each time. */
describe('a simulated day of a queue with flow scheduling', () => {
  const { seed = fc.sample(fc.nat({ max: 1_000_000 }), 1)[0]! } = fc.readConfigureGlobal() ?? {};

  it('lands only trees that passed, fails entries only for tests in isolation, and ends with an idle queue', () => {
    const sum = { merged: 0, failed: 0 };
    for (let day = seed; day < seed + DAYS; day++) {
      const { problem, merged, failed } = new FlowDay(day).play();
      const again = `npm run test:flow -- --show ${day}`;
      expect({ again, problem }).toEqual({ again, problem: null });
      sum.merged += merged;
      sum.failed += failed;
    }
    expect(sum.merged).toBeGreaterThan(DAYS);
    expect(sum.failed).toBeGreaterThan(DAYS);
  });
});
