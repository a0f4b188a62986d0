import { EngineDay } from '../../../test/support/engine-day';
import { isSilent } from './lost-run';

describe('a run that CI ignored', () => {
  it('has required statuses, none of which was ever reported', () => {
    const day = new EngineDay({ requiredStatuses: ['unit', 'ci'] });
    day.submit(1);
    const run = day.carryOutAll().runOf(1);
    const verdict = { failed: [], lost: [], running: [], missing: [] };
    expect(isSilent(run, { ...verdict, missing: ['unit', 'ci'] })).toBe(true);
    expect(isSilent(run, { ...verdict, missing: ['unit'], running: ['ci'] })).toBe(false);
    expect(isSilent({ ...run, requiredStatuses: [] }, verdict)).toBe(false);
  });
});
