import type { QueueSettings } from './model';
import { EngineDay } from '../../test/support/engine-day';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

function begin(settings: Partial<QueueSettings> = {}): EngineDay {
  day = new EngineDay(settings);
  return day;
}

describe('an urgent pull request', () => {
  it('is tested at once at the head; the runs it overtook restart on top of it', () => {
    begin({ concurrency: 2 });
    for (const number of [1, 2]) day.submit(number);
    day.carryOutAll().submit(3, { priority: 0 });
    day.carryOutAll();
    expect(day.testedOn(3)).toEqual([3]);
    expect(day.testedOn(1)).toEqual([3, 1]);
    expect(reasons(1)).toContain('pending: skip_the_line_interrupted');
    expect(day.stateOf(2)).toBe('pending');
  });

  it('is named as the reason of a new test only for the entries that it overtook', () => {
    begin({ concurrency: 3 });
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll().submit(4, { priority: 0 });
    day.carryOutAll().cancel(2);
    day.carryOutAll();
    expect(reasons(1)).toContain('pending: skip_the_line_interrupted');
    expect(reasons(3).filter((reason) => reason.endsWith('skip_the_line_interrupted'))).toHaveLength(1);
    expect(day.testedOn(3)).toEqual([4, 1, 3]);
  });

  it('stands behind earlier urgent entries and behind groups that are being landed', () => {
    begin({ concurrency: 3 });
    day.submit(1);
    day.carryOutAll();
    day.report(day.runOf(1), 'passed');
    day.submit(2, { priority: 0 });
    day.submit(3, { priority: 0 });
    day.carryOutAll();
    expect(day.target).toEqual(['main', '1@1a']);
    expect(day.testedOn(3)).toEqual([2, 3]);
  });

  it('goes before a later urgent pull request if both were waiting', () => {
    begin({ concurrency: 2 }).set({}, 'paused');
    for (const number of [1, 2]) day.submit(number, { priority: 0 });
    day.set({}, 'running');
    day.carryOutAll();
    expect(day.testedOn(2)).toEqual([1, 2]);
  });

  it('interrupts no run while its mergeability is unknown, until the host is asked again', () => {
    begin().open(1).submit(1, { priority: 0 });
    day.change(1, { mergeability: 'unspecified' }, 'missed');
    day.submit(2);
    day.carryOutAll().change(1, { mergeability: 'mergeable' }, 'missed');
    const { askAgainAt } = day.entry(1);
    day.now = askAgainAt! - 1;
    day.happen({ type: 'clockTicked' });
    expect([day.entry(1).place, day.stateOf(2)]).toEqual([null, 'testing']);
    day.now = askAgainAt!;
    day.happen({ type: 'clockTicked' });
    expect(day.carryOutAll().testedOn(1)).toEqual([1]);
    expect(day.stateOf(2)).toBe('pending');
  });

  it('interrupts nothing while the queue is paused', () => {
    begin().submit(1);
    day.carryOutAll().set({}, 'paused');
    day.submit(2, { priority: 0 });
    day.carryOutAll();
    expect([day.stateOf(1), day.stateOf(2)]).toEqual(['testing', 'pending']);
  });

  it('can be a waiting entry with a new priority; an entry under test keeps its run', () => {
    begin().submit(1);
    day.submit(2);
    day.carryOutAll();
    day.submit(1, { priority: 0 });
    expect(day.carryOutAll().runOf(1).number).toBe(1);
    day.submit(2, { priority: 0 });
    day.carryOutAll();
    expect(day.testedOn(2)).toEqual([2]);
    expect(day.stateOf(1)).toBe('pending');
  });

  it('can be an entry whose batch is being built, and then leaves the batch', () => {
    begin({ batch: true, batchingMinSize: 2 });
    for (const number of [1, 2]) day.submit(number);
    expect(day.queue.runs).toMatchObject([{ phase: 'building' }]);
    day.submit(2, { priority: 0 });
    day.carryOutAll().pass(2);
    expect(day.target).toEqual(['main', '2@2a']);
  });

  it('can be an entry in conflict with an entry ahead: at the head there is no conflict', () => {
    begin({ concurrency: 2 });
    day.open(2, { conflictsWith: [1] });
    for (const number of [1, 2]) day.submit(number);
    day.carryOutAll();
    expect(day.runOf(2).phase).toBe('conflicted');
    day.submit(2, { priority: 0 });
    day.carryOutAll().pass(2);
    expect(day.target).toEqual(['main', '2@2a']);
  });

  it('keeps its place when it became urgent during its test and must be tested again', () => {
    begin({ concurrency: 2 });
    for (const number of [1, 2]) day.submit(number);
    day.carryOutAll().submit(2, { priority: 0 });
    day.restart(2);
    expect(day.carryOutAll().testedOn(2)).toEqual([1, 2]);
    day.pushToTarget('outside');
    expect(day.carryOutAll().testedOn(2)).toEqual([1, 2]);
    expect(reasons(1)).not.toContain('pending: skip_the_line_interrupted');
  });

  it('waits for a slot of its own when somebody restarts it', () => {
    begin({ pendingFailureDepth: 1 }).submit(1, { priority: 0 });
    day.submit(2);
    day.carryOutAll().fail(1);
    expect(day.testedOn(2)).toEqual([1, 2]);
    day.restart(1);
    day.carryOutAll();
    expect([day.stateOf(1), day.stateOf(2)]).toEqual(['pending', 'testing']);
    day.pass(2);
    expect(day.testedOn(1)).toEqual([1]);
  });
});

function reasons(number: number): readonly string[] {
  const { id } = day.entry(number);
  return day.decisions
    .flatMap((decision) => decision.changes)
    .flatMap((change) =>
      change.type === 'entryMoved' && change.entryId === id ? [`${change.to}: ${change.because}`] : [],
    );
}
