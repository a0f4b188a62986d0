import { EngineDay } from '../../../test/support/engine-day';
import { forbiddenMoves } from '../../../test/simulation/days/checks/transitions';
import type { TestRun } from '../model';

let day: EngineDay;

afterEach(() => {
  expect(day.problems).toEqual([]);
  expect(forbiddenMoves(day.decisions.flatMap(({ changes }) => changes))).toEqual([]);
});

/** Tests the pull requests 1 to `count` as one group. */
function testTogether(count: number): TestRun {
  const flow = { scheduling: 'flow', canOptimisticallyMerge: true, batch: true, batchingMinSize: count } as const;
  day = new EngineDay({ ...flow, concurrency: 3, bisectionConcurrency: 0, testingTimeoutMinutes: 60 });
  for (let number = 1; number <= count; number++) day.submit(number);
  day.carryOutAll();
  return day.queue.runs[0]!;
}

function lose(run: TestRun): void {
  day.report(run, 'lost');
  day.advance(5);
  day.carryOutAll();
}

function underTest(): readonly string[] {
  return day.queue.runs.map(({ builtOn, own }) =>
    [builtOn, own].map((heads) => heads.map(({ number }) => number).join('+')).join('|'),
  );
}

describe('flow scheduling: a run that CI gave up', () => {
  it('is started again with all its entries', () => {
    lose(testTogether(3));
    expect(underTest()).toEqual(['|1+2+3']);
    expect([1, 2, 3].map((number) => day.entry(number).timesLost)).toEqual([1, 1, 1]);
  });

  it('does not count as inconclusive for an entry that was cancelled meanwhile', () => {
    const run = testTogether(3);
    day.cancel(2);
    lose(run);
    expect(day.stateOf(2)).toBe('cancelled');
    expect(day.entry(2).timesLost).toBe(0);
    expect(underTest()).toEqual(['|1+3']);
  });

  it('does not affect a restarted entry, whose new test continues', () => {
    const run = testTogether(3);
    day.restart(2);
    day.carryOutAll();
    expect(underTest()).toEqual(['|1+2+3', '|2']);
    lose(run);
    expect(day.entry(2).timesLost).toBe(0);
    expect(underTest()).toEqual(['|2', '2|1+3']);
  });

  it('makes its entries suspects, like a failed run, after three inconclusive runs: no entry fails for that', () => {
    const run = testTogether(3);
    lose(run);
    lose(day.queue.runs[0]!);
    lose(day.queue.runs[0]!);
    expect(underTest()).toEqual(['|1+2+3']);
    expect([1, 2, 3].map((number) => day.entry(number).flow?.at)).toEqual(['suspect', 'suspect', 'suspect']);
  });
});

describe('flow scheduling: a run that cannot be started', () => {
  it('fails no other entry if the entry that prevented the start has left', () => {
    day = new EngineDay({ scheduling: 'flow', canOptimisticallyMerge: true, batch: true, batchingMinSize: 2 });
    day.open(2, { unbuildable: 'its message has no end' });
    day.submit(1);
    day.submit(2);
    day.act();
    day.cancel(2);
    day.carryOutAll();
    expect([day.stateOf(1), day.stateOf(2)]).toEqual(['pending', 'cancelled']);
    day.advance(5);
    day.carryOutAll();
    day.pass(1);
    expect(day.target).toEqual(['main', '1@1a']);
  });
});

describe('flow scheduling: two runs of one entry', () => {
  it('merge the entry if one run fails in isolation and the other run passes', () => {
    day = new EngineDay({ scheduling: 'flow', canOptimisticallyMerge: true, concurrency: 3, bisectionConcurrency: 0 });
    day.submit(1);
    day.submit(2);
    day.carryOutAll();
    day.cancel(1);
    day.report(day.runOf(2), 'passed');
    day.carryOutAll();
    const check = day.runOf(2);
    day.submit(2, { priority: 0 });
    day.carryOutAll();
    const alone = day.queue.runs.find(({ number }) => number !== check.number)!;
    day.report(alone, 'failed');
    expect(day.stateOf(2)).toBe('pending_failure');
    day.report(check, 'passed');
    day.carryOutAll();
    expect(day.target).toEqual(['main', '2@2a']);
  });
});

describe('flow scheduling: a landing that the host refuses midway', () => {
  it('merges the accepted entries, fails the refused entry, and tests the target before other entries', () => {
    const run = testTogether(3);
    day.open(2, { refusalMidway: 'a review is missing' });
    day.report(run, 'passed');
    day.carryOutAll();
    expect([1, 2, 3].map((number) => day.stateOf(number))).toEqual(['merged', 'failed', 'pending']);
    expect(day.queue.runs.map(({ kind, flow }) => [kind, flow])).toEqual([['target', undefined]]);
    day.report(day.queue.runs[0]!, 'passed');
    day.carryOutAll();
    expect(underTest()).toEqual(['|3']);
    day.pass(3);
    expect(day.target).toEqual(['main', '1@1a', '3@3a']);
  });

  it('pauses the queue when the test of the target fails', () => {
    const run = testTogether(3);
    day.open(2, { refusalMidway: 'a review is missing' });
    day.report(run, 'passed');
    day.carryOutAll();
    day.report(day.queue.runs[0]!, 'failed');
    day.carryOutAll();
    expect([day.queue.state, day.stateOf(3), day.queue.runs]).toEqual(['paused', 'pending', []]);
  });
});
