import { EngineDay } from '../../../test/support/engine-day';
import { explain } from '../explain';
import type { QueueSettings, QueueSnapshot, TestRun } from '../model';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

function begin(settings: Partial<QueueSettings> = {}): EngineDay {
  day = new EngineDay(settings);
  return day;
}

/** A line of this many entries, each tested on all entries ahead of it. */
function line(size: number, settings: Partial<QueueSettings> = {}): EngineDay {
  begin({ concurrency: size, ...settings });
  for (let number = 1; number <= size; number++) day.submit(number);
  return day.carryOutAll();
}

function lanes(targets: Readonly<Record<number, readonly string[]>>, settings: Partial<QueueSettings> = {}): void {
  begin({ concurrency: 5, ...settings });
  day.happen({ type: 'settingsChanged', settings: {}, mode: 'parallel', actor: 'ci' });
  for (const [number, names] of Object.entries(targets)) day.setTargets(Number(number), names);
  for (const number of Object.keys(targets)) day.submit(Number(number));
  day.carryOutAll();
}

function why(number: number, queue: QueueSnapshot = day.queue): string | null {
  const [explanation] = explain(queue, [{ entryId: day.entry(number).id, ahead: 0 }], day.now);
  return explanation?.waitingFor ?? null;
}

/** The queue after a report or a setting has changed it, before the queue decides again. */
function undecided(changed: Partial<QueueSnapshot>): QueueSnapshot {
  return { ...day.queue, ...changed };
}

function commitOf(number: number): string {
  return day.runOf(number).commit!.slice(0, 8);
}

describe('explaining an entry whose commit is being built', () => {
  it('names its base and how long the build has taken', () => {
    begin({ concurrency: 2 }).submit(1);
    expect(why(1)).toBe('The test commit of #1 is being built');
    day.carryOutAll();
    day.submit(2);
    day.advance(3);
    expect(why(2)).toBe('The test commit of #2 on top of #1 has been building for 3 minutes');
  });

  it('says in parallel mode that a failed entry waits for the runs without it', () => {
    lanes({ 1: ['api'], 2: ['api', 'web'], 3: ['web'], 4: ['web'] });
    day.fail(3).pass(1).pass(2);
    expect(why(3)).toBe('Will be tested: it failed before, and #4 is tested without it first');
    day.pass(4);
    expect(why(3)).toContain('Required status');
  });

  it('names the urgent entry whose commit is built first', () => {
    line(3).fail(1);
    expect(day.testedOn(3)).toEqual([2, 3]);
    day.submit(4, { priority: 0 });
    expect(why(2)).toBe(
      'Will be tested on top of #4: the commit of #4 is built first, because commits are built one at a time',
    );
    expect(why(3)).toContain('Will be tested on top of #4, #2: the commit of #4 is built first');
  });

  it('says that it waits for a slot, when an urgent entry took its slot', () => {
    line(3);
    day.submit(4, { priority: 0 });
    day.carryOutAll();
    day.advance(5);
    expect(why(3)).toBe(
      'Will be tested on top of #4, #1, #2: waits for a free slot (3 test runs at once). Pending for 5 minutes',
    );
    const free = undecided({ settings: { ...day.queue.settings, concurrency: 4 } });
    expect(why(3, free)).toContain('#1, #2: its commit is built next');
  });

  it('says that it is urgent, and names the entries in front without a commit', () => {
    line(1);
    for (const number of [2, 3]) day.submit(number, { priority: 0 });
    day.carryOutAll();
    expect(why(3)).toBe(
      'Will be tested on top of #2: waits for a free slot (1 test run at once). It is urgent, so it will be tested first',
    );
    const free = undecided({ settings: { ...day.queue.settings, concurrency: 3 } });
    expect(why(1, free)).toContain('Will be tested on top of #2, #3: the commit of #3 is built first');
  });

  it('says that the queue starts no test if the test of the entry is void', () => {
    line(2).set({}, 'draining');
    day.cancel(1);
    expect(why(2)).toBe('The queue is draining: no test starts until it is running');
  });
});

