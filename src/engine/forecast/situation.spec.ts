import { EngineDay } from '../../../test/support/engine-day';
import { EngineFlowDay } from '../../../test/support/engine-flow-day';
import { comparePending } from '../policy/order';
import { situationsOf } from './situation';

/** The situations of all entries, by the number of the pull request. */
function situations({ queue }: EngineDay): Record<number, string> {
  const waiting = queue.entries.filter(
    ({ state, place, search, flow }) =>
      state === 'pending' && place === null && search === null && (flow?.at ?? 'waiting') === 'waiting',
  );
  const found = situationsOf(queue, waiting.sort(comparePending));
  return Object.fromEntries(
    queue.entries.flatMap(({ id, number }) => (found.has(id) ? [[number, found.get(id)!]] : [])),
  );
}

function inOrder(numbers: readonly number[], settings: object = {}): EngineDay {
  const day = new EngineDay(settings);
  for (const number of numbers) day.submit(number);
  return day.carryOutAll();
}

describe('the situation of an entry in a sequential queue', () => {
  it('is the number of groups in its base or, for a waiting entry, the load ahead in quarters of all slots', () => {
    const day = inOrder([1, 2, 3, 4, 5, 6], { concurrency: 2 });
    expect(situations(day)).toEqual({
      1: 'tested 0',
      2: 'tested 1',
      3: 'waits 0',
      4: 'waits 2',
      5: 'waits 4',
      6: 'waits 6',
    });
  });

  it('is the size of its bisection', () => {
    const day = inOrder([1, 2, 3, 4], { batch: true, batchingMinSize: 4, concurrency: 1 });
    day.fail(1);
    expect(Object.values(situations(day))).toEqual(Array<string>(4).fill('searched 4'));
  });

  it('is absent while the queue does not run', () => {
    const day = inOrder([1, 2], { concurrency: 1 });
    day.set({}, 'paused');
    expect(situations(day)).toEqual({});
  });

  it('grows by two when the distance of a distant entry doubles', () => {
    const day = inOrder([], { concurrency: 4 });
    const waiting = Array.from({ length: 2_000 }, (_, i) => ({ id: `entry-${i}`, returnedOrder: 0 }));
    const found = [...situationsOf(day.queue, waiting).values()].map((situation) => Number(situation.split(' ')[1]));
    expect(found.slice(0, 9)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect([found[16], found[32], found[64], found[1_024]]).toEqual([10, 12, 14, 22]);
  });
});

describe('the situation of an entry in a flow queue', () => {
  it('is the obstacle of the entry: a test, a suspect set, or the next landing', () => {
    const day = new EngineFlowDay();
    day.enter(1, 2, 3, 4);
    expect(situations(day)).toEqual({ 1: 'tested', 2: 'tested', 3: 'tested', 4: 'waits 0' });
    day.reportOn('|1', 'failed');
    expect(situations(day)[1]).toBe('searched 1');
    day.reportOn('|1', 'failed');
    expect(situations(day)[1]).toBe('red');
    const other = new EngineFlowDay();
    other.enterTogether(1, 2, 3, 4);
    other.reportOn('|1+2+3+4', 'failed');
    expect(situations(other)[4]).toBe('searched 4');
  });

  it('is the new test after a restart', () => {
    const day = new EngineFlowDay();
    day.enter(1, 2);
    day.restart(2);
    day.carryOutAll();
    expect(situations(day)[2]).toMatch(/^tested/);
  });
});
