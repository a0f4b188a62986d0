import { EngineDay } from '../../test/support/engine-day';
import type { PullRequestDay } from '../../test/support/engine-host';
import { explain } from './explain';
import type { QueueSettings } from './model';
import { HOUR, MINUTE } from './vocabulary';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

const WITHDRAWN: Partial<PullRequestDay> = { unmet: [{ words: 'an approval of somebody who may write' }] };
const APPROVED: Partial<PullRequestDay> = { unmet: [] };
const RUNS: Partial<PullRequestDay> = { unmet: [{ words: 'the check "lint" on its head (it runs)', isPending: true }] };
const BATCH = { batch: true, batchingMinSize: 3 } as const;

function tested(numbers: readonly number[], settings: Partial<QueueSettings> = {}): EngineDay {
  day = new EngineDay({ optimizationMode: 'off', ...settings });
  for (const number of numbers) day.submit(number);
  return day.carryOutAll();
}

function fates(...numbers: readonly number[]): readonly string[] {
  return numbers.map((number) => `${day.stateOf(number)} ${day.entry(number).stateReason ?? ''}`.trim());
}

function why(number: number): string | null {
  return explain(day.queue, [{ entryId: `entry-${number}`, ahead: 0 }], day.now)[0]?.waitingFor ?? null;
}

/** The number of test runs whose start has been ordered. */
function starts(): number {
  return day.decisions.flatMap(({ commands }) => commands).filter(({ type }) => type === 'startTestRun').length;
}

/** All states of the entry, from the first to the present state. */
function course(number: number): readonly string[] {
  return day.decisions.flatMap(({ changes }) =>
    changes.flatMap((change) =>
      change.type === 'entryMoved' && change.entryId === `entry-${number}` ? [change.to] : [],
    ),
  );
}

describe('an unmet demand of the host before a test', () => {
  it.each([WITHDRAWN, RUNS])('is awaited and named before a test run starts (%j)', (demands) => {
    day = new EngineDay();
    day.open(1, demands).submit(1);
    day.carryOutAll();
    expect([fates(1), starts()]).toEqual([['not_ready api_requested'], 0]);
    expect(why(1)).toContain(`Missing: ${demands.unmet![0]!.words}`);
    day.change(1, APPROVED);
    day.carryOutAll().pass(1);
    expect(fates(1)).toEqual(['merged merge_graph_merge']);
  });

  it('is read again when the test starts', () => {
    day = new EngineDay({ concurrency: 1 });
    day.submit(1);
    day.submit(2);
    day.carryOutAll().change(2, WITHDRAWN, 'missed');
    day.pass(1);
    expect([fates(2), day.entry(2).place, starts()]).toEqual([['not_ready readiness_lost'], null, 2]);
  });
});

