import type { QueueSettings } from './model';
import { sizeFor } from './policy/batches';
import { EngineDay } from '../../test/support/engine-day';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

function begin(settings: Partial<QueueSettings> = {}): EngineDay {
  day = new EngineDay({ batch: true, batchingMinSize: 3, batchingMaxWaitTimeMinutes: 10, ...settings });
  return day;
}

describe('a batch', () => {
  it('starts when it is full, as one test of all its entries', () => {
    begin();
    for (const number of [1, 2]) day.submit(number);
    day.carryOutAll();
    expect(day.queue.runs).toEqual([]);
    day.submit(3);
    day.carryOutAll();
    expect(day.testedOn(1)).toEqual([1, 2, 3]);
    day.pass(2);
    expect(day.target).toEqual(['main', '1@1a', '2@2a', '3@3a']);
  });

  it('starts with fewer entries at the end of the maximum wait, at which the queue wakes', () => {
    begin().submit(1);
    day.advance(6);
    day.submit(2);
    expect(day.decisions.at(-1)?.wakeAt).toBe(day.entry(1).pendingSince! + 10 * 60_000);
    day.advance(3);
    day.carryOutAll();
    expect(day.queue.runs).toEqual([]);
    day.advance(1);
    day.carryOutAll();
    expect(day.testedOn(1)).toEqual([1, 2]);
  });

  it('is never larger than the batch limit of the service', () => {
    begin({ batchingMinSize: 1000 });
    day.queue = { ...day.queue, limits: { ...day.queue.limits, batchSize: 2 } };
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll();
    expect(day.testedOn(1)).toEqual([1, 2]);
  });

  it('does not include an entry whose own size limit it would exceed, and does not wait for another entry', () => {
    begin({ concurrency: 2 }).set({}, 'paused');
    for (const number of [1, 2, 3]) day.submit(number);
    const entries = day.queue.entries.map((entry) => ({ ...entry, batchAtMost: entry.number === 3 ? 2 : null }));
    day.queue = { ...day.queue, entries };
    day.set({}, 'running');
    day.carryOutAll();
    expect(day.testedOn(2)).toEqual([1, 2]);
    day.advance(10);
    day.carryOutAll();
    expect(day.testedOn(3)).toEqual([1, 2, 3]);
  });

  it('has one entry when batches are off, and starts at once', () => {
    begin({ batch: false }).submit(1);
    expect(sizeFor(day.queue, [day.entry(1)])).toBe(1);
    day.carryOutAll();
    expect(day.testedOn(1)).toEqual([1]);
  });

  it('does not wait for more members when its members returned from a bisection', () => {
    begin().set({}, 'paused');
    day.submit(1);
    day.queue = { ...day.queue, entries: [{ ...day.entry(1), returnedOrder: 1, returnedGroup: 1 }] };
    day.set({}, 'running');
    expect(day.carryOutAll().stateOf(1)).toBe('testing');
  });

  it('excludes entries with noBatch, and does not wait for members if the next entry is excluded', () => {
    begin({ concurrency: 3 }).submit(1);
    day.submit(2, { noBatch: true });
    day.submit(3);
    day.carryOutAll();
    expect([day.testedOn(1), day.testedOn(2)]).toEqual([[1], [1, 2]]);
    expect(day.stateOf(3)).toBe('pending');
  });

  describe('under a batching rule', () => {
    const rules = [{ targetPattern: '//infra/*', policy: 'isolate' }] as const;

    it('excludes entries with a matching target, and does not wait if the next entry is excluded', () => {
      begin({ concurrency: 3, batchingRules: rules }).submit(1);
      day.setTargets(2, ['//web', '//infra/db']);
      day.submit(2);
      day.setTargets(3, ['//web']);
      day.submit(3);
      day.carryOutAll();
      expect([day.testedOn(1), day.testedOn(2)]).toEqual([[1], [1, 2]]);
      expect(day.stateOf(3)).toBe('pending');
    });

    it('excludes entries that impact ALL, and includes entries without targets', () => {
      begin({ concurrency: 3, batchingRules: rules }).setTargets(1, 'ALL');
      day.submit(1);
      day.setTargets(2, []);
      for (const number of [2, 3, 4]) day.submit(number);
      day.carryOutAll();
      expect([day.testedOn(1), day.testedOn(2)]).toEqual([[1], [1, 2, 3, 4]]);
    });

    it('applies a new rule to waiting entries, and every rule to targets that are uploaded later', () => {
      begin({ batch: false, concurrency: 3 }).set({}, 'paused');
      day.setTargets(1, ['//infra/db']);
      for (const number of [1, 2, 3]) day.submit(number);
      day.set({ batch: true, batchingMinSize: 2, batchingRules: rules }, 'running');
      day.setTargets(2, ['//infra/web']);
      day.carryOutAll();
      expect([day.testedOn(1), day.testedOn(2)]).toEqual([[1], [1, 2]]);
    });
  });

  it('is tested again without a member that leaves', () => {
    begin();
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll();
    day.cancel(2);
    expect([day.stateOf(1), day.entry(1).stateReason]).toEqual(['pending', 'prerequisite_merge_item_cancelled']);
    day.carryOutAll();
    expect(day.testedOn(1)).toEqual([1, 3]);
  });

  it('is tested without a member that conflicts with another member; that entry waits behind the batch', () => {
    begin({ concurrency: 2 });
    day.open(2, { conflictsWith: [1] });
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll();
    expect(day.testedOn(1)).toEqual([1, 3]);
    expect(day.runOf(2).phase).toBe('conflicted');
    day.pass(1);
    expect([day.stateOf(2), day.entry(2).stateReason]).toEqual(['failed', 'start_test_run_merge_conflict']);
  });

  it('finishes its test when batches are switched off', () => {
    begin();
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll();
    day.set({ batch: false });
    day.submit(4);
    day.pass(1);
    expect([1, 2, 3].map((number) => day.stateOf(number))).toEqual(['merged', 'merged', 'merged']);
    expect(day.testedOn(4)).toEqual([1, 2, 3, 4]);
  });

  it('is bisected when it fails, so that one bad entry does not fail the other entries', () => {
    begin();
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll().fail(1);
    expect(day.queue.searches.map((search) => search.stage)).toEqual(['whole']);
    expect(day.stateOf(1)).toBe('testing');
  });

  it('is tested again with the same entries after a push to the target', () => {
    begin();
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll();
    day.pushToTarget('outside');
    day.carryOutAll();
    expect(day.testedOn(1)).toEqual([1, 2, 3]);
    day.pass(1);
    expect(day.target).toEqual(['main', 'outside', '1@1a', '2@2a', '3@3a']);
  });

  it('does not include an urgent entry, which is tested in isolation ahead of the batch', () => {
    begin();
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll();
    day.submit(4, { priority: 0 });
    day.carryOutAll();
    expect(day.testedOn(4)).toEqual([4]);
    expect([1, 2, 3].map((number) => day.entry(number).stateReason)).toEqual(
      Array(3).fill('skip_the_line_interrupted'),
    );
    day.pass(4);
    expect(day.testedOn(1)).toEqual([4, 1, 2, 3]);
  });
});
