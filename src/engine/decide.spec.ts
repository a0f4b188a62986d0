import { EngineDay } from '../../test/support/engine-day';

/** `afterEach` checks that no invariant was violated, and that nothing landed without a passed test. */
let day: EngineDay;
const begin = (settings = {}): EngineDay => (day = new EngineDay(settings));
afterEach(() => expect(day.problems).toEqual([]));

const reasons = (number: number): string[] =>
  day.decisions
    .flatMap((decision) => decision.changes)
    .filter((change) => change.type === 'entryMoved' && change.entryId === `entry-${number}`)
    .map((change) => (change.type === 'entryMoved' ? `${change.to}: ${change.because}` : ''));

describe('sequential mode with one slot', () => {
  it('tests one pull request on the target and lands it', () => {
    begin().submit(1);
    expect(day.stateOf(1)).toBe('pending');
    day.carryOutAll();
    expect(day.stateOf(1)).toBe('testing');
    day.pass(1);
    expect(day.stateOf(1)).toBe('merged');
    expect(day.target).toEqual(['main', '1@1a']);
    expect(reasons(1)).toEqual([
      'pending: merge_item_now_ready',
      'testing: null',
      'tests_passed: test_run_passed',
      'merged: merge_graph_merge',
    ]);
  });

  it('tests the next entry only when the first entry has left', () => {
    begin().submit(1);
    day.submit(2);
    day.carryOutAll();
    expect([day.stateOf(1), day.stateOf(2)]).toEqual(['testing', 'pending']);
    day.fail(1);
    expect([day.stateOf(1), day.stateOf(2)]).toEqual(['failed', 'testing']);
    expect(reasons(1).at(-1)).toBe('failed: test_run_required_status_failed');
    expect(day.testedOn(2)).toEqual([2]);
  });

  it('takes the lower priority value first, and within a value the earlier submission', () => {
    begin().submit(1);
    day.submit(2);
    day.submit(3, { priority: 10 });
    day.submit(4, { priority: 10 });
    for (const number of [1, 3, 4, 2]) day.carryOutAll().pass(number);
    expect(day.target).toEqual(['main', '1@1a', '3@3a', '4@4a', '2@2a']);
  });

  it('waits for every required status, and ignores other statuses', () => {
    begin({ requiredStatuses: ['unit', 'lint'] }).submit(1);
    day.carryOutAll();
    day.report(day.runOf(1), 'failed', 'coverage');
    day.report(day.runOf(1), 'passed', 'unit');
    expect(day.stateOf(1)).toBe('testing');
    day.report(day.runOf(1), 'passed', 'lint');
    expect(day.carryOutAll().stateOf(1)).toBe('merged');
  });

  it('fails a run at its time-out if one required status never appeared', () => {
    begin({ testingTimeoutMinutes: 10, requiredStatuses: ['ci', 'unit'] }).submit(1);
    day.carryOutAll().report(day.runOf(1), 'passed');
    day.advance(9);
    expect(day.stateOf(1)).toBe('testing');
    day.advance(1);
    expect(day.stateOf(1)).toBe('pending');
    day.carryOutAll().report(day.runOf(1), 'passed');
    day.advance(10);
    expect([day.stateOf(1), day.entry(1).stateReason]).toEqual(['failed', 'test_run_timeout']);
  });

  it('lets no run time out while the host does not answer', () => {
    begin({ testingTimeoutMinutes: 10 }).submit(1);
    day.carryOutAll();
    day.queue = { ...day.queue, hostUnreachableSince: day.now };
    day.advance(60);
    expect(day.stateOf(1)).toBe('testing');
    day.queue = { ...day.queue, hostUnreachableSince: null };
    day.report(day.runOf(1), 'passed');
    expect(day.stateOf(1)).toBe('tests_passed');
  });
});

