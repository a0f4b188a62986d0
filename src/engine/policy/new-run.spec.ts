import type { CulpritSearch, QueueSnapshot, TestRun } from '../model';
import { EngineDay } from '../../../test/support/engine-day';
import { HOUR } from '../vocabulary';
import { baseNow, newRun, startOrder } from './new-run';

const NOW = 1000;

const queue = new EngineDay().queue;
const base = baseNow(queue)!;

function run(number: number, particulars: Partial<TestRun> = {}): TestRun {
  const own = { kind: 'line', place: 0, search: null, base, builtOn: [], own: [] } as const;
  return { ...newRun(queue, own, NOW), number, tree: `tree-${number}`, ...particulars };
}

function searching(stage: CulpritSearch['stage']): QueueSnapshot {
  const search = { number: 4, stage, base, members: [], results: [], failedSize: 2, culpritOrder: 0 };
  return { ...queue, searches: [{ ...search, number: 3, stage: 'culprit' }, search] };
}

describe('the command to build a run', () => {
  it('keeps the base of a bisection for its prefixes, so that they can be compared, but not for the culprit', () => {
    const kept = (stage: CulpritSearch['stage'], search: number | null): boolean =>
      startOrder(searching(stage), run(1, { search }), NOW).keepsBase;
    expect([kept('prefixes', 4), kept('whole', 4), kept('culprit', 4)]).toEqual([true, true, false]);
    expect([kept('prefixes', 3), kept('prefixes', null)]).toEqual([false, false]);
  });

  it('names the tree that the target has after the present landing: the tree of the last run that lands', () => {
    const expectedTip = queue.tip!;
    const landing = { number: 1, runs: [1, 2], expectedTip, orderedAt: NOW };
    const order = startOrder({ ...queue, runs: [run(1), run(2), run(3)], landing }, run(3), NOW);
    expect(order.landingTree).toBe('tree-2');
    expect(startOrder({ ...queue, runs: [run(1)] }, run(1), NOW).landingTree).toBeNull();
  });

  it('reuses only recent results and, after a pass in isolation, only results newer than the pass', () => {
    const day = new EngineDay({ optimizationMode: 'bisection_skip_redundant_tests' });
    day.submit(1);
    const [entry] = day.carryOutAll().queue.entries;
    const { own } = day.runOf(1);
    const now = 100 * HOUR;
    const since = (acquittedAt: number | null): number | null =>
      startOrder({ ...day.queue, entries: [{ ...entry!, acquittedAt }] }, run(1, { own }), now).reuseSince;
    const earliest = now - day.queue.limits.treeReuseHours * HOUR;
    expect([since(null), since(earliest - 5), since(now - 5)]).toEqual([earliest, earliest, now - 4]);
  });
});