describe('attack 3: an approval that is withdrawn while its pull request is tested', () => {
  it.each(['heard', 'missed'] as const)(
    'stops the pull request before it lands; approved again, it lands by its kept result (%s)',
    (how) => {
      tested([1]).change(1, WITHDRAWN, how);
      day.pass(1);
      expect([fates(1), day.target]).toEqual([['not_ready readiness_lost'], ['main']]);
      expect(why(1)).toContain('Missing: an approval of somebody who may write');
      expect(why(1)).toContain('Its place and its test are kept');
      day.change(1, APPROVED);
      day.carryOutAll();
      expect([fates(1), starts()]).toEqual([['merged merge_graph_merge'], 1]);
      expect(course(1).slice(-3)).toEqual(['not_ready', 'tests_passed', 'merged']);
    },
  );

  it('does not stop the test, which counts once the pull request is approved again', () => {
    tested([1]).change(1, WITHDRAWN);
    expect(fates(1)).toEqual(['not_ready readiness_lost']);
    day.change(1, APPROVED);
    expect([fates(1), starts()]).toEqual([['testing'], 1]);
    day.pass(1);
    expect(fates(1)).toEqual(['merged merge_graph_merge']);
  });

  it('does not hold up the entries behind: they land without the pull request, which is tested again', () => {
    tested([1, 2], { concurrency: 2 }).change(1, WITHDRAWN);
    day.carryOutAll();
    expect(day.testedOn(2)).toEqual([2]);
    day.pass(2);
    expect([fates(2), day.target]).toEqual([['merged merge_graph_merge'], ['main', '2@2a']]);
    expect([fates(1), day.entry(1).place, day.queue.runs]).toEqual([['not_ready readiness_lost'], null, []]);
    day.change(1, APPROVED);
    day.carryOutAll().pass(1);
    expect(day.target).toEqual(['main', '2@2a', '1@1a']);
  });

  it('keeps the place of the pull request if it is approved again before entries behind it have landed', () => {
    tested([1, 2], { concurrency: 2 }).change(1, WITHDRAWN);
    day.carryOutAll().change(1, APPROVED);
    day.carryOutAll();
    expect([day.testedOn(1), day.testedOn(2)]).toEqual([[1], [1, 2]]);
  });

  it('removes the pull request from its batch, whose other entries are tested again', () => {
    tested([1, 2, 3], BATCH).change(2, WITHDRAWN, 'missed');
    day.pass(1);
    expect([fates(2), day.target, day.testedOn(1)]).toEqual([['not_ready readiness_lost'], ['main'], [1, 3]]);
    day.pass(1);
    expect(day.target).toEqual(['main', '1@1a', '3@3a']);
  });

  it('prevents a later run from landing the pull request', () => {
    tested([1, 2], { concurrency: 2, canOptimisticallyMerge: true }).change(1, WITHDRAWN, 'missed');
    day.pass(2);
    expect([day.target, day.testedOn(2), fates(1)]).toEqual([['main'], [2], ['not_ready readiness_lost']]);
  });

  it('has no effect once the landing of the pull request has been requested', () => {
    tested([1]).report(day.runOf(1), 'passed');
    day.act();
    day.change(1, WITHDRAWN);
    day.carryOutAll();
    expect(fates(1)).toEqual(['merged merge_graph_merge']);
  });

  it('keeps no result of a test that failed meanwhile', () => {
    tested([1]).change(1, WITHDRAWN);
    day.fail(1);
    expect([fates(1), day.entry(1).place, day.queue.runs]).toEqual([['not_ready readiness_lost'], null, []]);
  });

  it('ends the run when the pull request is pushed to; the entry gets the new head', () => {
    tested([1]).change(1, WITHDRAWN);
    day.change(1, { head: '1b' });
    expect([day.entry(1).head, day.entry(1).place, day.queue.runs]).toEqual(['1b', null, []]);
  });

  it('costs the pull request its result when somebody pushes to the target', () => {
    tested([1]).change(1, WITHDRAWN);
    day.pass(1).pushToTarget('hotfix');
    expect([fates(1), day.entry(1).place, day.queue.runs]).toEqual([['not_ready readiness_lost'], null, []]);
  });

  it('cancels the pull request if it is not approved again in time', () => {
    tested([1], { notReadyTimeoutHours: 1 }).change(1, WITHDRAWN);
    day.pass(1).advance(HOUR / MINUTE);
    expect([fates(1), day.queue.runs]).toEqual([['cancelled not_ready_timeout_expired'], []]);
  });

  it('does not delay a switch of the mode', () => {
    tested([1]).change(1, WITHDRAWN);
    day.happen({ type: 'settingsChanged', settings: {}, mode: 'parallel', actor: 'ci' });
    expect([day.queue.mode, day.queue.state, fates(1)]).toEqual(['parallel', 'running', ['not_ready readiness_lost']]);
  });
});