describe('sequential mode with several slots', () => {
  it('tests each entry on top of all entries ahead of it, and lands them in order', () => {
    begin({ concurrency: 3 });
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll();
    expect([1, 2, 3].map((number) => day.testedOn(number))).toEqual([[1], [1, 2], [1, 2, 3]]);
    day.pass(3).pass(2);
    expect(day.target).toEqual(['main']);
    day.pass(1);
    expect(day.target).toEqual(['main', '1@1a', '2@2a', '3@3a']);
    expect(day.queue.nextRun).toBe(4);
  });

  it('rebuilds the runs behind a failed entry without it, and blames the entry when its base is the target', () => {
    begin({ concurrency: 3 });
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll().fail(2);
    expect(day.stateOf(2)).toBe('pending_failure');
    expect(day.testedOn(3)).toEqual([1, 3]);
    expect(reasons(3)).toContain('pending: prerequisite_merge_item_failed');
    day.pass(1);
    expect(day.stateOf(2)).toBe('failed');
    expect(day.pass(3).target).toEqual(['main', '1@1a', '3@3a']);
  });

  it('does not blame an entry for a failure on top of another failed entry (Zuul: two failed changes at head)', () => {
    begin({ concurrency: 3 });
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll().fail(2);
    day.fail(1);
    expect(day.stateOf(1)).toBe('failed');
    expect(day.testedOn(2)).toEqual([2]);
    expect(day.testedOn(3)).toEqual([2, 3]);
    day.fail(2);
    expect(day.testedOn(3)).toEqual([3]);
    expect(day.pass(3).target).toEqual(['main', '3@3a']);
  });

  it('builds each candidate on the candidate directly ahead if both have the same tip and merge method', () => {
    begin({ concurrency: 4 });
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll().set({ mergeMethod: 'rebase' });
    const started: unknown[] = [];
    const noted = (): unknown => started.push(...day.commands.filter((command) => command.type === 'startTestRun'));
    day.restart(3);
    noted();
    day.carryOutAll().set({ mergeMethod: 'squash' });
    day.restart(3);
    noted();
    const onto = { commit: day.runOf(2).commit, contains: [{ number: 1 }, { number: 2 }] };
    expect(started).toMatchObject([
      { onto: { commit: day.host.tip().commit, contains: [] }, builtOn: [{ number: 1 }, { number: 2 }] },
      { onto, builtOn: [] },
    ]);
  });

  it('dates the beginning of a test to the push of its branch, however late the notice comes', () => {
    begin().submit(1);
    day.act();
    const pushedAt = day.now;
    day.advance(2);
    expect(day.carryOutAll().entry(1)).toMatchObject({ state: 'testing', stateChangedAt: pushedAt });
  });

  it('restarts the runs behind a cancelled entry without it, and no run ahead', () => {
    begin({ concurrency: 3 });
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll();
    const first = day.runOf(1).number;
    day.cancel(2);
    day.carryOutAll();
    expect(day.runOf(1).number).toBe(first);
    expect(day.testedOn(3)).toEqual([1, 3]);
    expect(reasons(3)).toContain('pending: prerequisite_merge_item_cancelled');
  });

  it('restarts only the requested entry', () => {
    begin({ concurrency: 3 });
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll();
    const others = [day.runOf(1).number, day.runOf(3).number];
    day.restart(2);
    day.carryOutAll();
    expect([day.runOf(1).number, day.runOf(3).number]).toEqual(others);
    expect(day.runOf(2).number).toBe(4);
    expect(reasons(2)).toContain('pending: tests_restarted_by_api_request');
  });

  it('puts an entry that failed and is restarted behind the runs that were rebuilt without it', () => {
    begin({ concurrency: 4 });
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll().fail(2);
    const rebuilt = day.runOf(3).number;
    day.restart(2);
    day.carryOutAll();
    expect(day.runOf(3).number).toBe(rebuilt);
    expect(day.testedOn(2)).toEqual([1, 3, 2]);
  });

  it('lets a newer report turn a failure into a pass while no run was rebuilt without the failed entry', () => {
    begin({ concurrency: 2 });
    for (const number of [1, 2]) day.submit(number);
    day.carryOutAll().fail(2);
    expect(day.stateOf(2)).toBe('pending_failure');
    day.pass(2);
    expect(day.stateOf(2)).toBe('tests_passed');
    expect(day.pass(1).target).toEqual(['main', '1@1a', '2@2a']);
  });

  it('lets no newer report turn a failure into a pass after runs were rebuilt without the failed entry', () => {
    begin({ concurrency: 3 });
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll().fail(2);
    const rebuilt = day.runOf(3).number;
    day.pass(2);
    expect(day.stateOf(2)).toBe('pending_failure');
    expect(day.runOf(3).number).toBe(rebuilt);
  });

  it('rebuilds a failed run at once, without the failed entries ahead of it', () => {
    begin({ concurrency: 3 });
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll().fail(3).fail(2);
    expect([day.stateOf(3), day.testedOn(3)]).toEqual(['testing', [1, 3]]);
  });

  it('rebuilds a run under test as often as necessary, also after it was rebuilt for a failure', () => {
    begin({ concurrency: 5 });
    for (const number of [1, 2, 3, 4, 5]) day.submit(number);
    day.carryOutAll().fail(5).fail(3);
    expect(day.testedOn(5)).toEqual([1, 2, 4, 5]);
    day.fail(4);
    expect(day.testedOn(5)).toEqual([1, 2, 5]);
  });

  it('rebuilds a failed run a second time when a push to the target makes its base impossible', () => {
    begin({ concurrency: 3 });
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll().fail(3).fail(2).fail(3).pushToTarget('hotfix');
    expect([day.stateOf(3), day.entry(3).stateReason]).toEqual(['pending', 'manual_push_to_target_branch']);
    expect(day.carryOutAll().testedOn(3)).toEqual([1, 2, 3]);
  });

  it('gives the manual merge of an entry ahead as the reason why a test is void', () => {
    begin({ concurrency: 2 });
    for (const number of [1, 2]) day.submit(number);
    day.carryOutAll().change(1, { state: 'merged' });
    expect(reasons(2).at(-1)).toBe('pending: prerequisite_merge_item_manually_merged');
  });

  it('rebuilds a failed run once until an entry concludes, so that n failed runs do not cost 2 to the n tests', () => {
    begin({ concurrency: 8 });
    for (let number = 1; number <= 8; number++) day.submit(number);
    day.carryOutAll();
    for (;;) {
      const last = day.queue.runs.filter((run) => run.phase === 'testing').at(-1);
      if (!last) break;
      day.report(last, last.kind === 'target' ? 'passed' : 'failed');
      day.carryOutAll();
    }
    expect(day.queue.entries.every((entry) => entry.state === 'failed')).toBe(true);
    expect(day.queue.nextRun - 1).toBeLessThanOrEqual(92);
  });

  it('does not rebuild the runs behind when the queue sees its own landing before the result of the landing', () => {
    begin({ concurrency: 2 });
    for (const number of [1, 2]) day.submit(number);
    day.carryOutAll();
    day.report(day.runOf(1), 'passed');
    const behind = day.runOf(2).number;
    day.happen({ type: 'targetSeen', tip: { commit: 'landed', tree: day.runOf(1).tree! }, seenAt: day.now });
    day.carryOutAll();
    expect(day.stateOf(1)).toBe('merged');
    expect(day.runOf(2).number).toBe(behind);
  });

  it('does not mistake its own landing for a push from outside when a starting run sees the landing first', () => {
    begin({ concurrency: 2 });
    for (const number of [1, 2]) day.submit(number);
    day.carryOutAll();
    day.report(day.runOf(1), 'passed');
    day.submit(3);
    expect(day.commands.map((command) => command.type)).toEqual(['landRun', 'startTestRun']);
    day.act(0);
    day.act(0);
    day.outcomes.reverse();
    day.carryOutAll();
    expect([day.queue.epoch, day.queue.nextRun]).toEqual([1, 4]);
    expect(day.testedOn(3)).toEqual([1, 2, 3]);
  });

  it('starts a run again if it was requested before a landing and found the landed commit, and no other run', () => {
    begin({ concurrency: 3 });
    for (const number of [1, 2]) day.submit(number);
    day.carryOutAll();
    day.submit(3);
    day.report(day.runOf(1), 'passed');
    expect(day.commands.map((command) => command.type)).toEqual(['startTestRun', 'landRun']);
    day.act(1);
    day.act(0);
    day.outcomes.reverse();
    day.carryOutAll();
    expect([day.queue.epoch, day.runOf(2).number]).toEqual([1, 2]);
    expect(day.testedOn(3)).toEqual([1, 2, 3]);
  });

  it('lets no later report turn a pass into a failure', () => {
    begin({ concurrency: 2 });
    for (const number of [1, 2]) day.submit(number);
    day.carryOutAll().pass(2);
    day.fail(2);
    expect(day.stateOf(2)).toBe('tests_passed');
  });
});

