import type { QueueSnapshot } from '../model';
import { EngineDay } from '../../../test/support/engine-day';
import type { Group } from './line';
import { placed } from './places';

const NEXT_PLACE = 20;

/** A queue with entries 1, 2, 3 … at these places, whose next new place is 20. */
function line(...places: readonly number[]): QueueSnapshot {
  const day = new EngineDay();
  day.submit(1);
  const entries = places.map((place, i) => ({ ...day.entry(1), id: String(i + 1), number: i + 1, place }));
  return { ...day.queue, entries, nextPlace: NEXT_PLACE };
}

function group({ entries }: QueueSnapshot, place: number, ...numbers: readonly number[]): Group {
  return { place, entries: numbers.map((number) => entries[number - 1]!), run: null };
}

/** For each entry that gets a new place: its number, the place, and its index within the place. */
function moved(queue: QueueSnapshot, ...groups: readonly Group[]): readonly (readonly number[])[] {
  return placed(queue, groups).map(({ entryId, place, index }) => [Number(entryId), place ?? 0, index]);
}

describe('the places of a reordered line', () => {
  it('stay the same if the order stays the same', () => {
    const queue = line(1, 2, 4);
    expect(moved(queue, group(queue, 1, 1), group(queue, 2, 2), group(queue, 4, 3))).toEqual([]);
  });

  it('are new for the first group that moved back, and for all groups behind it', () => {
    const queue = line(1, 2, 3, 4);
    const order = [group(queue, 1, 1), group(queue, 3, 3), group(queue, 2, 2), group(queue, 4, 4)];
    expect(moved(queue, ...order)).toEqual([
      [2, NEXT_PLACE, 0],
      [4, NEXT_PLACE + 1, 0],
    ]);
    expect(moved(queue, order[1]!, order[0]!)).toEqual([[1, NEXT_PLACE, 0]]);
  });

  it('are new for the first group that was not in the line, and for all groups behind it', () => {
    const queue = line(1, 2, 3);
    expect(moved(queue, group(queue, 1, 1), group(queue, 0, 3), group(queue, 2, 2))).toEqual([
      [3, NEXT_PLACE, 0],
      [2, NEXT_PLACE + 1, 0],
    ]);
  });

  it('stay the same for a batch that an entry leaves, and are new for the entry and all groups behind it', () => {
    const queue = line(1, 1, 1, 2);
    expect(moved(queue, group(queue, 1, 1, 3), group(queue, 1, 2), group(queue, 2, 4))).toEqual([
      [2, NEXT_PLACE, 0],
      [4, NEXT_PLACE + 1, 0],
    ]);
  });

  it('keep the order within a batch that moves', () => {
    const queue = line(1, 2, 2);
    expect(moved(queue, group(queue, 2, 2, 3), group(queue, 1, 1))).toEqual([[1, NEXT_PLACE, 0]]);
    expect(moved(queue, group(queue, 0, 1), group(queue, 2, 2, 3))).toEqual([
      [1, NEXT_PLACE, 0],
      [2, NEXT_PLACE + 1, 0],
      [3, NEXT_PLACE + 1, 1],
    ]);
  });
});