describe('explaining an entry under test', () => {
  it('names the missing and the running statuses', () => {
    line(1, { requiredStatuses: ['unit', 'integration'] });
    day.report(day.runOf(1), 'running', 'unit');
    day.advance(14);
    expect(why(1)).toBe(
      `Required status \`integration\` has not reported on ${commitOf(1)} for 14 minutes. ` +
        `Required status \`unit\` has been running on ${commitOf(1)} for 14 minutes. The test times out in 5 hours`,
    );
  });

  it('says long before the time-out that a status which never appeared may have no reporter', () => {
    line(1, { testingTimeoutMinutes: 40 });
    expect(why(1)).toBe(
      `Required status \`ci\` has not reported on ${commitOf(1)} yet. The test times out in 40 minutes`,
    );
    day.advance(11);
    expect(why(1)).toBe(
      `Required status \`ci\` has not reported on ${commitOf(1)} for 11 minutes. The test times out in 29 minutes. ` +
        'Does anything report that status for branch sluice-merge/pr-1/1?',
    );
    day.report(day.runOf(1), 'running');
    expect(why(1)).not.toContain('Does anything report');
  });

  it.each([
    [{ commit: 'b'.repeat(40), by: 'eve' }, 'eve moved the branch sluice-merge/pr-1/1 to bbbbbbbb'],
    [{ commit: null, by: null }, 'Somebody deleted the branch sluice-merge/pr-1/1'],
  ])('names the person who moved its testing branch: %j', (moved, said) => {
    line(1);
    const commit = day.runOf(1).commit!;
    day.happen({ type: 'testingBranchMoved', commit, moved: { commit, by: 'the service' } });
    expect(why(1)).not.toContain('the branch');
    day.happen({ type: 'testingBranchMoved', commit, moved });
    expect(why(1)).toContain(`${said}, but only reports on ${commitOf(1)} count. If CI stopped, restart the tests`);
    day.pass(1);
    expect(day.stateOf(1)).toBe('merged');
  });

  it('says that nothing times out while the host does not answer', () => {
    line(1, { requiredStatuses: ['unit', 'integration'] });
    day.store.hostUnreachableSince = day.now;
    day.advance(20);
    expect(why(1)).toBe(
      `Required statuses \`unit\`, \`integration\` have not reported on ${commitOf(1)} for 20 minutes. ` +
        'git.example has not answered for 20 minutes, and nothing times out until it does',
    );
  });

  it('quotes a host that refuses the service', () => {
    line(1);
    const said = 'git.example does not take the token';
    day.queue = { ...day.queue, hostUnreachableSince: day.now, hostRefusal: `${said}.` };
    day.advance(20);
    expect(why(1)).toContain(
      `. The service has been unable to work with git.example for 20 minutes: ${said}. Nothing times out meanwhile`,
    );
  });

  it('names the other entries of its batch', () => {
    begin({ batch: true, batchingMinSize: 3 });
    for (const number of [1, 2, 3]) day.submit(number);
    expect(why(2)).toBe('The test commit of #1, #2, #3 is being built');
    day.carryOutAll();
    expect(why(2)).toContain('The test times out in 5 hours. It is tested in one batch with #1, #3');
  });

  it('names its dependencies, in parallel mode only', () => {
    lanes({ 1: ['api'], 2: ['web'], 3: ['docs'], 4: ['api', 'docs'], 5: ['ops'] });
    expect(why(4)).toContain('The test times out in 5 hours. It depends on #1, #3');
    expect(why(5)).not.toContain('depends');
    line(2);
    expect(why(2)).not.toContain('depends');
  });

  it('counts whole minutes up to two hours', () => {
    line(2, { testingTimeoutMinutes: 119 });
    expect(why(2)).toBe(
      `Required status \`ci\` has not reported on ${commitOf(2)} yet. The test times out in 119 minutes`,
    );
  });

  it('says that every status has reported if the queue has not decided yet', () => {
    line(1);
    const { commit } = day.runOf(1);
    day.store.report({ commit: commit!, kind: 'status', name: 'ci', app: null, state: 'passed', reportedAt: day.now });
    expect(why(1)).toBe(`Every required status has reported on ${commitOf(1)}: the queue evaluates them next`);
  });
});

describe('explaining an entry in conflict', () => {
  it('names the conflicting entry, the files of the conflict, and the consequence', () => {
    begin({ concurrency: 3 }).open(3, { conflictsWith: [1] });
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll();
    expect(why(3)).toBe(
      'Conflicts with #1 ahead of it in a.txt. It is tested if #1 leaves the queue, and fails if #1 merges',
    );
    day.pass(1);
    expect(why(3)).toBe(
      'Conflicts with #1, which is on main now, in a.txt. It fails when #2 has merged or left the queue',
    );
    day.pass(2);
    expect(day.entry(3).stateReason).toBe('start_test_run_merge_conflict');
  });
});