describe('a paused or draining queue', () => {
  it('lets tests finish and lands nothing while paused', () => {
    begin().submit(1);
    day.carryOutAll().set({}, 'paused');
    day.pass(1);
    expect(day.stateOf(1)).toBe('tests_passed');
    day.set({}, 'running');
    expect(day.carryOutAll().stateOf(1)).toBe('merged');
  });

  it('lands passed runs and starts nothing while draining', () => {
    begin().submit(1);
    day.submit(2);
    day.carryOutAll().set({}, 'draining');
    day.pass(1);
    expect([day.stateOf(1), day.stateOf(2)]).toEqual(['merged', 'pending']);
  });
});

describe('a change of mode', () => {
  const toMode = (mode: 'single' | 'parallel'): unknown =>
    day.happen({ type: 'settingsChanged', settings: {}, mode, actor: 'ci' });
  const giveTargets = (number: number): void => {
    const entries = day.queue.entries.map((entry) => ({
      ...entry,
      hasTargets: entry.hasTargets || entry.number === number,
    }));
    day.queue = { ...day.queue, entries };
    day.happen({ type: 'targetsGiven', number, head: `${number}a` });
  };

  it('waits for the tests in progress; then an entry without targets becomes not ready', () => {
    begin();
    for (const number of [1, 2, 3]) day.submit(number);
    giveTargets(3);
    day.carryOutAll();
    toMode('parallel');
    expect([day.queue.mode, day.queue.requestedMode, day.queue.state]).toEqual([
      'single',
      'parallel',
      'switching_modes',
    ]);
    expect([1, 2, 3].map((number) => day.stateOf(number))).toEqual(['testing', 'pending', 'pending']);
    day.pass(1);
    expect([day.queue.mode, day.queue.requestedMode, day.queue.state]).toEqual(['parallel', null, 'running']);
    expect([1, 2, 3].map((number) => day.stateOf(number))).toEqual(['merged', 'not_ready', 'testing']);
    expect(day.entry(2).stateReason).toBe('readiness_lost');
  });

  it('takes effect at once when nothing is built, tested or being landed', () => {
    begin();
    day.set({}, 'paused');
    for (const number of [1, 2]) day.submit(number);
    giveTargets(2);
    toMode('parallel');
    expect([day.queue.mode, day.queue.state]).toEqual(['parallel', 'paused']);
    expect([1, 2].map((number) => day.stateOf(number))).toEqual(['not_ready', 'pending']);
  });

  it('is refused while another change of mode is in progress, unless both lead to the same mode', () => {
    begin().submit(1);
    day.carryOutAll();
    toMode('parallel');
    expect(toMode('single')).toMatchObject({ code: 'MODE_CHANGE_IN_PROGRESS' });
    expect(toMode('parallel')).toBeNull();
  });

  it('ends in the state that was requested meanwhile; a requested pause stops landings at once', () => {
    begin().submit(1);
    day.carryOutAll();
    toMode('parallel');
    day.set({}, 'paused');
    expect(day.queue.state).toBe('switching_modes');
    day.pass(1);
    expect([day.queue.mode, day.queue.state, day.stateOf(1)]).toEqual(['parallel', 'paused', 'not_ready']);
  });

  it('takes effect after the runs under test are decided, including a failed run', () => {
    begin({ concurrency: 3 });
    for (const number of [1, 2, 3]) {
      day.submit(number);
      giveTargets(number);
    }
    day.carryOutAll();
    day.fail(2);
    toMode('parallel');
    day.pass(3).pass(1);
    expect(day.queue.mode).toBe('parallel');
    expect([2, 3].map((number) => day.stateOf(number))).toEqual(['failed', 'merged']);
  });

  it('keeps an entry ahead of later entries, although it was not ready in between', () => {
    begin();
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll();
    toMode('parallel');
    day.pass(1);
    toMode('single');
    day.carryOutAll();
    expect([day.stateOf(2), day.stateOf(3)]).toEqual(['testing', 'pending']);
  });

  it('lets an entry wait for its targets for a full day after the change, and makes it ready when they come', () => {
    begin();
    day.submit(1);
    day.submit(2);
    day.carryOutAll().advance(60);
    toMode('parallel');
    day.pass(1).advance(23 * 60 + 59);
    expect(day.stateOf(2)).toBe('not_ready');
    giveTargets(2);
    expect(day.stateOf(2)).toBe('pending');
  });

  it('evaluates all waiting entries by the new mode, however many they are', () => {
    begin().set({}, 'paused');
    for (let number = 1; number <= 250; number++) day.submit(number);
    toMode('parallel');
    expect(day.queue.entries.every((entry) => entry.state === 'not_ready')).toBe(true);
  });
});

