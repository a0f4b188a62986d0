import { EngineDay } from '../../../test/support/engine-day';
import { ended, outOfLine } from './step-result';

describe('what a step does', () => {
  it('takes nobody out of the line who is not in it', () => {
    const day = new EngineDay();
    day.set({}, 'paused');
    day.submit(1);
    expect(outOfLine([day.entry(1)])).toEqual([]);
  });

  it('says of a run that is over whether it had failed', () => {
    const day = new EngineDay();
    day.submit(1);
    const run = day.carryOutAll().runOf(1);
    expect(ended(run, 'rebuild_required').commands).toMatchObject([{ type: 'stopTestRun', because: 'ended' }]);
    const failed = { ...run, phase: 'failed' } as const;
    expect(ended(failed, 'blamed').commands).toMatchObject([{ type: 'stopTestRun', because: 'failed' }]);
  });
});