describe('explaining a passed entry', () => {
  it('names the entries ahead of it, and how long ago it passed', () => {
    line(3).pass(3);
    day.advance(9);
    expect(why(3)).toBe('Its tests passed 9 minutes ago on top of #1, #2; it merges when those have merged');
  });

  it('counts the entries ahead, if there are more than eight', () => {
    line(10).pass(9).pass(10);
    expect(why(9)).toContain('on top of #1, #2, #3, #4, #5, #6, #7, #8;');
    expect(why(10)).toBe('Its tests passed on top of 9 pull requests; it merges when those have merged');
  });

  it('names the failed entries ahead that may leave', () => {
    line(3, { pendingFailureDepth: 2 }).fail(1);
    day.pass(2);
    expect(why(2)).toBe(
      'Its tests passed on top of #1; it merges when that has merged. ' +
        '#1 failed so far; if #1 leaves the queue, it is tested again',
    );
  });

  it('says that nothing merges in a paused queue', () => {
    line(2).set({}, 'paused');
    day.pass(1).pass(2);
    const paused = 'the queue is paused: nothing merges until it is running';
    expect([why(1), why(2)]).toEqual([`Its tests passed; ${paused}`, `Its tests passed on top of #1; ${paused}`]);
    expect(why(1, undecided({ tip: null }))).toBe(
      'Its tests passed; the target branch main does not exist: nothing merges until it does',
    );
    expect(why(1, undecided({ state: 'draining' }))).toBe('Its tests passed; it merges next');
  });

  it('says that nothing merges in a queue that was paused while it switches', () => {
    line(2).pass(2);
    day.happen({ type: 'settingsChanged', settings: {}, mode: 'parallel', state: 'paused', actor: 'ci' });
    expect(why(2)).toBe(
      'Its tests passed on top of #1; the queue is switching to mode parallel and paused: ' +
        'nothing merges until it is running',
    );
  });

  it('names, in parallel mode, a merge in progress and a host that delays the merge', () => {
    lanes({ 1: ['api'], 2: ['web'] });
    for (const number of [1, 2]) day.report(day.runOf(number), 'passed');
    day.advance(4);
    const first = 'waits for the merge of #1 (started 4 minutes ago; one merge at a time)';
    expect(why(2)).toBe(`Its tests passed 4 minutes ago; ${first}`);
    day.store.hostUnreachableSince = day.now;
    expect(why(2)).toContain(`${first}. git.example has not answered; the queue keeps asking`);
  });

  it('says that an earlier test of the same tree was enough', () => {
    line(2, { optimizationMode: 'bisection_skip_redundant_tests' }).knowsResults = true;
    day.pass(2).cancel(2);
    day.submit(2);
    day.carryOutAll();
    expect(why(2)).toBe('Its tests passed earlier (same tree) on top of #1; it merges when that has merged');
  });
});

describe('explaining an entry with optimistic merging', () => {
  const optimistic = { canOptimisticallyMerge: true };

  it('names the later tests that prove it, and the obstacle to its merge', () => {
    line(2, optimistic).set({}, 'paused');
    day.pass(2);
    day.advance(2);
    expect(why(1)).toBe(
      'The tests of #2 include it and passed 2 minutes ago; ' +
        'the queue is paused: nothing merges until it is running',
    );
    expect(why(2)).toContain('Its tests passed 2 minutes ago on top of #1; the queue is paused');
    expect(why(1, undecided({ state: 'draining' }))).toContain('include it and passed 2 minutes ago; it merges next');
  });

  it('names the later tests also if the own test of the entry failed, because that failure does not count', () => {
    line(2, { ...optimistic, pendingFailureDepth: 1 })
      .fail(1)
      .set({}, 'paused');
    day.report(day.runOf(2), 'passed');
    expect(why(1)).toContain('The tests of #2 include it and passed; the queue is paused');
    day.set({}, 'running');
    expect(why(1)).toContain('The tests of #2 include it and passed; its merge into main started');
  });

  it('names the merge in progress that has to finish first', () => {
    line(3, optimistic).report(day.runOf(2), 'passed');
    day.report(day.runOf(3), 'passed');
    expect(why(3)).toBe(
      'Its tests passed on top of #1, #2; ' +
        'waits for the merge of #1, #2 (started less than a minute ago; one merge at a time)',
    );
  });

  it('names the tests that prove it while it is merged', () => {
    line(2, optimistic).report(day.runOf(2), 'passed');
    expect(why(1)).toBe(
      'The tests of #2 include it and passed; ' + 'its merge into main started less than a minute ago',
    );
    expect(why(2)).toBe('Its tests passed; its merge into main started less than a minute ago');
  });

  it('says that the merge waits until an entry ahead is being tested again', () => {
    line(2, optimistic).set({}, 'paused');
    day.pass(2);
    day.restart(1);
    day.set({}, 'draining');
    expect(why(2)).toBe('Its tests passed on top of #1; all merge together as soon as #1 is being tested again');
  });
});