describe('attack 4: a check of the head for which the host waits before a landing', () => {
  it('keeps the state, place and result of the entry, which lands once the check has passed', () => {
    tested([1]).change(1, { notYet: 'Required status check "lint" is in progress.' }, 'missed');
    day.pass(1);
    expect([fates(1), day.target, day.entry(1).place]).toEqual([['tests_passed test_run_passed'], ['main'], 1]);
    expect(why(1)).toContain(
      'git.example does not merge this pull request yet: Required status check "lint" is in progress.',
    );
    day.advance(60);
    day.carryOutAll();
    expect(day.commands).toEqual([]);
    day.change(1, { notYet: undefined });
    day.carryOutAll();
    expect([fates(1), starts()]).toEqual([['merged merge_graph_merge'], 1]);
  });

  const SILENT: Partial<PullRequestDay> = {
    unmet: [{ words: 'the check "lint" on its head (not reported yet)', isPending: true }],
  };
  const RUNNING: Partial<PullRequestDay> = {
    unmet: [{ words: 'the check "lint" on its head (still running)', isPending: true, isRunning: true }],
  };

  it.each([
    ['is not reported', SILENT, 15],
    ['runs', RUNNING, 60],
  ])(
    'keeps the result, and holds up other entries only for a limited time, while the check %s',
    (_, demands, minutes) => {
      tested([1, 2], { concurrency: 2, testingTimeoutMinutes: 60 }).change(1, demands, 'missed');
      day.pass(1).pass(2);
      day.advance(minutes - 1);
      expect([fates(1)[0], day.target]).toEqual(['tests_passed test_run_passed', ['main']]);
      day.advance(2);
      day.carryOutAll();
      expect(fates(1)).toEqual(['not_ready readiness_lost']);
      expect(why(1)).toContain('Its place and its test are kept');
      expect(day.testedOn(2)).toEqual([2]);
    },
  );

  it('does not hold up other entries for long, even if a later run proved an entry whose own test failed', () => {
    tested([1, 2], { concurrency: 2, canOptimisticallyMerge: true, pendingFailureDepth: 1 });
    day.fail(1).change(1, SILENT, 'missed');
    day.pass(2);
    expect([fates(1)[0], day.target]).toEqual(['tests_passed successor_test_run_passed', ['main']]);
    day.advance(16);
    day.carryOutAll();
    expect([fates(1), day.testedOn(2)]).toEqual([['not_ready readiness_lost'], [2]]);
  });

  it('lands the entry by its kept result when the check passes late', () => {
    tested([1]).change(1, SILENT, 'missed');
    day.pass(1).advance(20);
    expect(fates(1)).toEqual(['not_ready readiness_lost']);
    day.change(1, APPROVED);
    day.carryOutAll();
    expect([fates(1), starts()]).toEqual([['merged merge_graph_merge'], 1]);
  });

  it('holds up no other entry in a flow queue', () => {
    tested([], { scheduling: 'flow', canOptimisticallyMerge: true, batch: false, concurrency: 2 });
    day.submit(1);
    day.submit(2);
    day.carryOutAll().change(1, SILENT, 'missed');
    day.pass(1).pass(2);
    expect(day.target).toEqual(['main']);
    day.advance(16);
    day.carryOutAll();
    expect(fates(1)).toEqual(['not_ready readiness_lost']);
    day.pass(2);
    expect(day.target).toEqual(['main', '2@2a']);
  });

  it('does not lead to a loop of requests while the host still waits', () => {
    tested([1]).change(1, { notYet: 'Required status check "lint" is expected.' }, 'missed');
    day.pass(1);
    const before = day.decisions.length;
    day.carryOutAll();
    expect(day.decisions.length).toBe(before);
    day.change(1, {});
    day.carryOutAll();
    expect([fates(1), day.target]).toEqual([['tests_passed test_run_passed'], ['main']]);
  });

  it('is seen before the landing, and keeps all entries of its batch from landing', () => {
    tested([1, 2, 3], BATCH).change(2, RUNS, 'missed');
    day.pass(1);
    expect([fates(1, 2, 3), day.target]).toEqual([Array(3).fill('tests_passed test_run_passed'), ['main']]);
    expect(why(1)).toContain('the check "lint" on its head (it runs)');
    day.change(2, APPROVED);
    day.carryOutAll();
    expect(day.target).toEqual(['main', '1@1a', '2@2a', '3@3a']);
  });

  it.each([
    [1, { notYet: 'Required status check "lint" is expected.' }],
    [2, { notYet: 'Required status check "lint" is expected.' }],
    [1, RUNS],
    [2, RUNS],
  ])('keeps the result and the proof of an entry that a later run proved (#%i waits: %j)', (waitsFor, change) => {
    tested([1, 2], { concurrency: 2, canOptimisticallyMerge: true }).change(waitsFor, change, 'missed');
    day.pass(2);
    expect(fates(1, 2)).toEqual(['tests_passed successor_test_run_passed', 'tests_passed test_run_passed']);
    expect([day.target, day.entry(1).place, day.entry(1).verifiedByRun]).toEqual([['main'], 1, 2]);
    day.change(waitsFor, { notYet: undefined, unmet: [] });
    day.carryOutAll();
    expect([day.target, starts()]).toEqual([['main', '1@1a', '2@2a'], 2]);
  });

  it('lets a proven entry continue its own test when the entry that proved it leaves', () => {
    tested([1, 2], { concurrency: 2, canOptimisticallyMerge: true }).change(2, RUNS, 'missed');
    day.pass(2).cancel(2);
    expect([fates(1), starts()]).toEqual([['testing'], 2]);
    day.carryOutAll().pass(1);
    expect([day.target, starts()]).toEqual([['main', '1@1a'], 2]);
  });

  it('keeps the slot of a proven entry until its own test is over', () => {
    tested([1, 2, 3, 4], { concurrency: 2, canOptimisticallyMerge: true }).change(2, RUNS, 'missed');
    day.report(day.runOf(2), 'passed');
    const inFlight = (): readonly string[] => day.queue.runs.map(({ phase, place }) => `${place} ${phase}`);
    expect(inFlight()).toEqual(['1 landing', '2 landing', '3 building']);
    day.carryOutAll();
    expect(inFlight()).toEqual(['1 testing', '2 passed', '3 testing']);
  });

  it('does not change readiness while the test runs', () => {
    tested([1]).change(1, RUNS);
    expect(fates(1)).toEqual(['testing']);
  });

  it.each([
    ['failed host_branch_protection_unmet', 'rule'],
    ['failed host_merge_failed', undefined],
  ] as const)('fails the entry only on a refusal of the host: %s', (fate, refusedBy) => {
    tested([1]).change(1, { refusal: 'No.', refusedBy }, 'missed');
    day.pass(1);
    expect(fates(1)).toEqual([fate]);
  });
});
