import { EngineDay } from '../../test/support/engine-day';
import { explain } from './explain';
import type { QueueSettings } from './model';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

const DRY = { dryRun: true };

/** Submits entries, of which entry 2 is a dry run, and starts a test of each on its base. */
function line(settings: Partial<QueueSettings> = {}, mode: 'single' | 'parallel' = 'single'): void {
  day = new EngineDay({ concurrency: 4, ...settings });
  if (mode === 'parallel') day.happen({ type: 'settingsChanged', settings: {}, mode, actor: 'ci' });
  for (const number of [1, 2, 3]) {
    if (mode === 'parallel') day.setTargets(number, number === 3 ? ['web'] : ['api']);
    day.submit(number, number === 2 ? DRY : {});
  }
  day.carryOutAll();
}

const why = (number: number): string | null =>
  explain(day.queue, [{ entryId: day.entry(number).id, ahead: 0 }], day.now)[0]?.waitingFor ?? null;
const landed = (): readonly string[] => day.target.filter((name) => name.includes('@'));

describe('a dry run', () => {
  it("is tested in its place, and is in no other run's base", () => {
    line();
    expect([1, 2, 3].map((number) => day.testedOn(number))).toEqual([[1], [1, 2], [1, 3]]);
    expect(why(2)).toContain(
      'It is a dry run: it is removed from the queue when its tests have passed, and is not merged',
    );
  });

  it('leaves after its pass when nothing is ahead of it any more, and is not merged', () => {
    line();
    day.pass(2);
    expect(day.stateOf(2)).toBe('tests_passed');
    expect(why(2)).toContain('this result counts when that has merged. If #1 leaves the queue, it is tested again');
    day.pass(1);
    expect(day.entry(2)).toMatchObject({ state: 'cancelled', stateReason: 'dry_run_passed' });
    day.pass(3);
    expect(landed()).toEqual(['1@1a', '3@3a']);
  });

  it('is tested again when an entry ahead of it leaves; entries behind a dry run that leaves are not tested again', () => {
    line();
    const behind = day.runOf(3).number;
    day.pass(2).cancel(2);
    expect(day.carryOutAll().runOf(3).number).toBe(behind);
    day.submit(2, DRY);
    day.carryOutAll().cancel(1);
    expect(day.carryOutAll().testedOn(2)).toEqual([3, 2]);
  });

  it('fails like any other entry, also with a failure depth', () => {
    line({ pendingFailureDepth: 2 });
    day.pass(1).fail(2);
    expect(day.entry(2)).toMatchObject({ state: 'failed', stateReason: 'test_run_required_status_failed' });
    expect(day.stateOf(3)).toBe('testing');
  });

  it('passes after a failure if CI reports a newer pass, although other runs were built without it', () => {
    line();
    day.fail(2);
    expect(day.stateOf(2)).toBe('pending_failure');
    day.pass(2).pass(1);
    expect(day.entry(2)).toMatchObject({ state: 'cancelled', stateReason: 'dry_run_passed' });
  });

  it('proves no other run, and no other run proves it', () => {
    line({ canOptimisticallyMerge: true });
    day.pass(2);
    expect(day.stateOf(1)).toBe('testing');
    day.pass(3);
    expect([day.stateOf(1), day.stateOf(3)]).toEqual(['merged', 'merged']);
    expect(day.entry(2)).toMatchObject({ state: 'cancelled', stateReason: 'dry_run_passed' });
    expect(landed()).toEqual(['1@1a', '3@3a']);
  });

  it('is not tested again when entries behind it land, however many they are', () => {
    line();
    const { number } = day.runOf(2);
    day.pass(1).pass(3);
    for (const other of [4, 5, 6]) {
      day.submit(other);
      day.carryOutAll().pass(other);
    }
    expect(day.runOf(2).number).toBe(number);
    day.fail(2);
    expect(day.stateOf(2)).toBe('failed');
    expect(landed()).toHaveLength(5);
  });

  it('is never in a batch', () => {
    line({ batch: true, batchingMinSize: 3 });
    day.advance(6);
    day.carryOutAll();
    expect(day.testedOn(2)).toEqual([1, 2]);
    expect(day.runOf(2).own).toHaveLength(1);
  });

  it('never merges directly', () => {
    day = new EngineDay({ directMergeMode: 'always' });
    day.open(1).reportOnHead(1, 'passed');
    day.submit(1, DRY);
    day.carryOutAll().pass(1);
    expect(day.entry(1)).toMatchObject({ state: 'cancelled', stateReason: 'dry_run_passed' });
    expect(landed()).toEqual([]);
  });

  it('goes to the head when it is urgent, and the overtaken entries continue', () => {
    line();
    const runs = [1, 3].map((number) => day.runOf(number).number);
    day.submit(4, { ...DRY, priority: 0 });
    day.carryOutAll();
    expect(day.testedOn(4)).toEqual([4]);
    expect([1, 3].map((number) => day.runOf(number).number)).toEqual(runs);
  });

  it('waits in parallel mode only for entries that share a target with it', () => {
    line({}, 'parallel');
    day.pass(2);
    expect(day.stateOf(2)).toBe('tests_passed');
    day.pass(1);
    expect(day.entry(2)).toMatchObject({ state: 'cancelled', stateReason: 'dry_run_passed' });
  });

  it('also ends while the queue is paused, because a dry run lands nothing', () => {
    line();
    day.pass(1).set({}, 'paused');
    day.pass(2);
    expect(day.entry(2)).toMatchObject({ state: 'cancelled', stateReason: 'dry_run_passed' });
  });

  it('becomes a normal entry, behind all other entries, when it is submitted to be merged', () => {
    line();
    day.submit(2);
    day.carryOutAll();
    expect(day.testedOn(2)).toEqual([1, 3, 2]);
    day.pass(1).pass(3).pass(2);
    expect(landed()).toEqual(['1@1a', '3@3a', '2@2a']);
  });

  it('leaves its bisection when it is submitted to be merged, and is tested again', () => {
    line();
    day.fail(1).carryOutAll().fail(2);
    expect(day.entry(2)).toMatchObject({ state: 'pending_failure', search: expect.any(Number) as number });
    day.submit(2);
    expect(day.entry(2)).toMatchObject({ state: 'pending', search: null });
    expect(day.queue.searches).toEqual([]);
    day.carryOutAll().pass(3);
    expect(day.stateOf(2)).toBe('testing');
    day.pass(2);
    expect(landed()).toEqual(['3@3a', '2@2a']);
  });

  it('stays a dry run when it is submitted as a dry run again, with new options', () => {
    line({ concurrency: 1 });
    day.submit(2, { ...DRY, priority: 10 });
    expect(day.entry(2)).toMatchObject({ dryRun: true, priority: 10 });
  });

  it('is refused for an entry that is queued to be merged; the message names a fix', () => {
    line();
    const message = 'pull request #3 is in the queue to be merged: cancel it first, then submit a dry run';
    expect(day.submit(3, DRY)).toEqual({ code: 'PR_NOT_ENQUEUEABLE', message });
    expect(day.stateOf(3)).toBe('testing');
  });
});

