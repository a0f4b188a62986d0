import type { QueuedHead, CulpritSearch, QueueSnapshot } from '../model';
import { EngineDay } from '../../../test/support/engine-day';
import { baseNow, newRun } from './new-run';
import { leaveSearch, sendBack, smallerThan } from './search-end';

const NOW = 1000;

type Verdict = CulpritSearch['results'][number]['verdict'];

const result = (length: number, verdict: Verdict): CulpritSearch['results'][number] => ({
  length,
  run: length,
  verdict,
  failure: null,
});

/**
 * A queue with entries 1, 2, 3 … in bisection 1. Each prefix of `prefixes` is tested by a run whose number is the
 * length of the prefix.
 */
function searched(size: number, results: CulpritSearch['results'], prefixes: readonly number[] = []): QueueSnapshot {
  const day = new EngineDay();
  day.submit(1);
  const numbers = Array.from({ length: size }, (_, i) => i + 1);
  const entries = numbers.map((number) => ({ ...day.entry(1), id: String(number), number, search: 1 }));
  const members = entries.map(({ id, number }): QueuedHead => ({ entryId: id, number, head: `${number}a` }));
  const base = baseNow(day.queue)!;
  const runs = prefixes.map((length) => {
    const own = members.slice(0, length);
    const kind = 'search' as const;
    const run = newRun(day.queue, { kind, place: 0, search: 1, base, builtOn: [], own }, NOW);
    return { ...run, number: length };
  });
  const search = { number: 1, stage: 'prefixes', base, members, results, failedSize: size, culpritOrder: 0 } as const;
  return { ...day.queue, entries, runs, searches: [search], nextOrder: 10 };
}

function leaves(queue: QueueSnapshot, number: number): ReturnType<typeof leaveSearch>['changes'] {
  return leaveSearch(queue, queue.entries[number - 1]!, 'bisection_required', NOW).changes;
}

describe('entries that return from a bisection', () => {
  it('keep their order, and are batched only with each other or with any entry, as their group says', () => {
    const { entries } = searched(3, []);
    const [one, two, three] = entries;
    const groups = [
      { entries: [one!, two!], because: 'bisection_required', batchAtMost: 2 },
      { entries: [three!], because: 'bisection_required', batchAtMost: null, batchedWith: 'any' },
    ] as const;
    const [returned, ...moves] = sendBack(groups, 7, NOW).changes;
    const first = { entryId: '1', order: 7, group: 7, batchAtMost: 2, greenRetests: 0 };
    const third = { entryId: '3', order: 9, group: 0, batchAtMost: null, greenRetests: 0 };
    expect(returned).toEqual({
      type: 'entriesReturned',
      returns: [first, { ...first, entryId: '2', order: 8 }, third],
    });
    expect(moves).toHaveLength(3);
  });

  it('cause no change if their list is empty', () => {
    expect(sendBack([{ entries: [], because: 'bisection_required', batchAtMost: 2 }], 7, NOW).changes).toEqual([]);
  });

  it.each([
    [4, 3],
    [2, 1],
    [1, 1],
  ])('get smaller batches than the %i that failed together: at most %i', (failedSize, atMost) => {
    expect(smallerThan({ ...searched(2, []).searches[0]!, failedSize })).toBe(atMost);
  });
});

describe('a member that leaves a bisection', () => {
  it('from behind the shortest failed prefix only drops the results that include it', () => {
    const queue = searched(4, [result(1, 'passed'), result(2, 'failed'), result(3, 'failed')], [2, 3]);
    const [stopped, advanced, ...others] = leaves(queue, 3);
    expect(stopped).toEqual({ type: 'runEnded', run: 3, because: 'search_answered' });
    expect(advanced).toMatchObject({ type: 'searchAdvanced', search: { results: [{ length: 1 }, { length: 2 }] } });
    const left = advanced?.type === 'searchAdvanced' ? advanced.search.members.map(({ number }) => number) : [];
    expect([left, others]).toEqual([[1, 2, 4], []]);
  });

  it('ends the bisection if it was a suspect: the passed prefix returns as one group, other entries as another', () => {
    const queue = searched(4, [result(1, 'passed'), result(3, 'failed')]);
    const [end, returned] = leaves(queue, 2);
    expect(end).toEqual({ type: 'searchEnded', search: 1, because: 'member_left' });
    expect(returned).toMatchObject({
      returns: [
        { entryId: '1', order: 10, group: 10, batchAtMost: 3 },
        { entryId: '3', order: 11, group: 11 },
        { entryId: '4', order: 12, group: 11 },
      ],
    });
  });
});
