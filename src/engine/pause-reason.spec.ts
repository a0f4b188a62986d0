import { EngineDay } from '../../test/support/engine-day';
import { explain } from './explain';

describe('the reason for a pause', () => {
  const day = new EngineDay();
  const why = (number: number): string | null =>
    explain(day.queue, [{ entryId: day.entry(number).id, ahead: 0 }], day.now)[0]?.waitingFor ?? null;

  it('is shown to every waiting entry, and cleared by the state running', () => {
    day.submit(1);
    day.carryOutAll();
    day.set({ pauseReason: 'release day' }, 'paused');
    day.submit(2);
    day.pass(1);
    expect(why(1)).toContain('the queue is paused (release day): nothing merges until it is running');
    expect(why(2)).toContain('The queue is paused (release day): no test starts until it is running');
    day.set({}, 'draining');
    expect(why(2)).toContain('The queue is draining (release day): no test starts');
    day.set({}, 'running');
    expect(day.queue.settings.pauseReason).toBeNull();
    day.set({}, 'paused');
    expect(day.carryOutAll().queue.state).toBe('paused');
    expect(why(2)).not.toContain('release day');
  });

  it('is ignored with the state running, which needs no reason', () => {
    day.set({ pauseReason: 'release day', concurrency: 3 }, 'running');
    expect(day.queue.settings).toMatchObject({ pauseReason: null, concurrency: 3 });
  });
});
