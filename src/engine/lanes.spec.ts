import type { QueueSettings } from './model';
import { MINUTE } from './vocabulary';
import { EngineDay } from '../../test/support/engine-day';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

type Targets = Readonly<Record<number, readonly string[] | 'ALL'>>;

/** A queue in parallel mode to which pull requests with these impacted targets were submitted in order. */
function lanes(targets: Targets, settings: Partial<QueueSettings> = {}): EngineDay {
  day = new EngineDay({ concurrency: 4, ...settings });
  day.happen({ type: 'settingsChanged', settings: {}, mode: 'parallel', actor: 'ci' });
  for (const [number, names] of Object.entries(targets)) {
    day.open(Number(number)).setTargets(Number(number), names);
    day.submit(Number(number));
  }
  return day.carryOutAll();
}

describe('parallel mode', () => {
  it('tests a pull request on top of exactly the entries that share a target with it', () => {
    lanes({ 1: ['api'], 2: ['web'], 3: ['api', 'docs'], 4: ['docs'] });
    expect([1, 2, 3, 4].map((number) => day.testedOn(number))).toEqual([[1], [2], [1, 3], [3, 4]]);
  });

  it('tests a failed entry again if its run lacked a landed change that shares a target with its base', () => {
    lanes({ 1: ['a'], 2: ['a', 'b'], 3: ['b'] });
    day.fail(3).pass(1).pass(2);
    expect([day.stateOf(3), day.entry(3).stateReason]).toEqual(['testing', null]);
    expect([day.testedOn(3), day.runOf(3).base.landedSeq]).toEqual([[3], 2]);
    day.fail(3);
    expect(day.stateOf(3)).toBe('failed');
  });

  it('does not land a run whose base was never tested with a change that landed meanwhile', () => {
    lanes({ 1: ['a'], 2: ['a', 'b'], 3: ['b'] }, { canOptimisticallyMerge: true });
    day.pass(1).pass(3);
    expect([1, 2, 3].map((number) => day.stateOf(number))).toEqual(['merged', 'testing', 'tests_passed']);
    day.fail(2);
    expect([2, 3].map((number) => day.stateOf(number))).toEqual(['failed', 'testing']);
  });

  it('delays a proof until the entries that the proven runs depend on are decided', () => {
    lanes({ 1: ['a'], 2: ['a', 'b'], 3: ['b'] }, { canOptimisticallyMerge: true });
    day.pass(3);
    expect([1, 2, 3].map((number) => day.stateOf(number))).toEqual(['testing', 'testing', 'tests_passed']);
    day.pass(2);
    expect(day.target.slice(1)).toEqual(['1@1a', '2@2a', '3@3a']);
  });

  it('lets ALL share a target with every entry that has one, and an empty list with no entry', () => {
    lanes({ 1: ['api'], 2: 'ALL', 3: [], 4: ['web'] });
    expect([1, 2, 3, 4].map((number) => day.testedOn(number))).toEqual([[1], [1, 2], [3], [2, 4]]);
  });

  it('lands lanes in any order, without effects on other lanes', () => {
    lanes({ 1: ['api'], 2: ['web'], 3: ['web'] });
    const before = [1, 3].map((number) => day.runOf(number).number);
    day.pass(2);
    expect([1, 3].map((number) => day.runOf(number).number)).toEqual(before);
    day.pass(3).pass(1);
    expect(day.target.slice(1)).toEqual(['2@2a', '3@3a', '1@1a']);
  });

  it('rebuilds only runs that depend on a failed run', () => {
    lanes({ 1: ['api'], 2: ['api'], 3: ['web'] });
    const other = day.runOf(3).number;
    day.fail(1);
    expect([day.stateOf(1), day.testedOn(2), day.runOf(3).number]).toEqual(['failed', [2], other]);
  });

  it('lets an entry wait for targets without a delay for other entries', () => {
    day = lanes({ 1: ['api'] });
    day.submit(2);
    day.open(3).setTargets(3, ['api']);
    day.submit(3);
    day.carryOutAll();
    expect([day.stateOf(2), day.testedOn(3)]).toEqual(['not_ready', [1, 3]]);
    day.setTargets(2, ['web']);
    day.carryOutAll();
    expect(day.testedOn(2)).toEqual([2]);
  });

  it('tests an entry again at once when its targets change during its test', () => {
    lanes({ 1: ['api'], 2: ['web'] });
    day.setTargets(2, ['web', 'api']);
    expect([day.stateOf(2), day.entry(2).stateReason]).toEqual(['pending', 'rebuild_required']);
    day.carryOutAll();
    expect(day.testedOn(2)).toEqual([1, 2]);
    day.setTargets(2, ['web']);
    expect(day.entry(2).stateReason).toBe('rebuild_required');
    day.carryOutAll();
    expect(day.testedOn(2)).toEqual([2]);
  });

  it('tests an entry again whose new targets include a target of a change that landed meanwhile', () => {
    lanes({ 1: ['api'], 2: ['web'] });
    day.pass(1);
    day.setTargets(2, ['api']);
    day.carryOutAll();
    expect(day.runOf(2).base.landedSeq).toBe(1);
    expect(day.pass(2).stateOf(2)).toBe('merged');
  });

  it('does not repeat the test of a run when an entry in its base is tested again for new targets', () => {
    lanes({ 1: ['api'], 2: ['web'], 3: ['web', 'docs'] });
    day.pass(1);
    day.setTargets(2, ['web', 'api']);
    day.carryOutAll();
    expect([2, 3].map((number) => day.runOf(number).base.landedSeq)).toEqual([1, 0]);
  });

  it('does not repeat a test for a change that shares a target only with the landed base', () => {
    lanes({ 1: ['api'], 2: ['api', 'web'], 3: ['web', 'docs'], 4: ['api'] });
    const before = day.runOf(3).number;
    day.pass(1).pass(2).pass(4);
    expect([day.runOf(3).number, day.target.length]).toEqual([before, 4]);
  });

  it('keeps a run that is based on two entries when the two land in the other order', () => {
    lanes({ 1: ['api'], 2: ['web'], 3: ['api', 'web'] });
    const before = day.runOf(3).number;
    day.pass(2).pass(1);
    expect([day.stateOf(3), day.runOf(3).number]).toEqual(['testing', before]);
    expect(day.pass(3).target).toEqual(['main', '2@2a', '1@1a', '3@3a']);
  });

  it('tests all entries again after a push from outside', () => {
    lanes({ 1: ['api'], 2: [] });
    day.pushToTarget('outside');
    expect([1, 2].map((number) => day.entry(number).stateReason)).toEqual(
      Array(2).fill('manual_push_to_target_branch'),
    );
  });

  it('batches entries of one lane only, and never past a waiting entry that shares a target', () => {
    day = lanes({}, { batch: true, batchingMinSize: 2, concurrency: 1 });
    day.set({}, 'paused');
    for (const [number, names] of [
      [1, ['api']],
      [2, ['web']],
      [3, ['api']],
      [4, ['web']],
    ] as const) {
      day.open(number).setTargets(number, names);
      day.submit(number);
    }
    day.set({}, 'running');
    day.carryOutAll();
    expect(day.testedOn(1)).toEqual([1, 3]);
    expect(day.pass(1).testedOn(2)).toEqual([2, 4]);
  });

  it('lets another lane start while a batch waits for members, but no entry that shares a target with the batch', () => {
    lanes({ 1: ['api'], 2: ['web'], 3: ['web'] }, { batch: true, batchingMinSize: 2 });
    expect([day.stateOf(1), day.testedOn(2)]).toEqual(['pending', [2, 3]]);
    day.open(4).setTargets(4, ['api', 'web']);
    day.submit(4, { noBatch: true });
    day.carryOutAll();
    expect(day.stateOf(4)).toBe('pending');
    day.advance(5);
    day.carryOutAll();
    expect([day.testedOn(1), day.testedOn(4)]).toEqual([[1], [2, 3, 1, 4]]);
  });

  it('lets an urgent entry interrupt only the runs that share a target with it', () => {
    lanes({ 1: ['api'], 2: ['web'] });
    const other = day.runOf(2).number;
    day.open(3).setTargets(3, ['api']);
    day.submit(3, { priority: 0 });
    day.carryOutAll();
    expect([day.testedOn(3), day.testedOn(1), day.runOf(2).number]).toEqual([[3], [3, 1], other]);
    expect(day.entry(1).stateReason ?? day.stateOf(1)).toBe('testing');
  });

  it('gives an urgent entry the slot of the newest run when no slot is free', () => {
    lanes({ 1: ['api'], 2: ['web'] }, { concurrency: 2 });
    day.open(3).setTargets(3, ['docs']);
    day.submit(3, { priority: 0 });
    day.carryOutAll();
    expect([1, 2, 3].map((number) => day.stateOf(number))).toEqual(['testing', 'pending', 'testing']);
    expect(day.entry(2).stateReason).toBe('skip_the_line_interrupted');
  });

  it('interrupts no run for a second urgent entry before the first urgent entry is built', () => {
    lanes({ 1: ['api'], 2: ['web'] }, { concurrency: 2 });
    for (const number of [3, 4]) {
      day.setTargets(number, [`own-${number}`]);
      day.submit(number, { priority: 0 });
    }
    expect([1, 2, 3, 4].map((number) => day.stateOf(number))).toEqual(['testing', 'pending', 'pending', 'pending']);
    day.carryOutAll();
    expect([1, 2, 3, 4].map((number) => day.stateOf(number))).toEqual(['pending', 'pending', 'testing', 'testing']);
  });

  it('fails an entry that conflicts with the new tip when its test is started again', () => {
    lanes({ 1: ['api'], 2: ['web'] });
    day.change(2, { conflictsWith: [1] }, 'missed');
    day.pass(1).pass(2);
    expect([day.stateOf(2), day.entry(2).stateReason]).toEqual(['failed', 'start_test_run_merge_conflict']);
  });

  it('tests the target, and then all entries again, when a push preceded a landing unnoticed', () => {
    lanes({ 1: ['api'], 2: ['web'] });
    const other = day.runOf(2).number;
    day.report(day.runOf(1), 'passed');
    const tip = { commit: 'mixed-commit', tree: 'mixed-tree' };
    const commits = [{ number: 1, ...tip }];
    day.happen({ type: 'landed', landing: 1, isMixed: true, tip, commits, at: day.now });
    expect([day.stateOf(1), day.stateOf(2)]).toEqual(['merged', 'pending']);
    const [target, ...others] = day.queue.runs;
    expect([target!.kind, others]).toEqual(['target', []]);
    day.carryOutAll();
    day.report(day.queue.runs[0]!, 'passed');
    expect(day.runOf(2).number).not.toBe(other);
  });

  it('lets an entry with a failure depth wait only for the runs that are built on it', () => {
    lanes({ 1: ['api'], 2: ['web'], 3: ['api'] }, { pendingFailureDepth: 1 }).fail(1);
    day.fail(2);
    expect([day.stateOf(1), day.stateOf(2)]).toEqual(['pending_failure', 'failed']);
    day.advance(5);
    day.fail(3);
    expect([day.stateOf(1), day.testedOn(3)]).toEqual(['pending_failure', [3]]);
    day.pass(3).fail(1);
    expect(day.stateOf(1)).toBe('failed');
  });

  describe('with two entries that failed in isolation one after the other', () => {
    function redAloneTwice(): void {
      lanes({ 1: ['api'], 2: ['api'], 3: ['web'], 4: ['docs'] });
      day.advance(5);
      day.report(day.runOf(2), 'failed');
      day.fail(3);
      day.advance(5);
      day.fail(4);
      expect([3, 4].map((number) => day.stateOf(number))).toEqual(['failed', 'pending_failure']);
    }

    it('fails the second entry if a run of another lane was in progress during its whole test, and passes', () => {
      redAloneTwice();
      day.pass(1);
      expect(day.stateOf(4)).toBe('failed');
    });

    it('tests the second entry again if the passed run had failed first, because CI may have been down', () => {
      redAloneTwice();
      day.pass(2);
      expect(day.stateOf(4)).toBe('testing');
    });

    it('tests the second entry again if the passed run had ended before and was only reported late', () => {
      redAloneTwice();
      day.report(day.runOf(1), 'passed', 'ci', day.now - 4 * MINUTE);
      day.carryOutAll();
      expect(day.stateOf(4)).toBe('testing');
    });
  });

  it('lands all entries of a lane together when its last entry passes, and no entry of another lane', () => {
    lanes({ 1: ['api'], 2: ['web'], 3: ['api'] }, { canOptimisticallyMerge: true });
    day.pass(3);
    expect([1, 2, 3].map((number) => day.stateOf(number))).toEqual(['merged', 'testing', 'merged']);
  });
});
