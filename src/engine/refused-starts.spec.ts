import { EngineDay } from '../../test/support/engine-day';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

describe('attack 12: a pull request that git cannot merge', () => {
  it('fails at once with the reason, and the other entries of its batch are tested without it', () => {
    day = new EngineDay({ batch: true, batchingMinSize: 3 });
    day.open(2, { unbuildable: 'git needs more than 2048 MiB for it' });
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll();
    expect(day.entry(2)).toMatchObject({ state: 'failed', stateReason: 'start_test_run_refused' });
    expect(day.decisions.flatMap(({ changes }) => changes)).toContainEqual(
      expect.objectContaining({ to: 'failed', details: 'git needs more than 2048 MiB for it' }),
    );
    expect(day.testedOn(1)).toEqual([1, 3]);
    day.pass(3);
    expect(day.target).toEqual(['main', '1@1a', '3@3a']);
  });

  it('does not affect entries ahead of it and behind it in the line', () => {
    day = new EngineDay({ concurrency: 3 });
    day.open(2, { unbuildable: 'no' });
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll();
    expect([1, 2, 3].map((number) => day.stateOf(number))).toEqual(['testing', 'failed', 'testing']);
    expect(day.testedOn(3)).toEqual([1, 3]);
  });

  it('leaves a bisection, which continues with the other entries', () => {
    day = new EngineDay({ batch: true, batchingMinSize: 3 });
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll();
    day.change(2, { unbuildable: 'no' }, 'missed');
    day.fail(3);
    day.carryOutAll();
    expect(day.entry(2)).toMatchObject({ state: 'failed', stateReason: 'start_test_run_refused' });
    expect([1, 3].map((number) => day.stateOf(number))).not.toContain('failed');
  });
});

describe('attack 13: a testing branch that the host refuses', () => {
  it('fails its entry at once, in the words of the host', () => {
    day = new EngineDay();
    day.open(1, { unpushable: 'GH013: Repository rule violations' });
    day.submit(1);
    day.submit(2);
    day.carryOutAll();
    expect(day.entry(1)).toMatchObject({ state: 'failed', stateReason: 'start_test_run_refused' });
    expect(day.stateOf(2)).toBe('testing');
  });

  it('of a batch makes the queue try each member alone, in order, and fails only the refused member', () => {
    day = new EngineDay({ batch: true, batchingMinSize: 3 });
    day.open(2, { unpushable: 'changes a workflow' });
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll();
    expect(day.testedOn(1)).toEqual([1]);
    day.pass(1);
    day.carryOutAll();
    expect(day.entry(2)).toMatchObject({ state: 'failed', stateReason: 'start_test_run_refused' });
    day.pass(3);
    expect(day.target).toEqual(['main', '1@1a', '3@3a']);
  });

  it('of a bisection round ends the bisection, and each member is tried alone', () => {
    day = new EngineDay({ batch: true, batchingMinSize: 4 });
    for (const number of [1, 2, 3, 4]) day.submit(number);
    day.carryOutAll();
    day.change(1, { unpushable: 'changes a workflow' }, 'missed');
    day.fail(4);
    day.carryOutAll();
    expect(day.queue.searches).toEqual([]);
    expect(day.stateOf(1)).toBe('failed');
    for (const number of [2, 3, 4]) {
      day.carryOutAll();
      day.pass(number);
    }
    expect(day.target).toEqual(['main', '2@2a', '3@3a', '4@4a']);
  });
});