describe('an event at the host', () => {
  it.each([
    ['pushed to', { head: 'new' }, 'cancelled', 'pr_pushed_to'],
    ['closed', { state: 'closed' as const }, 'cancelled', 'pr_closed'],
    ['made a draft', { draft: true }, 'cancelled', 'pr_converted_to_draft'],
    ['aimed at another branch', { base: 'release' }, 'cancelled', 'pr_base_branch_changed'],
    ['merged manually', { state: 'merged' as const }, 'merged', 'manual_merge'],
    ['merged into another branch', { state: 'merged' as const, base: 'x' }, 'cancelled', 'pr_merged_into_other_branch'],
  ])('concludes a tested pull request that is %s', (_, facts, state, reason) => {
    begin().submit(1);
    day.carryOutAll().change(1, facts);
    expect([day.stateOf(1), day.entry(1).stateReason]).toEqual([state, reason]);
  });

  it('attack 2: removes an entry that is not ready after a push by somebody who may not write', () => {
    begin();
    day.open(1, { draft: true }).submit(1);
    day.change(1, { head: '1b', draft: false, pushedByStranger: true });
    expect([day.stateOf(1), day.entry(1).stateReason, day.entry(1).head]).toEqual(['cancelled', 'pr_pushed_to', '1a']);
    expect(day.carryOutAll().target).toEqual(['main']);
  });

  it('gives an entry that is not ready the head that a submission names, whoever pushed the head', () => {
    begin();
    day.open(1, { draft: true }).submit(1);
    day.change(1, { head: '1b', draft: false, pushedByStranger: true }, 'missed');
    expect(day.submit(1)).toBeNull();
    expect([day.stateOf(1), day.entry(1).attempt, day.entry(1).head]).toEqual(['pending', 1, '1b']);
  });

  it('is not undone by a later report of an older head', () => {
    begin();
    day.open(1, { draft: true }).submit(1);
    const early = day.host.seen(1, day.now);
    day.advance(1);
    day.change(1, { head: '1b' });
    day.happen(early);
    expect([day.stateOf(1), day.entry(1).head]).toEqual(['not_ready', '1b']);
  });

  it('gives an entry that is not ready its new head; the entry still waits, and is cancelled after a day', () => {
    begin();
    day.open(1, { mergeability: 'not_mergeable' }).submit(1);
    day.change(1, { head: '1b' });
    expect([day.stateOf(1), day.entry(1).head]).toEqual(['not_ready', '1b']);
    day.advance(24 * 60);
    expect(day.entry(1).stateReason).toBe('not_ready_timeout_expired');
  });

  it('makes an entry pending as soon as the host calls it mergeable', () => {
    begin();
    day.open(1, { mergeability: 'not_mergeable' }).submit(1);
    day.change(1, { mergeability: 'mergeable' });
    expect(day.carryOutAll().stateOf(1)).toBe('testing');
  });

  it('rebuilds all runs on the new tip after a push to the target', () => {
    begin({ concurrency: 2 });
    for (const number of [1, 2]) day.submit(number);
    day.carryOutAll().pass(2).pushToTarget('hotfix');
    day.carryOutAll();
    expect(reasons(2).at(-2)).toBe('pending: manual_push_to_target_branch');
    expect(day.pass(1).pass(2).target).toEqual(['main', 'hotfix', '1@1a', '2@2a']);
  });

  it('that the queue missed, such as a push to the target, is found by the next landing', () => {
    begin().submit(1);
    day.carryOutAll().pushToTarget('hotfix', 'missed');
    day.pass(1);
    expect(day.stateOf(1)).toBe('testing');
    expect(day.pass(1).target).toEqual(['main', 'hotfix', '1@1a']);
  });

  it('fails an entry whose head moved before the landing', () => {
    begin().submit(1);
    day.carryOutAll().change(1, { head: 'new' }, 'missed');
    day.pass(1);
    expect(day.entry(1).stateReason).toBe('pr_updated_at_merge_time');
    expect(day.target).toEqual(['main']);
  });

  it('keeps an entry out of the line while its mergeability is unknown, and asks the host again', () => {
    begin();
    day.open(1).submit(1);
    day.change(1, { mergeability: 'unspecified' }, 'missed');
    day.submit(2);
    day.carryOutAll();
    expect([day.stateOf(1), day.stateOf(2)]).toEqual(['pending', 'testing']);
    day.change(1, { mergeability: 'mergeable' }, 'missed');
    day.pass(2).advance(1);
    expect(day.carryOutAll().stateOf(1)).toBe('testing');
  });
});

