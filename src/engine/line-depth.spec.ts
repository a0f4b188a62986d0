import { EngineDay } from '../../test/support/engine-day';
import { explain } from './explain';
import { FLOW_AT_START } from './flow-state';
import type { QueueSettings } from './model';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

const HALF_FAILED = { yes: 50, no: 32 };

/**
 * A queue with this many pull requests. `failed`: how many earlier pull requests failed (`yes`) and did not fail
 * (`no`).
 */
function risky(count: number, settings: Partial<QueueSettings> = {}, failed = HALF_FAILED): EngineDay {
  day = new EngineDay({ concurrency: 4, lineDepth: 'by_chance', ...settings });
  const learned = { ...FLOW_AT_START.learned, failure: failed };
  day.queue = { ...day.queue, flow: { ...FLOW_AT_START, learned } };
  for (let number = 1; number <= count; number++) day.submit(number);
  return day.carryOutAll();
}

function tested(): readonly number[] {
  return day.queue.runs.flatMap(({ own }) => own.map(({ number }) => number));
}

describe('lineDepth by_chance', () => {
  it('starts a run whose base is likely to land, and delays the runs behind it', () => {
    expect(risky(3).testedOn(2)).toEqual([1, 2]);
    expect(tested()).toEqual([1, 2]);
    day.pass(1);
    expect(tested()).toEqual([2, 3]);
  });

  it('assumes that all entries of a passed run pass', () => {
    risky(4).pass(2).carryOutAll();
    expect(day.stateOf(1)).toBe('testing');
    expect(tested()).toEqual([1, 2, 3, 4]);
  });

  it('delays runs on top of entries of which one must have caused a failure, until one of these entries passes', () => {
    day = new EngineDay({ concurrency: 8, lineDepth: 'by_chance' });
    for (let number = 1; number <= 6; number++) day.submit(number);
    day.carryOutAll();
    expect(tested()).toEqual([1, 2, 3, 4, 5, 6]);
    day.fail(4).carryOutAll();
    expect(tested()).toEqual([1, 2, 3, 4]);
    const [said] = explain(day.queue, [{ entryId: day.entry(5).id, ahead: 4 }], day.now);
    expect(said?.waitingFor).toContain(
      // Four entries, each of which is bad with 5 %, and one flake in a hundred tests. After a test of all four failed:
      // the chance that the first three are good.
      '5 % of pull requests fail, and a test of pull requests ahead has failed: all pull requests ahead of it pass with a probability of 26 %',
    );
    day.pass(1).carryOutAll();
    expect(tested()).toEqual([2, 3, 4, 5, 6]);
  });

  it('excludes passed entries from the possible causes of a failure', () => {
    risky(4, {}, { yes: 61, no: 22 });
    expect(tested()).toEqual([1, 2]);
    day.report(day.runOf(1), 'passed');
    // The test of #3 starts before #1 lands.
    day.act(day.commands.findIndex(({ type }) => type === 'startTestRun'));
    day.hear();
    day.report(day.runOf(3), 'failed');
    expect(day.stateOf(1)).toBe('tests_passed');
    const [said] = explain(day.queue, [{ entryId: day.entry(4).id, ahead: 3 }], day.now);
    expect(said?.waitingFor).toContain('all pull requests ahead of it pass with a probability of 29 %');
  });

  it('suspects no entry because of a failure that may be a flake', () => {
    day = new EngineDay({ concurrency: 8, lineDepth: 'by_chance', pendingFailureDepth: 2 });
    for (let number = 1; number <= 4; number++) day.submit(number);
    day.carryOutAll().fail(4).submit(5);
    expect(tested()).toEqual([1, 2, 3, 4, 5]);
  });

  it('does not suspect the entries ahead because of a failure once another entry of the failed run has left', () => {
    day = new EngineDay({ concurrency: 8, lineDepth: 'by_chance' });
    for (let number = 1; number <= 6; number++) day.submit(number);
    day.carryOutAll().fail(5).fail(1).carryOutAll();
    expect(day.stateOf(1)).toBe('failed');
    expect(tested()).toEqual([2, 3, 4, 5, 6]);
  });

  it('starts, in parallel mode, a run that is worth a test before an earlier entry whose run is not', () => {
    risky(0, { concurrency: 1 }, { yes: 80, no: 2 });
    day.happen({ type: 'settingsChanged', settings: {}, mode: 'parallel', actor: 'ci' });
    day.open(1, { draft: true });
    for (const number of [1, 2]) day.setTargets(number, ['a']);
    day.submit(1);
    // These four submissions lie between those of entries 1 and 2, so entry 2 has a later turn than entry 1.
    for (const number of [3, 4, 5, 6]) {
      day.setTargets(number, ['b']);
      day.submit(number);
      day.cancel(number);
    }
    day.submit(2);
    day.carryOutAll();
    day.change(1, { draft: false });
    expect(tested()).toEqual([2]);
    day.pushToTarget('a push');
    day.carryOutAll();
    expect(tested()).toEqual([2]);
  });

  it('explains a delay with the probability that all entries ahead pass', () => {
    risky(3);
    const [said] = explain(day.queue, [{ entryId: day.entry(3).id, ahead: 2 }], day.now);
    expect(said?.waitingFor).toContain(
      '50 % of pull requests fail: all pull requests ahead of it pass with a probability of 25 %',
    );
  });

  it('learns from merges and failures', () => {
    day = new EngineDay({ concurrency: 2, lineDepth: 'by_chance' });
    day.submit(1);
    day.submit(2);
    day.carryOutAll().pass(1).fail(2);
    expect(day.queue.flow?.learned.failure).toEqual({ yes: 1, no: 1 });
  });

  it('lets no failed entry wait for runs behind it that are not worth a test', () => {
    risky(3, { pendingFailureDepth: 2 }).fail(2).fail(1);
    expect(day.stateOf(1)).toBe('failed');
  });
});
