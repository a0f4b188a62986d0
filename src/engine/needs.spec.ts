import { EngineDay } from '../../test/support/engine-day';
import { explain } from './explain';
import type { QueueSettings } from './model';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

function begin(settings: Partial<QueueSettings> = {}): EngineDay {
  day = new EngineDay({ concurrency: 3, ...settings });
  return day;
}

function submit(...numbers: readonly number[]): void {
  for (const number of numbers) day.submit(number);
  day.carryOutAll();
}

/** Opens a pull request whose head contains the heads of the pull requests `contained`. */
function openOn(number: number, ...contained: readonly number[]): void {
  day.open(number, { contains: contained.map((other) => day.host.pullRequests.get(other)?.head ?? `${other}a`) });
}

function openWith(number: number, ...dependsOn: readonly number[]): void {
  day.open(number, { dependsOn });
}

function say(number: number): string {
  const { id } = day.entry(number);
  const [said] = explain(day.queue, [{ entryId: id, ahead: 0 }], day.now);
  return said?.waitingFor ?? '';
}

describe('a pull request that contains its dependency', () => {
  it('does not land the commits of the dependency when the dependency is cancelled', () => {
    begin();
    openOn(2, 1);
    submit(1, 2);
    day.cancel(1);
    day.carryOutAll();
    expect(day.stateOf(2)).toBe('not_ready');
    expect(say(2)).toContain('contains #1, which was cancelled: submit #1 again, or push #2 without it');
    expect(day.queue.runs).toEqual([]);
    expect(day.target).toEqual(['main']);
  });

  it('is not ready when the dependency fails; a third pull request on top of both is not ready, either', () => {
    begin();
    openOn(2, 1);
    openOn(3, 2, 1);
    submit(1, 2, 3);
    expect(day.entry(3).needs).toEqual([{ number: 2, head: '2a' }]);
    day.fail(1);
    expect([1, 2, 3].map((number) => day.stateOf(number))).toEqual(['failed', 'not_ready', 'not_ready']);
    expect(say(2)).toContain('contains #1, which failed');
    expect(say(3)).toContain('contains #2, which is not ready itself');
  });

  it('is ready again, in its turn, when the dependency is submitted again', () => {
    begin({ concurrency: 1 });
    openOn(2, 1);
    submit(1, 2, 3);
    day.cancel(1);
    day.carryOutAll();
    expect(day.testedOn(3)).toEqual([3]);
    submit(1);
    expect(day.stateOf(2)).toBe('pending');
    day.pass(3);
    // Entry 2 was submitted before entry 1 was submitted again, and still lands behind entry 1.
    day.pass(1).pass(2);
    expect(day.target).toEqual(['main', '3@3a', '1@1a', '2@2a']);
  });

  it('waits for the new head of the dependency if the new head contains the old head', () => {
    begin();
    openOn(2, 1);
    submit(1, 2);
    day.change(1, { head: '1b', contains: ['1a'] });
    expect([day.stateOf(1), day.stateOf(2)]).toEqual(['cancelled', 'not_ready']);
    submit(1);
    expect(day.entry(2).needs).toEqual([{ number: 1, head: '1b' }]);
    day.pass(1).pass(2);
    expect(day.target).toEqual(['main', '1@1b', '2@2a']);
  });

  it('stays not ready when the dependency is rewritten, until it is pushed on top of the new head', () => {
    begin();
    openOn(2, 1);
    submit(1, 2);
    day.change(1, { head: '1b' });
    submit(1);
    expect(say(2)).toContain(
      'contains an earlier head of #1: push #2 again on top of the current head of #1, or without #1',
    );
    day.change(2, { head: '2b', contains: ['1b'] });
    day.carryOutAll();
    expect(day.testedOn(2)).toEqual([1, 2]);
  });

  it('has no dependency any more when it is pushed without the commits of the dependency', () => {
    begin();
    openOn(2, 1);
    submit(1, 2);
    day.cancel(1);
    day.change(2, { head: '2b', contains: [] });
    day.carryOutAll();
    expect(day.testedOn(2)).toEqual([2]);
  });

  it('lands with the dependency in one run if batches permit', () => {
    begin({ concurrency: 1, batch: true, batchingMinSize: 4, batchingMaxWaitTimeMinutes: 0 });
    openOn(3, 2);
    openOn(4, 3, 2);
    submit(1, 2, 3, 4);
    day.pass(1);
    expect(day.runOf(2).own.map(({ number }) => number)).toEqual([2, 3, 4]);
    day.pass(2);
    expect(day.target).toEqual(['main', '1@1a', '2@2a', '3@3a', '4@4a']);
  });

  it('is not tested while the dependency fails for an unknown reason', () => {
    begin();
    openOn(3, 2);
    submit(1, 2, 3);
    day.fail(2);
    expect(day.stateOf(3)).toBe('pending');
    expect(say(3)).toContain('contains #2 (the commits are in its branch)');
    day.fail(1);
    expect(day.testedOn(2)).toEqual([2]);
    expect(day.testedOn(3)).toEqual([2, 3]);
  });

  it('is tested again on top of the merged dependency before it fails as the culprit of a bisection', () => {
    begin({ batch: true, batchingMinSize: 2, batchingMaxWaitTimeMinutes: 0, concurrency: 1 });
    day.set({}, 'paused');
    openOn(2, 1);
    submit(1, 2);
    day.set({}, 'running');
    day.carryOutAll();
    expect(day.runOf(1).own).toHaveLength(2);
    day.fail(1);
    // The bisection tests pull request 1 in isolation. It passes, so pull request 2 is the culprit.
    for (let i = 0; i < 5 && day.queue.searches.length > 0; i++) {
      const prefix = day.queue.runs.find(({ search }) => search !== null);
      if (prefix) day.report(prefix, prefix.own.length === 1 ? 'passed' : 'failed');
      day.carryOutAll();
    }
    expect(day.queue.searches).toEqual([]);
    expect(day.testedOn(1)).toEqual([1]);
    day.pass(1);
    expect(day.testedOn(2)).toEqual([1, 2]);
    day.fail(2);
    expect(day.stateOf(2)).toBe('failed');
    expect(day.target).toEqual(['main', '1@1a']);
  });
});