describe('a dry run in a flow queue', () => {
  it('is tested alone on passed entries, and leaves as soon as it passed', () => {
    line({ scheduling: 'flow', concurrency: 2, bisectionConcurrency: 1 });
    expect(day.runOf(2).own).toHaveLength(1);
    day.pass(2);
    expect(day.entry(2)).toMatchObject({ state: 'cancelled', stateReason: 'dry_run_passed' });
    day.pass(1);
    day.pass(3);
    expect(landed()).not.toContain('2@2a');
    expect([day.stateOf(1), day.stateOf(3)]).toEqual(['merged', 'merged']);
  });

  it('becomes a normal entry when it is submitted to be merged', () => {
    line({ scheduling: 'flow', concurrency: 2, bisectionConcurrency: 1 });
    day.submit(2);
    day.carryOutAll();
    for (let i = 0; i < 4; i++) for (const number of [1, 2, 3]) if (day.stateOf(number) === 'testing') day.pass(number);
    expect(landed().toSorted()).toEqual(['1@1a', '2@2a', '3@3a']);
  });
});

it('a pull request that depends on a dry run is not ready until the dry run is submitted to be merged', () => {
  day = new EngineDay({ concurrency: 3 });
  day.submit(1, DRY);
  day.open(2, { dependsOn: [1] }).submit(2);
  day.carryOutAll();
  expect(day.stateOf(2)).toBe('not_ready');
  expect(why(2)).toContain('depends on #1, which is a dry run: submit #1 to be merged');
  day.submit(1);
  day.carryOutAll();
  expect(day.testedOn(2)).toEqual([1, 2]);
});