describe('explaining an entry that is being merged', () => {
  it('says since when it is being merged, and names a host that does not answer', () => {
    line(1).report(day.runOf(1), 'passed');
    day.advance(7);
    const merged = 'Its tests passed 7 minutes ago; its merge into main started 7 minutes ago';
    expect(why(1)).toBe(merged);
    day.store.hostUnreachableSince = day.now;
    expect(why(1)).toBe(`${merged}. git.example has not answered; the queue keeps asking and keeps its order`);
  });

  it('names a host that has not answered a merge request for two minutes, also on the other entries', () => {
    lanes({ 1: ['a'], 2: ['b'] });
    for (const number of [1, 2]) day.report(day.runOf(number), 'passed');
    const merging = { number: 1, since: day.now };
    const said = (number: number): string | null => why(number, undecided({ merging }));
    const minutes =
      'git.example was asked 2 minutes ago to merge #1 and has not reported a result. ' +
      'That request cannot be cancelled, so nothing else merges into main before that result';
    day.advance(1);
    expect([said(1), said(2)]).toEqual([why(1), why(2)]);
    day.advance(1);
    expect([said(1), said(2)]).toEqual([`${why(1)}. ${minutes}`, `${why(2)}. ${minutes}`]);
  });

  it('says that it is tried as a direct merge', () => {
    begin({ directMergeMode: 'always' }).submit(1);
    expect(why(1)).toBe(
      'Being merged directly because its own tests passed: the queue asked git.example less than a minute ago to merge #1. ' +
        'If git.example refuses the merge, the queue tests #1',
    );
    day.carryOutAll();
    expect(why(1)).toContain('Required status `ci` has not reported');
  });
});

describe('explaining a failed entry', () => {
  it('names the entries ahead that may be the cause', () => {
    line(3).fail(3);
    day.advance(2);
    expect(why(3)).toBe(
      'Its tests failed 2 minutes ago (ci) on top of #1, #2, which may be the cause. The queue decides when they have merged or left',
    );
  });

  it('names the statuses that timed out', () => {
    line(2, { testingTimeoutMinutes: 10, requiredStatuses: ['unit', 'ci'] });
    day.set({}, 'paused');
    day.report(day.runOf(2), 'running');
    for (const name of ['unit', 'ci']) day.report(day.runOf(1), 'passed', name);
    day.advance(10);
    expect(why(2)).toContain('Its tests timed out (unit, ci) on top of #1, which may be the cause');
  });

  it('says that an earlier test of the same tree failed', () => {
    line(2, { optimizationMode: 'bisection_skip_redundant_tests' }).knowsResults = true;
    day.fail(2).cancel(2);
    day.submit(2);
    day.carryOutAll();
    expect(why(2)).toContain('Its tests failed earlier (same tree: ci) on top of #1, which may be the cause');
  });

  it('says how many entries behind it must still finish, and that the failure depth only leaves time to restart', () => {
    line(4, { pendingFailureDepth: 2 }).fail(1);
    expect(why(1)).toBe(
      'Its tests failed (ci). It waits until 2 pull requests tested on top of it have finished (0 of 2), ' +
        'or until no more of them can finish. Without optimistic merging, pendingFailureDepth only leaves time to restart its test',
    );
    day.pass(2);
    expect(why(1)).toContain('(1 of 2)');
    day.set({ canOptimisticallyMerge: false, pendingFailureDepth: 1 });
    expect(why(1)).toContain('(1 of 2)');
  });

  it('names the failure depth besides the entries ahead', () => {
    line(3, { pendingFailureDepth: 1, canOptimisticallyMerge: true }).fail(2);
    expect(why(2)).toBe(
      'Its tests failed (ci) on top of #1, which may be the cause. The queue decides when #1 has merged or left. ' +
        'It waits until 1 pull request tested on top of it has finished (0 of 1), or until no more of them can finish. ' +
        'If one of them passes, it merges too',
    );
  });

  it('names its batch, and says that the queue decides next when all runs behind have finished', () => {
    begin({ batch: true, batchingMinSize: 2, concurrency: 2, pendingFailureDepth: 9 });
    for (const number of [1, 2, 3, 4]) day.submit(number);
    day.carryOutAll().fail(1);
    expect(why(1)).toContain('The tests of its batch (#1, #2) failed (ci). It waits until 9 pull requests');
    const runs = day.queue.runs.map((run): TestRun => ({ ...run, phase: 'failed' }));
    expect(why(1, undecided({ runs }))).toBe(
      'The tests of its batch (#1, #2) failed (ci). The queue decides on it next',
    );
  });
});
