import { EngineDay } from '../../../test/support/engine-day';
import { FLOW_AT_START } from '../flow-state';
import type { QueueSnapshot } from '../model';
import { HOUR, MINUTE } from '../vocabulary';
import { attentionIn, type QueueTrouble } from './attention';

const NOTHING: QueueTrouble = { failedDecisions: 0, searches: [], slowest: null };
const day = new EngineDay();
const WORKS: QueueSnapshot = { ...day.queue, tipSeenAt: day.now };

function attention(trouble: Partial<QueueTrouble> = {}, queue: Partial<QueueSnapshot> = {}): string | null {
  return attentionIn({ ...WORKS, ...queue }, { ...NOTHING, ...trouble }, day.now);
}

const redFor = (hours: number) => ({
  ...FLOW_AT_START,
  redTarget: { since: day.now - hours * HOUR, againAt: day.now, reds: 1 },
});
const testedFor = (minutes: number) => ({ run: 7, since: day.now - minutes * MINUTE, usually: 10 * MINUTE });

describe('the problem of a queue that needs attention first', () => {
  it('is absent while the queue works', () => {
    expect(attention()).toBeNull();
  });

  it('is a series of failed decisions, before any other problem, because other statements may be wrong then', () => {
    const said = attention({ failedDecisions: 3, slowest: testedFor(90) }, { state: 'paused', flow: redFor(2) });
    expect(said).toBe(
      'The queue is blocked: its last 3 decisions failed, and it keeps retrying. The service log says why.',
    );
    expect(attention({ failedDecisions: 1 })).toContain('its last 1 decision failed');
  });

  it('is an obstacle to every test: somebody paused the queue, or its branch is gone', () => {
    const settings = { ...WORKS.settings, pauseReason: 'store freeze until 16:00' };
    expect(attention({}, { state: 'paused', settings })).toBe(
      'The queue is paused (store freeze until 16:00): no test starts until it is running.',
    );
    expect(attention({}, { tip: null })).toBe('The target branch main does not exist: no test starts until it does.');
  });

  it('is a code host that does not answer, with the duration', () => {
    const said = attention({}, { hostUnreachableSince: day.now - 25 * MINUTE });
    expect(said).toBe('git.example has not answered for 25 minutes; the queue keeps asking and keeps its order.');
  });

  it('is not a missing branch as long as the branch of a new queue was never read', () => {
    expect(attention({}, { tip: null, tipSeenAt: null })).toBeNull();
  });

  it('is a target that fails its own tests, even if a run is slow, too', () => {
    const said = attention({ slowest: testedFor(90) }, { flow: redFor(3) });
    expect(said).toBe(
      'main has been failing its own tests for 3 hours: only urgent pull requests are tested. Fix main.',
    );
  });

  it('is a run that takes more than three times as long as usual, but not exactly three times', () => {
    expect(attention({ slowest: testedFor(30) })).toBeNull();
    expect(attention({ slowest: testedFor(31) })).toBe(
      'Run 7 has been testing for 31 minutes; a run usually takes 10 minutes.',
    );
  });

  it('is the oldest bisection, with its remaining suspects, if there is no other problem', () => {
    const searches = [
      { members: 8, suspects: 3 },
      { members: 4, suspects: 1 },
    ];
    expect(attention({ searches })).toBe('Bisecting a failed batch of 8: 3 suspects are left.');
    expect(attention({ searches: searches.slice(1) })).toBe('Bisecting a failed batch of 4: 1 suspect is left.');
    expect(attention({ searches, slowest: testedFor(31) })).toContain('Run 7');
  });
});