describe('a pull request whose description names a dependency', () => {
  it('waits for the dependency, whatever the priorities of both', () => {
    begin({ concurrency: 1 });
    openWith(3, 2);
    submit(1);
    day.submit(2, { priority: 200 });
    day.submit(3, { priority: 10 });
    submit(4);
    expect(say(3)).toContain('depends on #2: merges after or with it');
    day.pass(1).pass(4).pass(2).pass(3);
    expect(day.target).toEqual(['main', '1@1a', '4@4a', '2@2a', '3@3a']);
  });

  it('is not ready while the dependency was never submitted', () => {
    begin();
    openWith(2, 1);
    submit(2);
    expect(day.stateOf(2)).toBe('not_ready');
    expect(say(2)).toContain('depends on #1, which is not in this queue and not on main');
    submit(1);
    expect(day.testedOn(2)).toEqual([1, 2]);
  });

  it('is tested alone when the description no longer names the dependency', () => {
    begin();
    openWith(2, 1);
    submit(2);
    day.change(2, { dependsOn: [] });
    day.carryOutAll();
    expect(day.testedOn(2)).toEqual([2]);
  });

  it('is tested again on top of the dependency when its description names it only during the test', () => {
    begin();
    submit(1, 2);
    day.change(1, { dependsOn: [2] });
    day.carryOutAll();
    expect(day.testedOn(2)).toEqual([2]);
    expect(day.testedOn(1)).toEqual([2, 1]);
  });

  it('is not tested in a cycle of dependencies, and the explanation names the whole cycle', () => {
    begin();
    submit(1, 2, 3);
    day.change(1, { dependsOn: [2] });
    day.change(2, { dependsOn: [3] });
    day.change(3, { dependsOn: [1] });
    day.carryOutAll();
    expect([1, 2, 3].map((number) => day.stateOf(number))).toEqual(['not_ready', 'not_ready', 'not_ready']);
    expect(say(1)).toContain('depends on #2, which needs #1 itself (#1, #2, #3 need one another)');
    day.change(3, { dependsOn: [] });
    day.carryOutAll();
    expect(day.testedOn(1)).toEqual([3, 2, 1]);
  });

  it('makes its dependency urgent, too, if its own priority is urgent', () => {
    begin({ concurrency: 1 });
    openWith(4, 3);
    submit(1, 2, 3);
    day.submit(4, { priority: 0 });
    day.carryOutAll();
    expect(day.testedOn(3)).toEqual([3]);
    day.pass(3);
    expect(day.testedOn(4)).toEqual([3, 4]);
    day.pass(4);
    expect(day.target).toEqual(['main', '3@3a', '4@4a']);
  });

  it('goes directly behind its dependency if it is urgent while the dependency is under test', () => {
    begin({ concurrency: 4 });
    openWith(4, 1);
    submit(1, 2, 3);
    day.submit(4, { priority: 0 });
    day.carryOutAll();
    expect(day.testedOn(4)).toEqual([1, 4]);
    expect(day.testedOn(2)).toEqual([1, 4, 2]);
    day.submit(5, { priority: 0 });
    day.carryOutAll();
    expect(day.testedOn(1)).toEqual([5, 1]);
  });

  it('is built on its dependency in parallel mode without a shared target', () => {
    begin();
    day.queue = { ...day.queue, mode: 'parallel' };
    openWith(3, 2);
    for (const [number, target] of [
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ] as const)
      day.setTargets(number, [target]);
    submit(1, 2, 3);
    expect(day.testedOn(3)).toEqual([2, 3]);
    day.pass(1).pass(3);
    expect(day.target).toEqual(['main', '1@1a']);
    day.fail(2);
    expect([day.stateOf(2), day.stateOf(3)]).toEqual(['failed', 'not_ready']);
  });

  it('does not merge directly before its dependency', () => {
    begin({ directMergeMode: 'always' });
    openWith(2, 1);
    day.open(1, { mergeability: 'unspecified' });
    submit(1, 2);
    expect(day.stateOf(2)).toBe('not_ready');
    expect(day.target).toEqual(['main']);
  });
});
