import { EngineDay } from '../../../test/support/engine-day';
import { hasPassed, statusesOf } from './statuses';

describe('the statuses of a run', () => {
  it('are passed when every required one is, and never when none is required', () => {
    const day = new EngineDay();
    day.submit(1);
    const run = day.carryOutAll().runOf(1);
    expect(hasPassed(run, statusesOf(day.queue, run))).toBe(false);
    const demandingNothing = { ...run, requiredStatuses: [] };
    expect(hasPassed(demandingNothing, statusesOf(day.queue, demandingNothing))).toBe(false);
  });
});