describe('a conflict', () => {
  it('with the target fails the entry', () => {
    begin().submit(1);
    day.carryOutAll().pass(1);
    day.open(2, { conflictsWith: [1] }).submit(2);
    expect(day.carryOutAll().entry(2).stateReason).toBe('start_test_run_merge_conflict');
  });

  it('with an entry ahead lets an entry wait without a slot, and fails it when the entry ahead has landed', () => {
    begin({ concurrency: 2 });
    day.open(2, { conflictsWith: [1] });
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll();
    expect(day.stateOf(2)).toBe('pending');
    expect(day.testedOn(3)).toEqual([1, 3]);
    const behind = day.runOf(3).number;
    day.pass(1);
    expect(day.entry(2).stateReason).toBe('start_test_run_merge_conflict');
    expect(day.runOf(3).number).toBe(behind);
    expect(day.pass(3).target).toEqual(['main', '1@1a', '3@3a']);
  });

  it('with an entry ahead ends when the entry ahead has left', () => {
    begin({ concurrency: 2 });
    day.open(2, { conflictsWith: [1] });
    for (const number of [1, 2]) day.submit(number);
    day.carryOutAll().fail(1);
    expect(day.testedOn(2)).toEqual([2]);
    expect(day.pass(2).target).toEqual(['main', '2@2a']);
  });
});

