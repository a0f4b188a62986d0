import { EngineDay } from '../../../test/support/engine-day';
import { explain } from '../explain';
import type { QueueSettings, QueueSnapshot, ServiceLimits } from '../model';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

function begin(settings: Partial<QueueSettings> = {}, limits: Partial<ServiceLimits> = {}): EngineDay {
  day = new EngineDay(settings);
  day.queue = { ...day.queue, limits: { ...day.queue.limits, ...limits } };
  return day;
}

function inLanes(settings: Partial<QueueSettings>, targets: Readonly<Record<number, readonly string[]>>): void {
  begin(settings).happen({ type: 'settingsChanged', settings: {}, mode: 'parallel', actor: 'ci' });
  for (const [number, names] of Object.entries(targets)) day.setTargets(Number(number), names);
}

function submit(...numbers: readonly number[]): void {
  for (const number of numbers) day.submit(number);
  day.carryOutAll();
}

function why(number: number, ahead = 0, queue: QueueSnapshot = day.queue): string | null {
  const [explanation] = explain(queue, [{ entryId: day.entry(number).id, ahead }], day.now);
  return explanation?.waitingFor ?? null;
}

describe('explaining an entry that waits for its turn', () => {
  it('gives the number of entries ahead, the number of slots, and the waiting time', () => {
    begin();
    submit(1, 2, 3);
    expect(why(2)).toBe('1 pull request ahead of it: waits for a free slot (1 test run at once)');
    day.advance(12);
    expect(why(3)).toBe(
      '2 pull requests ahead of it: waits for a free slot (1 test run at once). Pending for 12 minutes',
    );
    expect(why(3, 2_000)).toContain('2000 pull requests ahead of it');
  });

  it('says that more tests are under way than a lower concurrency allows', () => {
    begin({ concurrency: 3 });
    submit(1, 2, 3, 4);
    day.set({ concurrency: 1 });
    expect(why(4)).toContain('waits for a free slot (3 test runs in progress, 1 allowed now)');
  });

  it('names the limit of the service if the queue asks for more', () => {
    begin({ concurrency: 500 }, { runsInFlight: 2 });
    submit(1, 2, 3);
    expect(why(3)).toContain('waits for a free slot (2 test runs at once, the limit of this service)');
    day.pass(2);
    expect(why(3)).toBe(
      '2 pull requests ahead of it: waits until a pull request merges or leaves the queue ' +
        '(2 test runs in flight, as many as this service allows)',
    );
  });

  it('says that candidates are built one at a time', () => {
    begin({ concurrency: 3 });
    for (const number of [1, 2]) day.submit(number);
    expect(why(2)).toBe(
      '1 pull request ahead of it: the commit of #1 is built first, because commits are built one at a time',
    );
  });

  it('counts no entries in a bisection, and does not wait for the build of their commits', () => {
    const optimizationMode = 'bisection_skip_redundant_tests';
    begin({ batch: true, batchingMinSize: 2, optimizationMode });
    submit(1, 2);
    day.report(day.runOf(1), 'failed');
    day.submit(3);
    expect(why(3)).toContain('Waits for its batch to fill (1 of 2)');
    submit(4, 5);
    expect(why(5)).toBe('2 pull requests ahead of it: waits for a free slot (1 test run at once)');
  });

  it('says that it goes ahead of other entries after its return from a bisection', () => {
    const optimizationMode = 'bisection_skip_redundant_tests';
    begin({ batch: true, batchingMinSize: 3, bisectionConcurrency: 2, optimizationMode });
    submit(1, 2, 3, 4, 5, 6);
    day.fail(1);
    for (const run of day.queue.runs.filter(({ search }) => search !== null))
      day.report(run, run.own.length === 1 ? 'passed' : 'failed');
    day.carryOutAll();
    expect(why(1)).toBe(
      '3 pull requests ahead of it: waits for a free slot (1 test run at once). ' +
        'It returned from bisection, ahead of all but urgent pull requests',
    );
  });

  it('says only that it waits for its turn if more entries are ahead than were loaded', () => {
    begin({ batch: true, concurrency: 2, batchingMinSize: 2 });
    submit(1, 2, 3);
    expect(why(3, 40)).toContain('Waits for its batch to fill');
    const bounded = { ...day.queue, moreToLoad: { unchecked: false, waiting: true, held: false } };
    expect(why(3, 2, bounded)).toContain('Waits for its batch to fill');
    expect(why(3, 40, bounded)).toBe('40 pull requests ahead of it: waits for its turn');
  });

  it('says that it is next if the queue has not decided yet', () => {
    begin().set({}, 'paused');
    day.submit(1);
    day.submit(2);
    day.queue = { ...day.queue, state: 'running' };
    expect(why(1)).toBe('Nothing is missing: the queue continues with this pull request next');
    expect(why(2)).toBe('1 pull request ahead of it: waits for its turn');
  });

  it('says that the host is asked again whether the entry can be merged', () => {
    begin().open(1).submit(1);
    day.change(1, { mergeability: 'unspecified' }, 'missed');
    day.carryOutAll();
    expect(why(1)).toBe(
      'Waits until git.example knows whether #1 can be merged; the queue asks again in less than a minute',
    );
  });
});

