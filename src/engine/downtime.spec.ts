import { EngineDay } from '../../test/support/engine-day';
import { explain } from './explain';
import { MINUTE } from './vocabulary';

let day: EngineDay;

beforeEach(() => {
  day = new EngineDay({ testingTimeoutMinutes: 60 });
  day.submit(1);
  day.carryOutAll();
  day.report(day.runOf(1), 'running');
});
afterEach(() => expect(day.problems).toEqual([]));

/** Stops the service for this time. The next look at the host reads the statuses of that time. */
function stopFor(minutes: number): void {
  const from = day.now;
  day.now += minutes * MINUTE;
  day.store.downtimes = [...day.store.downtimes, { from, to: day.now }];
  day.store.statusesUnread = true;
  day.happen({ type: 'clockTicked' });
}

function lookAtHost(): void {
  day.store.statusesUnread = false;
  day.happen({ type: 'clockTicked' });
}

/** A test that timed out fails no entry the first time: the entry is tested again. */
function hasTimedOut(): boolean {
  return day.entry(1).stateReason === 'bisection_required';
}

function waitingFor(): string | null {
  const [explained] = explain(day.queue, [{ entryId: 'entry-1', ahead: 0 }], day.now);
  return explained!.waitingFor;
}

describe('time in which no process of the service ran', () => {
  it('does not count as test time', () => {
    day.advance(20);
    stopFor(45);
    lookAtHost();
    day.advance(39);
    expect(day.stateOf(1)).toBe('testing');
    day.advance(2);
    expect(hasTimedOut()).toBe(true);
  });

  it('does not count however often the service stops', () => {
    day.advance(20);
    stopFor(45);
    lookAtHost();
    day.advance(20);
    stopFor(500);
    lookAtHost();
    day.advance(19);
    expect(day.stateOf(1)).toBe('testing');
    day.advance(2);
    expect(hasTimedOut()).toBe(true);
  });

  it('does not affect a run that was pushed later', () => {
    const { pushedAt } = day.runOf(1);
    day.store.downtimes = [{ from: pushedAt! - 50 * MINUTE, to: pushedAt! - 10 * MINUTE }];
    day.advance(61);
    expect(hasTimedOut()).toBe(true);
  });

  it('does not extend a run that timed out before the downtime began', () => {
    const { deadline } = day.runOf(1);
    day.store.downtimes = [{ from: deadline!, to: deadline! + 30 * MINUTE }];
    day.now = deadline! + 10 * MINUTE;
    day.happen({ type: 'clockTicked' });
    expect(hasTimedOut()).toBe(true);
  });

  it('is not part of the durations in the explanation of an entry', () => {
    day.advance(20);
    stopFor(45);
    lookAtHost();
    expect(waitingFor()).toContain('The test times out in 40 minutes');
  });

  it('wakes the queue at the extended time-out', () => {
    day.advance(20);
    stopFor(45);
    lookAtHost();
    expect(day.decisions.at(-1)!.wakeAt).toBe(day.runOf(1).pushedAt! + 105 * MINUTE);
  });
});

describe('after a start of the service', () => {
  it('no run times out before the statuses were read once', () => {
    day.advance(59);
    stopFor(2);
    day.advance(10);
    expect([day.stateOf(1), day.decisions.at(-1)!.wakeAt]).toEqual(['testing', null]);
    expect(waitingFor()).toContain('nothing times out until it has read the statuses');
    day.pass(1);
    expect(day.stateOf(1)).toBe('merged');
  });

  it('a run without a result times out once the statuses were read', () => {
    day.advance(59);
    stopFor(2);
    day.advance(10);
    lookAtHost();
    expect(hasTimedOut()).toBe(true);
  });
});
