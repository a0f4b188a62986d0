import type { Entry } from '../model';
import { URGENT } from '../vocabulary';
import { EngineDay } from '../../../test/support/engine-day';
import { comparePending, pendingRank, waitingOutside } from './order';

const day = new EngineDay();
day.submit(1);

function waiting(number: number, facts: Partial<Entry>): Entry {
  return { ...day.entry(1), id: `entry-${number}`, number, submittedOrder: number, place: null, ...facts };
}

function inOrder(...entries: readonly Entry[]): readonly number[] {
  return entries.toSorted(comparePending).map((entry) => entry.number);
}

describe('the order of waiting entries', () => {
  it('begins with urgent entries and entries from a bisection, and continues by priority and submission', () => {
    const submitted = [
      waiting(1, {}),
      waiting(2, { priority: 10 }),
      waiting(3, {}),
      waiting(4, { returnedOrder: 9, priority: 200 }),
      waiting(5, { returnedOrder: 8, priority: 200 }),
      waiting(6, { priority: URGENT }),
    ];
    expect(inOrder(...submitted)).toEqual([6, 5, 4, 2, 1, 3]);
    expect(inOrder(...submitted.toReversed())).toEqual([6, 5, 4, 2, 1, 3]);
  });

  it('puts an entry that returned and became urgent ahead of entries that returned earlier', () => {
    expect(inOrder(waiting(1, { returnedOrder: 3 }), waiting(2, { returnedOrder: 7, priority: URGENT }))).toEqual([
      2, 1,
    ]);
  });

  it('is stored as 0 for urgent, 1 for returned, and 2 for all other entries', () => {
    const kinds = [{ priority: URGENT }, { returnedOrder: 1 }, {}].map((facts) => waiting(1, facts));
    expect(kinds.map(pendingRank)).toEqual([0, 1, 2]);
  });

  it('leaves out an entry until the exact time at which the host is asked about it again', () => {
    const queue = { ...day.queue, entries: [waiting(1, { askAgainAt: day.now + 1 }), waiting(2, {})] };
    expect(waitingOutside(queue, day.now).map((entry) => entry.number)).toEqual([2]);
    expect(waitingOutside(queue, day.now + 1).map((entry) => entry.number)).toEqual([1, 2]);
  });
});