describe('late or refused events', () => {
  it('include a cancel or restart of an entry that is being merged or has merged', () => {
    begin().submit(1);
    day.carryOutAll();
    day.report(day.runOf(1), 'passed');
    const refusal = day.cancel(1);
    expect(refusal?.code).toBe('PR_NOT_IN_ACTIVE_STATE');
    expect(refusal?.message).toContain('being merged');
    expect(day.restart(1)?.code).toBe('PR_TESTS_NOT_RESTARTABLE');
    day.carryOutAll();
    expect(day.cancel(1)?.code).toBe('PR_NOT_IN_ACTIVE_STATE');
  });

  it('include a push during the landing: the pull request merges as tested', () => {
    begin().submit(1);
    day.carryOutAll();
    day.report(day.runOf(1), 'passed');
    day.happen({ ...day.host.seen(1, day.now), facts: { ...day.facts(1), head: 'new' } });
    expect(day.carryOutAll().stateOf(1)).toBe('merged');
  });

  it('do not include a submission after a push: it starts a new attempt, and the runs behind are rebuilt', () => {
    begin({ concurrency: 2 });
    for (const number of [1, 2]) day.submit(number);
    day.carryOutAll().change(1, { head: '1b' }, 'missed');
    expect(day.submit(1)).toBeNull();
    day.carryOutAll();
    expect([day.stateOf(1), day.entry(1).attempt, day.entry(1).head]).toEqual(['testing', 2, '1b']);
    expect(reasons(1)).toContain('cancelled: pr_pushed_to');
    expect([day.testedOn(2), day.testedOn(1)]).toEqual([[2], [2, 1]]);
    expect(day.pass(2).pass(1).target).toEqual(['main', '2@2a', '1@1b']);
  });

  it('include a submission of a closed pull request, and of a merged pull request with the same head', () => {
    begin().submit(1);
    day.carryOutAll().pass(1);
    expect(day.submit(1)?.code).toBe('PR_NOT_ENQUEUEABLE');
    day.open(1);
    expect(day.submit(1)?.message).toContain('already merged with this head');
    day.open(1, { head: '1b' });
    expect(day.submit(1)).toBeNull();
    expect(day.entry(1).attempt).toBe(2);
  });
});
