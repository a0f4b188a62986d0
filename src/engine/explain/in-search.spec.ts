import { EngineDay } from '../../../test/support/engine-day';
import { explain } from '../explain';
import type { QueueSettings, TestRun } from '../model';

const SKIP: Partial<QueueSettings> = { optimizationMode: 'bisection_skip_redundant_tests' };
let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

/** A failed batch of this size, whose test in the line is over. */
function redBatch(size: number, settings: Partial<QueueSettings> = {}): EngineDay {
  day = new EngineDay({ batch: true, batchingMinSize: size, ...settings });
  for (let number = 1; number <= size; number++) day.submit(number);
  return day.carryOutAll().fail(1);
}

/** The run of a bisection that tests the prefix of this length. */
function prefix(length: number): TestRun {
  const run = day.queue.runs.find((other) => other.search !== null && other.own.length === length);
  if (!run) throw new Error(`no search tests the first ${length}`);
  return run;
}

function report(length: number, state: 'passed' | 'failed'): void {
  day.report(prefix(length), state);
  day.carryOutAll();
}

function statusOf(length: number): string {
  return `Required status \`ci\` has not reported on ${prefix(length).commit!.slice(0, 8)} yet. The test times out in 5 hours`;
}

function why(number: number): string | null {
  const [explanation] = explain(day.queue, [{ entryId: day.entry(number).id, ahead: 0 }], day.now);
  return explanation?.waitingFor ?? null;
}

describe('explaining an entry in a bisection', () => {
  it('says that its whole batch is tested once more first', () => {
    redBatch(4);
    expect(why(3)).toBe(
      'Its batch of 4 failed. The whole batch is tested once more before bisection starts. ' + statusOf(4),
    );
  });

  it('names the suspects, the prefixes under test, and the missing statuses of the shortest prefix with the entry', () => {
    redBatch(4, { ...SKIP, bisectionConcurrency: 2 });
    const searched =
      'Its batch of 4 failed. The culprit is one of #1, #2, #3, #4. ' +
      'Being tested: the first 1, the first 3 of 4 (2 tests in parallel). ';
    expect(why(1)).toBe(searched + statusOf(1));
    expect(why(2)).toBe(searched + statusOf(3));
    expect(why(4)).toBe(searched + statusOf(1));
  });

  it('says that the entry is no suspect, and returns to the queue when bisection ends', () => {
    redBatch(5, { ...SKIP, bisectionConcurrency: 1 });
    report(3, 'passed');
    expect(why(1)).toBe(
      'Its batch of 5 failed. The culprit is one of #4, #5. This pull request is not a suspect. ' +
        'When bisection ends, it returns to the queue ahead of all but urgent pull requests. ' +
        `Being tested: the first 4 of 5 (1 test in parallel). ${statusOf(4)}`,
    );
  });

  it('says that the bisection checks the entries in front of it first', () => {
    redBatch(6, { ...SKIP, bisectionConcurrency: 1 });
    report(3, 'failed');
    expect(why(4)).toBe(
      'Its batch of 6 failed. The culprit is one of #1, #2, #3. This pull request is not a suspect so far. ' +
        'When bisection ends, it returns to the queue ahead of all but urgent pull requests. ' +
        `Being tested: the first 2 of 6 (1 test in parallel). ${statusOf(2)}`,
    );
  });

  it('counts the suspects, if there are more than eight', () => {
    redBatch(9, SKIP);
    expect(why(9)).toContain('The culprit is one of 9 pull requests.');
  });

  it('says that the entry is the only suspect, and is tested once more', () => {
    redBatch(3, { ...SKIP, bisectionConcurrency: 2 });
    report(1, 'passed');
    report(2, 'failed');
    expect(why(2)).toBe(
      'Its batch of 3 failed, and it is the only suspect. ' +
        `It is tested once more in isolation, and fails only if that test fails. ${statusOf(1)}`,
    );
  });

  it('says that a slot is missing, and which bisection goes first', () => {
    const settings = { ...SKIP, batch: true, batchingMinSize: 2, concurrency: 2, bisectionConcurrency: 1 };
    day = new EngineDay(settings);
    for (const number of [1, 2, 3, 4]) day.submit(number);
    day.carryOutAll().fail(1);
    day.carryOutAll().fail(3);
    day.advance(3);
    const waits = 'Its batch of 2 failed. The culprit is one of #3, #4. Waits for a bisection slot (1 of 1 in use';
    expect(why(3)).toBe(
      `${waits}, set by bisectionConcurrency). The bisection of #1, #2 comes first. Pending for 3 minutes`,
    );
    day.set({ bisectionConcurrency: 7 }, 'paused');
    day.queue = { ...day.queue, state: 'running', limits: { ...day.queue.limits, runsInFlight: 1 } };
    expect(why(3)).toContain(`${waits}, the limit of this service)`);
  });

  it('names no other bisection if the bisection of the entry is the oldest', () => {
    day = new EngineDay({ ...SKIP, batch: true, batchingMinSize: 2, concurrency: 2 });
    for (const number of [1, 2, 3, 4]) day.submit(number);
    day.carryOutAll().fail(1).fail(3);
    day.set({ bisectionConcurrency: 1 });
    day.report(day.runOf(1), 'passed');
    day.carryOutAll();
    expect(day.queue.searches).toHaveLength(2);
    expect(why(2)).toContain(
      'if that test fails. Waits for a bisection slot (1 of 1 in use, set by bisectionConcurrency)',
    );
    expect(why(2)).not.toContain('comes first');
  });

  it('says that no test starts in a paused queue', () => {
    day = new EngineDay({ ...SKIP, batch: true, batchingMinSize: 2 });
    for (const number of [1, 2]) day.submit(number);
    day.carryOutAll().set({}, 'paused');
    day.fail(1);
    expect(why(2)).toBe(
      'Its batch of 2 failed. The culprit is one of #1, #2. ' +
        'The queue is paused: no test starts until it is running',
    );
    day.queue = { ...day.queue, state: 'running' };
    expect(why(2)).toContain('#1, #2. Its next test is about to start');
  });

  it('says that the commit is being built, and names a host that does not answer', () => {
    day = new EngineDay({ ...SKIP, batch: true, batchingMinSize: 2 });
    for (const number of [1, 2]) day.submit(number);
    day.carryOutAll().report(day.runOf(1), 'failed');
    expect(why(2)).toContain('of 2 (1 test in parallel). The test commit of #1 is being built');
    day.store.hostUnreachableSince = day.now;
    expect(why(2)).toContain('of 2 (1 test in parallel). git.example has not answered; the queue keeps asking');
  });

  it('says that the next test waits until the host knows whether an entry of this test can be merged, and that the queue asks again', () => {
    day = new EngineDay({ ...SKIP, batch: true, batchingMinSize: 2 });
    for (const number of [1, 2]) day.submit(number);
    day.carryOutAll();
    day.change(1, { mergeability: 'unspecified' }, 'missed');
    day.fail(1);
    expect(why(2)).toContain('Waits until git.example knows whether #1 can be merged; the queue asks again in');
  });
});
