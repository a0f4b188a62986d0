import { EngineDay } from '../../test/support/engine-day';
import type { QueueSettings } from './model';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

/** Submits pull requests with these targets to a queue in parallel mode, and builds as many runs as there are slots. */
function lanes(targets: Readonly<Record<number, readonly string[]>>, settings: Partial<QueueSettings> = {}): EngineDay {
  day = new EngineDay({ concurrency: 4, ...settings });
  day.happen({ type: 'settingsChanged', settings: {}, mode: 'parallel', actor: 'ci' });
  for (const [number, names] of Object.entries(targets)) {
    day.open(Number(number)).setTargets(Number(number), names);
    day.submit(Number(number));
  }
  return day.carryOutAll();
}

function tested(): readonly number[] {
  return day.queue.runs.flatMap(({ own }) => own.map(({ number }) => number));
}

describe('a failed entry in parallel mode', () => {
  it('fails at once if the missing change landed after its whole base, because that base was once the target', () => {
    lanes({ 1: ['api', 'web'], 2: ['web'], 3: ['api'] })
      .pass(1)
      .pass(3)
      .fail(2);
    expect(day.stateOf(2)).toBe('failed');
  });

  it('is tested again when the missing change may have landed in one move with its base', () => {
    lanes({ 1: ['api', 'web'], 2: ['web'], 3: ['api'] }, { canOptimisticallyMerge: true })
      .pass(1)
      .pass(3)
      .fail(2);
    expect([day.stateOf(2), day.testedOn(2)]).toEqual(['testing', [2]]);
  });

  it('is tested again if the missing change landed with its base, even if optimistic merging is off by then', () => {
    lanes({ 1: ['api', 'web'], 2: ['web'], 3: ['api'] }, { canOptimisticallyMerge: true })
      .carryOutAll()
      .pass(3);
    expect([day.stateOf(1), day.stateOf(3), day.testedOn(2)]).toEqual(['merged', 'merged', [1, 2]]);
    day.happen({ type: 'settingsChanged', settings: { canOptimisticallyMerge: false }, actor: 'ci' });
    day.fail(2);
    expect([day.stateOf(2), tested()]).toEqual(['testing', [2]]);
  });

  it('is tested again once the runs without it are decided, because those runs land first', () => {
    lanes({ 1: ['api'], 2: ['api', 'web'], 3: ['web'], 4: ['web'] })
      .fail(3)
      .pass(1)
      .pass(2);
    expect([day.stateOf(3), tested()]).toEqual(['pending', [4]]);
    day.pass(4);
    expect([day.stateOf(3), day.testedOn(3)]).toEqual(['testing', [3]]);
  });

  it('does not hold up entries that a freeze forbids to land', () => {
    lanes({ 1: ['api'], 2: ['api', 'web'], 3: ['web'], 4: ['web'] })
      .fail(3)
      .pass(1)
      .pass(2);
    const from = day.now + 1;
    day.queue = { ...day.queue, freezes: [{ from, until: from + 60_000, exceptPriorityAtMost: null }] };
    day.pass(4);
    expect(day.stateOf(3)).toBe('testing');
  });

  it('is assumed to pass again as soon as an entry of its base fails: that explains its failure', () => {
    lanes({ 1: ['api'], 2: ['api'], 3: ['api'] })
      .fail(2)
      .fail(1);
    day.open(4).setTargets(4, ['api']);
    day.submit(4);
    day.carryOutAll();
    expect([day.testedOn(2), day.testedOn(4)]).toEqual([
      [3, 2],
      [3, 2, 4],
    ]);
  });

  it('does not interrupt the runs without it when it is assumed to pass again, and is tested behind them', () => {
    lanes({ 1: ['api'], 2: ['api', 'web'], 3: ['web'] }).fail(2);
    const { number, builtOn } = day.runOf(3);
    day.fail(1);
    expect([builtOn, day.runOf(3).number, day.testedOn(2)]).toEqual([[], number, [3, 2]]);
  });
});

describe('a free slot in parallel mode', () => {
  it('goes to an earlier entry with entries ahead rather than to a much later entry with none ahead', () => {
    lanes({ 1: ['web'], 2: ['api'], 3: ['api'], 4: ['docs'], 5: ['cli'] }, { concurrency: 2 });
    expect(day.pass(1).carryOutAll()).toBe(day);
    expect(tested()).toEqual([2, 4]);
    day.pass(4);
    expect(tested()).toEqual([2, 3]);
  });

  it('goes to the entry with the better priority, even if another entry was submitted earlier', () => {
    day = lanes({ 1: ['api'] }, { concurrency: 1 });
    for (const [number, priority] of [
      [2, 100],
      [3, 10],
    ] as const) {
      day.open(number).setTargets(number, [`own-${number}`]);
      day.submit(number, { priority });
    }
    day.carryOutAll().pass(1);
    expect(tested()).toEqual([3]);
  });

  it('goes to an entry for which several other entries wait', () => {
    lanes({ 1: ['web'], 2: ['api'], 3: ['docs'], 4: ['cli'], 5: ['cli'] }, { concurrency: 2 });
    day.pass(1);
    expect(tested()).toEqual([2, 3]);
    lanes({ 1: ['web'], 2: ['api'], 3: ['docs'], 4: ['cli'], 5: ['cli'], 6: ['cli'] }, { concurrency: 2 });
    day.pass(1);
    expect(tested()).toEqual([2, 4]);
  });
});