describe('explaining an entry that waits for a batch', () => {
  it('gives the number of missing members, the present members, and the latest start', () => {
    begin({ batch: true });
    submit(1, 2);
    day.advance(1);
    expect(why(1)).toBe(
      'Waits for its batch to fill (2 of 4, with #2); starts in 4 minutes at the latest. ' +
        'To start at once, submit it again with noBatch',
    );
    expect(why(2)).toContain('(2 of 4, with #1); starts in 4 minutes at the latest. To start at once');
    day.submit(1, { noBatch: true });
    day.carryOutAll();
    expect([day.testedOn(1), day.stateOf(2)]).toEqual([[1], 'pending']);
  });

  it('names the limit of the service if the queue asks for larger batches', () => {
    begin({ batch: true, batchingMinSize: 1_000 }, { batchSize: 3 });
    submit(1);
    expect(why(1)).toContain('Waits for its batch to fill (1 of 3, the limit of this service)');
    day.set({ batchingMinSize: 3 });
    expect(why(1)).toContain('Waits for its batch to fill (1 of 3);');
  });

  it('names the pull request of its lane that goes first, and what that pull request waits for', () => {
    inLanes({ batch: true, concurrency: 3 }, { 1: ['api'], 2: ['api'], 3: ['web'] });
    day.submit(1);
    day.submit(2, { noBatch: true });
    submit(3);
    expect(why(1)).toContain('(1 of 4); starts in 5 minutes at the latest. To start at once');
    expect(why(2)).toBe(
      'Held up by #1, which shares a target with it and is tested first. #1 waits for its batch (#1) to fill ' +
        'and starts in 5 minutes at the latest',
    );
    expect(why(3)).toContain('Waits for its batch to fill (1 of 4)');
  });

  it('names the pull request that goes first, even if that pull request is held up itself', () => {
    inLanes({ batch: true, concurrency: 3 }, { 1: ['api'], 2: ['api', 'web'], 3: ['web'] });
    day.submit(1);
    day.submit(2, { noBatch: true });
    submit(3);
    day.advance(2);
    expect(why(3)).toBe(
      'Held up by #2, which shares a target with it and is tested first. ' +
        '#2 itself is held up by a batch that is not full yet. Pending for 2 minutes',
    );
  });

  it('names the entry ahead whose batch is filling, not the entry ahead that is held up itself', () => {
    inLanes({ batch: true, concurrency: 4 }, { 1: ['api'], 2: ['api', 'web'], 3: ['docs'], 4: ['web', 'docs'] });
    for (const number of [1, 2, 3, 4]) day.submit(number, { noBatch: number % 2 === 0 });
    day.carryOutAll();
    expect(why(4)).toContain('Held up by #3, which shares a target with it and is tested first');
  });

  it('says that it is next once the maximum wait of its batch is over', () => {
    begin({ batch: true });
    submit(1);
    const { queue } = day;
    expect(why(1, 0, queue)).toContain('Waits for its batch to fill');
    day.now += 5 * 60_000;
    expect(why(1, 0, queue)).toBe('Nothing is missing: the queue continues with this pull request next');
  });

  it('does not recommend noBatch if another entry of its lane would still go first', () => {
    inLanes({ batch: true, concurrency: 3 }, { 1: ['api'], 2: ['api'] });
    submit(1, 2);
    expect(why(2)).toBe('Waits for its batch to fill (2 of 4, with #1); starts in 5 minutes at the latest');
  });
});
