import { EngineDay } from '../../test/support/engine-day';
import type { QueueSettings } from './model';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

function begin(settings: Partial<QueueSettings> = {}): void {
  day = new EngineDay({ concurrency: 2, ...settings });
}

/** Opens a stack with these pull requests as layers, the lowest layer first. */
function openStack(...numbers: readonly number[]): void {
  for (const [height, number] of numbers.entries())
    day.open(number, { stack: { number: numbers[0]!, below: numbers.slice(0, height) } });
}

/** Submits the layers in the order in which the service does: the lowest layer comes last. */
function submitStack(...numbers: readonly number[]): void {
  openStack(...numbers);
  for (const number of numbers.toReversed()) day.submit(number);
  day.carryOutAll();
}

function rewrite(number: number): void {
  Object.assign(day.host.pullRequest(number), { head: `${number}b`, isRewritten: true });
  day.happen(day.host.seen(number, day.now));
}

const tested = (): number[][] => day.queue.runs.map(({ own }) => own.map(({ number }) => number));

describe('a stack of the host', () => {
  it.each([{}, { scheduling: 'flow', canOptimisticallyMerge: true, concurrency: 1 }] as const)(
    'is one test even without batches: %j',
    (settings) => {
      begin(settings);
      submitStack(1, 2, 3);
      expect(tested()).toEqual([[1, 2, 3]]);
    },
  );

  it('is one member of a batch', () => {
    begin({ batch: true, batchingMinSize: 3, batchingMaxWaitTimeMinutes: 10 });
    submitStack(1, 2, 3);
    day.submit(4);
    day.carryOutAll();
    expect(tested()).toEqual([]);
    day.submit(5);
    day.carryOutAll();
    expect(tested()).toEqual([[1, 2, 3, 4, 5]]);
  });

  it('stays together, although another entry was submitted between its layers', () => {
    begin({ batch: true, batchingMinSize: 2, batchingMaxWaitTimeMinutes: 10 });
    openStack(1, 2);
    day.set({}, 'paused');
    for (const number of [1, 3, 2]) day.submit(number);
    day.set({}, 'running');
    day.carryOutAll();
    expect(tested()).toEqual([[1, 2, 3]]);
  });

  it('is tested without other entries if its layers have noBatch', () => {
    begin({ batch: true, batchingMinSize: 3, batchingMaxWaitTimeMinutes: 1 });
    openStack(1, 2);
    day.submit(2, { noBatch: true });
    day.submit(1, { noBatch: true });
    day.submit(3);
    day.carryOutAll();
    expect(tested()).toEqual([[1, 2]]);
  });

  it('is one test when it is urgent', () => {
    begin();
    day.submit(9);
    openStack(1, 2);
    for (const number of [2, 1]) day.submit(number, { priority: 0 });
    day.carryOutAll();
    expect(tested()).toContainEqual([1, 2]);
  });

  it('is one test in parallel mode, too', () => {
    begin();
    day.happen({ type: 'settingsChanged', settings: {}, mode: 'parallel', actor: 'ci' });
    openStack(1, 2);
    for (const number of [1, 2]) day.setTargets(number, ['web']);
    for (const number of [2, 1]) day.submit(number);
    day.carryOutAll();
    expect(tested()).toEqual([[1, 2]]);
  });

  it('is not merged directly', () => {
    begin({ directMergeMode: 'always' });
    openStack(1);
    day.submit(1);
    expect(day.queue.landing).toBeNull();
  });
});

describe('a layer of a stack that gets another head', () => {
  it.each([{}, { scheduling: 'flow', canOptimisticallyMerge: true }] as const)(
    'continues in its place if the host made the head, and entries above depend on it: %j',
    (settings) => {
      begin(settings);
      openStack(1, 2);
      day.open(2, { stack: { number: 1, below: [1] }, contains: ['1a'] });
      for (const number of [1, 2]) day.submit(number);
      day.carryOutAll();
      rewrite(1);
      expect(day.entry(1)).toMatchObject({ attempt: 1, head: '1b', state: 'pending' });
      expect(day.entry(2).needs).toEqual([
        { number: 1, head: '1b' },
        { number: 1, head: null },
      ]);
      rewrite(2);
      day.carryOutAll();
      expect([1, 2].map((number) => day.stateOf(number))).toEqual(['testing', 'testing']);
    },
  );

  it('is neither tested nor merged until the queue knows who made the head', () => {
    begin();
    submitStack(1, 2);
    const { facts } = day.host.seen(2, day.now);
    const run = day.queue.runs[0]?.number ?? 0;
    Object.assign(day.host.pullRequest(2), { head: '2b' });
    day.queue = {
      ...day.queue,
      entries: day.queue.entries.map((entry) =>
        entry.number === 2 ? { ...entry, pullRequest: { ...facts, head: '2b' } } : entry,
      ),
    };
    day.pass(run);
    expect([1, 2].map((number) => day.stateOf(number))).toEqual(['tests_passed', 'tests_passed']);
    expect(day.target).toEqual(['main']);
    day.happen(day.host.seen(2, day.now));
    expect(day.entry(2)).toMatchObject({ state: 'cancelled', stateReason: 'pr_pushed_to' });
  });
});
