import type { QueueSettings } from './model';
import { EngineDay } from '../../test/support/engine-day';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

function begin(settings: Partial<QueueSettings> = {}): EngineDay {
  day = new EngineDay({ directMergeMode: 'always', concurrency: 2, ...settings });
  return day;
}

/** Opens a pull request on top of the present target, whose own required status has passed. */
function upToDate(number: number): void {
  day.open(number, { upTo: day.queue.tip?.commit });
  day.reportOnHead(number, 'passed');
}

describe('a direct merge', () => {
  it('merges a pull request that contains the target and passed alone, without a test of the queue', () => {
    begin();
    upToDate(1);
    day.submit(1);
    expect(day.stateOf(1)).toBe('pending');
    day.carryOutAll();
    expect([day.stateOf(1), day.entry(1).stateReason]).toEqual(['merged', 'merge_graph_direct_merge']);
    expect(day.target).toEqual(['main', '1@1a']);
    expect(day.entry(1).verifiedByRun).toBeNull();
  });

  it.each([
    ['its own status has not passed', (number: number) => day.open(number, { upTo: day.queue.tip?.commit })],
    ['it does not contain the target', (number: number) => day.open(number).reportOnHead(number, 'passed')],
  ])('becomes a normal test in the queue when %s', (_, open) => {
    begin();
    open(1);
    day.submit(1);
    day.carryOutAll();
    expect(day.stateOf(1)).toBe('testing');
    expect(day.pass(1).entry(1).stateReason).toBe('merge_graph_merge');
  });

  it('is not tried when an entry is ahead', () => {
    begin().submit(2);
    day.carryOutAll();
    upToDate(1);
    day.submit(1);
    day.carryOutAll();
    expect(day.testedOn(1)).toEqual([2, 1]);
  });

  it('is not tried while another entry waits ahead of it; an entry that waits behind does not prevent it', () => {
    begin({ directMergeMode: 'off', batch: true, batchingMinSize: 4 }).submit(2);
    day.set({ directMergeMode: 'always' });
    upToDate(1);
    day.submit(1);
    expect(day.queue.landing).toBeNull();
    upToDate(3);
    day.submit(3, { priority: day.entry(1).priority - 1 });
    expect(day.carryOutAll().target).toEqual(['main', '3@3a']);
  });

  it.each(['paused', 'draining'] as const)(
    'is not tried in a %s queue, nor later when the queue runs again',
    (state) => {
      begin().set({}, state);
      upToDate(1);
      day.submit(1);
      day.carryOutAll();
      day.set({}, 'running');
      day.carryOutAll();
      expect(day.stateOf(1)).toBe('testing');
    },
  );

  it('is not tried when directMergeMode is off', () => {
    begin({ directMergeMode: 'off' });
    upToDate(1);
    day.submit(1);
    expect(day.queue.landing).toBeNull();
  });

  it('lets other entries start while it is under way', () => {
    begin();
    upToDate(1);
    day.submit(1);
    day.submit(2);
    expect(day.testedOn(2)).toEqual([1, 2]);
    day.carryOutAll();
    expect([day.stateOf(1), day.stateOf(2)]).toEqual(['merged', 'testing']);
    expect(day.pass(2).target).toEqual(['main', '1@1a', '2@2a']);
  });

  it('when refused, keeps urgent entries in the order of their submission', () => {
    begin();
    day.open(1).submit(1);
    day.submit(2, { priority: 0 });
    day.carryOutAll();
    day.submit(3, { priority: 0 });
    day.carryOutAll();
    expect([day.testedOn(2), day.testedOn(3)]).toEqual([
      [1, 2],
      [1, 2, 3],
    ]);
  });

  it('when refused, leaves its entry urgent: the next urgent entry goes behind it', () => {
    begin();
    day.open(1).submit(1, { priority: 0 });
    day.carryOutAll().submit(2, { priority: 0 });
    expect(day.carryOutAll().testedOn(2)).toEqual([1, 2]);
  });

  it('cannot be cancelled while it is under way', () => {
    begin();
    upToDate(1);
    day.submit(1);
    expect(day.cancel(1)).toMatchObject({ code: 'PR_NOT_IN_ACTIVE_STATE' });
  });

  it('is given up when the target moved meanwhile, and the entry is tested instead', () => {
    begin();
    upToDate(1);
    day.submit(1);
    day.pushToTarget('outside', 'missed');
    day.carryOutAll();
    expect(day.testedOn(1)).toEqual([1]);
    expect(day.pass(1).target).toEqual(['main', 'outside', '1@1a']);
  });
});

describe('a tree with an earlier result', () => {
  const SKIP = { optimizationMode: 'bisection_skip_redundant_tests', directMergeMode: 'off', concurrency: 1 } as const;

  /** Entry 1 passed on the present target, and is about to be tested there once more. */
  function passedBefore(settings: Partial<QueueSettings>): void {
    begin({ ...SKIP, ...settings }).knowsResults = true;
    day.submit(1);
    day.carryOutAll();
    day.set({}, 'paused');
    day.pass(1);
    day.cancel(1);
    day.set({}, 'running');
  }

  it('is not tested again', () => {
    passedBefore({});
    day.submit(1);
    day.carryOutAll();
    expect([day.stateOf(1), day.target]).toEqual(['merged', ['main', '1@1a']]);
    expect(day.decisions.flatMap((decided) => decided.changes)).toContainEqual(
      expect.objectContaining({ to: 'tests_passed', because: 'passed_by_optimization' }),
    );
  });

  it('is tested again with optimizationMode off, and when the result is too old', () => {
    passedBefore({ optimizationMode: 'off' });
    day.submit(1);
    expect(day.carryOutAll().stateOf(1)).toBe('testing');
    passedBefore({});
    day.advance(24 * 60 + 1);
    day.submit(1);
    expect(day.carryOutAll().stateOf(1)).toBe('testing');
  });

  it('is tested again on request', () => {
    passedBefore({});
    day.set({}, 'paused');
    day.submit(1);
    day.set({}, 'running');
    day.set({}, 'paused');
    day.carryOutAll();
    expect(day.stateOf(1)).toBe('tests_passed');
    expect(day.restart(1)).toBeNull();
    day.set({}, 'running');
    expect(day.carryOutAll().stateOf(1)).toBe('testing');
  });

  it('fails its entry without another test, unless the entry is submitted again afterwards', () => {
    begin({ ...SKIP, batch: true, batchingMinSize: 2, bisectionConcurrency: 1 }).knowsResults = true;
    day.submit(1);
    day.submit(2);
    day.carryOutAll().fail(1);
    const alone = day.queue.runs.find((run) => run.search !== null);
    day.report(alone!, 'failed');
    day.carryOutAll();
    expect(day.stateOf(1)).toBe('failed');
    day.cancel(2);
    day.submit(1, { noBatch: true });
    expect(day.carryOutAll().stateOf(1)).toBe('testing');
  });
});
