import { EngineDay } from '../../../test/support/engine-day';
import { ended, outOfLine } from './step-result';

describe('the result of a step', () => {
  it('removes only entries in the line from the line', () => {
    const day = new EngineDay();
    day.set({}, 'paused');
    day.submit(1);
    expect(outOfLine([day.entry(1)])).toEqual([]);
  });

  it('stops an ended run with the information whether it had failed', () => {
    const day = new EngineDay();
    day.submit(1);
    const run = day.carryOutAll().runOf(1);
    expect(ended(run, 'rebuild_required').commands).toMatchObject([{ type: 'stopTestRun', because: 'ended' }]);
    const failed = { ...run, phase: 'failed' } as const;
    expect(ended(failed, 'blamed').commands).toMatchObject([{ type: 'stopTestRun', because: 'failed' }]);
  });
});
