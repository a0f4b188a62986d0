import { EngineDay } from '../../../test/support/engine-day';
import type { QueueSettings } from '../model';
import type { FailedRun, FailedTestOfRun, FailedTestsOfRun, PullRequestViewFacts } from '../pull-request-view-facts';
import type { EntryState, StateReason } from '../vocabulary';
import { HOUR, MINUTE } from '../vocabulary';
import { checkboxIn } from './comment-markers';
import { commentOn } from './comment';
import { stateMessage } from './state-message';
import { statusCheckOn } from './status-check';

let day: EngineDay;

function begin(settings: Partial<QueueSettings> = {}): EngineDay {
  day = new EngineDay(settings);
  return day;
}

function submit(...numbers: readonly number[]): void {
  for (const number of numbers) day.submit(number);
  day.carryOutAll();
}

function facts(number: number, more: Partial<PullRequestViewFacts> = {}): PullRequestViewFacts {
  const { queue } = day;
  const base = { brand: 'sluice', queue, entry: day.entry(number), now: day.now, expectedEnd: null, ahead: 0 };
  return { ...base, failedRun: null, failedTests: null, landedAs: null, details: null, ...more };
}

/** An entry in that state, with that reason. */
function concluded(
  state: EntryState,
  stateReason: StateReason,
  more: Partial<PullRequestViewFacts> = {},
): PullRequestViewFacts {
  begin().submit(1);
  return facts(1, { entry: { ...day.entry(1), state, stateReason, stateActor: null }, ...more });
}

const RED: FailedRun = {
  commit: 'a'.repeat(40),
  failure: { type: 'status', names: ['ci'], depth: 0, reused: false },
  timeoutMinutes: 300,
  own: [1],
  builtOn: [],
  statuses: [],
};

/** The comment without marker, title and the sentence about commands. */
function text(page: PullRequestViewFacts): string {
  return commentOn(page)
    .split('\n\n')
    .slice(2)
    .filter((paragraph) => !paragraph.startsWith('<sub>') && !paragraph.startsWith('- ['))
    .join(' / ');
}

const title = (page: PullRequestViewFacts): string | undefined => commentOn(page).split('\n\n')[1];
const line = (page: PullRequestViewFacts): string => statusCheckOn(page).description;

describe('the comment', () => {
  it('begins with its marker and a title, and ends with the command that a user can give', () => {
    begin();
    submit(1);
    expect(commentOn(facts(1)).split('\n\n')).toEqual([
      '<!-- sluice-merge-queue -->',
      '### Testing',
      expect.stringMatching(/^It is tested on top of `main`: `ci` has to pass on \S+\.$/),
      '<sub>To cancel it, write `/sluice cancel` in a comment of its own.</sub>',
    ]);
    expect(commentOn(concluded('merged', 'merge_graph_merge'))).not.toMatch(/<sub>|- \[/);
  });

  it('offers no checkbox on a closed pull request, whose branch may be gone, until it is reopened', () => {
    const closed = concluded('cancelled', 'pr_closed');
    expect(commentOn(closed)).toContain('<sub>Reopen it to submit it again.</sub>');
    expect(checkboxIn('sluice', commentOn(closed))).toBeNull();
    expect(checkboxIn('sluice', commentOn({ ...closed, reopenedAt: day.now + 1 }))).toBe('empty');
    expect(checkboxIn('sluice', commentOn({ ...closed, reopenedAt: closed.entry.stateChangedAt - 1 }))).toBeNull();
  });

  it('warns of required statuses that the pull request drops, until its test starts', () => {
    const said = '`e2e` from the required statuses, but its own test still needs it. Keep the CI job';
    begin().set({}, 'paused');
    day.submit(1, { takesOff: ['e2e'] });
    expect(text(facts(1))).toContain(said);
    day.set({}, 'running');
    day.carryOutAll();
    expect(day.stateOf(1)).toBe('testing');
    expect(text(facts(1))).not.toContain(said);
  });

  it.each(['start_test_run_refused', 'start_test_run_merge_conflict', 'host_merge_failed'] as const)(
    "attack 12: stays within the host's limit, however long %s is",
    (reason) => {
      const comment = commentOn(concluded('failed', reason, { details: '&'.repeat(1_000_000) }));
      expect(comment.length).toBeLessThan(5_000);
    },
  );

  it.each(['failed', 'cancelled'] as const)('offers the checkbox again to a pull request that %s', (state) => {
    const page = concluded(state, 'pr_updated_at_merge_time');
    const again = 'to put it into the queue of `main` again.';
    const box = `- [ ] <!-- sluice-submit -->Check this box, or comment \`/sluice merge\`, ${again}`;
    expect(commentOn(page).split('\n\n').at(-1)).toBe(box);
    expect(checkboxIn('sluice', commentOn(page))).toBe('empty');
    begin({ commandsEnabled: false });
    expect(commentOn({ ...page, queue: day.queue })).toContain(`Check this box ${again}`);
  });

  it('does not mention comment commands if they are off', () => {
    begin({ commandsEnabled: false });
    submit(1);
    expect(commentOn(facts(1))).not.toContain('<sub>');
  });

  it('does not change while other entries come, pass, fail and leave', () => {
    begin({ concurrency: 3 });
    submit(1, 2);
    const both = () => [1, 2].map((number) => commentOn(facts(number)));
    const before = both();
    const events: readonly (() => unknown)[] = [
      () => submit(3, 4),
      () => day.submit(5, { priority: 10 }),
      () => day.report(day.runOf(3), 'passed'),
      () => day.cancel(3),
      () => day.report(day.runOf(5), 'failed'),
      () => day.advance(60),
    ];
    for (const happen of events) {
      happen();
      day.carryOutAll();
      expect(both()).toEqual(before);
    }
    expect(title(facts(2))).toBe('### Testing');
  });
});

describe('the comment on an entry that is not ready', () => {
  it('names the unmet conditions', () => {
    begin().open(1, { draft: true, base: 'release' }).submit(1);
    expect(title(facts(1))).toBe('### Not ready');
    expect(text(facts(1))).toBe(
      'Missing: its base must be `main` (it is `release`); it must not be a draft. / It is cancelled unless it becomes ready within 24 hours.',
    );
    expect(statusCheckOn(facts(1))).toMatchObject({
      state: 'pending',
      description: 'Not ready. Missing: its base must be main (it is release); it must not be a draft',
    });
  });

  it('calls the entry queued if only the answer of the host about its mergeability is missing', () => {
    begin().open(1, { mergeability: 'in_progress' }).submit(1);
    expect(title(facts(1))).toBe('### Queued');
    expect(text(facts(1))).toBe('The queue waits for `git.example` to report whether it can be merged into `main`.');
  });
});

describe('the comment on a waiting entry', () => {
  it('names the entries ahead of it and the requested options', () => {
    begin();
    submit(1);
    day.submit(2, { priority: 10, noBatch: true });
    expect(text(facts(2, { ahead: 1 }))).toBe(
      'When this was written: `#1` ahead of it. / Requested: priority high, never in a batch.',
    );
    expect(text(facts(2, { ahead: 7 }))).toContain('7 pull requests ahead of it.');
  });

  it('says that the queue was paused', () => {
    begin().set({}, 'paused');
    day.submit(1);
    expect(text(facts(1))).toBe('When this was written: the queue is paused and starts no test.');
  });

  it('explains how its batch is formed', () => {
    begin({ batch: true });
    day.submit(1);
    expect(text(facts(1))).toBe(
      'When this was written: next to be tested. / It is tested in a batch of 4, or of fewer after 5 minutes.',
    );
  });

  it('names the entry with which it conflicts', () => {
    begin({ concurrency: 2 });
    day.open(2, { conflictsWith: [1] });
    submit(1, 2);
    expect(text(facts(2))).toBe(
      'Conflicts with `#1` ahead of it in `a.txt`. It is tested if `#1` leaves the queue, and fails if `#1` merges.',
    );
    expect(line(facts(2))).toBe('Conflicts with #1 ahead of it');
  });

  it('explains why it is tested again', () => {
    begin();
    submit(1);
    day.restart(1);
    expect(text(facts(1))).toMatch(/^A new test run was requested by `\w+`\. \/ Its test commit is being built\.$/);
  });
});

describe('the comment on an entry under test', () => {
  it('names the other entries of its run and its base', () => {
    begin({ concurrency: 2, batch: true, batchingMinSize: 2 });
    submit(1, 2, 3, 4);
    expect(text(facts(3))).toMatch(
      /^It is tested in one batch with `#4`, on top of `#1`, `#2`: `ci` has to pass on \S+\.$/,
    );
    expect(line(facts(3))).toBe('Testing in one batch with #4, on top of #1, #2');
  });

  it('says that the tests passed, and what the merge waits for', () => {
    begin({ concurrency: 2 });
    submit(1, 2);
    day.report(day.runOf(2), 'passed');
    expect(text(facts(2))).toBe(
      'Its tests passed on top of `#1`. / It merges into `main` when `#1` has merged, and is tested again if `#1` fails.',
    );
  });

  it.each(['in_order', 'flow'] as const)('says until when merges are frozen, scheduled %s', (scheduling) => {
    begin({ scheduling, canOptimisticallyMerge: true });
    day.store.freezes = [{ from: day.now, until: day.now + 30 * HOUR, exceptPriorityAtMost: null }];
    submit(1);
    day.report(day.runOf(1), 'passed');
    expect(text(facts(1))).toBe(
      'Its tests passed. / When this was written, merges were frozen until 2026-01-02, 06:00 UTC.',
    );
    expect(line(facts(1))).toBe('Tests passed, not merged yet');
  });

  it('says that the entry waits for the merge limit', () => {
    begin({ maxMergesPerHour: 1, concurrency: 2 });
    submit(1, 2);
    day.pass(1);
    day.report(day.runOf(2), 'passed');
    expect(text(facts(2))).toBe(
      'Its tests passed on top of `#1`. / When this was written, the limit of 1 merge per hour was reached. ' +
        'It merges as soon as the limit allows.',
    );
  });

  it('gives the expected end as of the time of writing', () => {
    begin();
    submit(1);
    const expectedEnd = { p50: day.now + 90 * MINUTE, p90: day.now + 25 * HOUR };
    expect(text(facts(1, { expectedEnd }))).toContain(
      'As of 00:00 UTC: expected to merge or fail at about 01:30 UTC, and with 90 % probability by 2026-01-02, 01:00 UTC.',
    );
  });

  it('says that the tests failed, and when the cause will be known', () => {
    begin({ concurrency: 2 });
    submit(1, 2);
    day.report(day.runOf(2), 'failed');
    const failedRun = { ...RED, own: [2], builtOn: [1] };
    expect(title(facts(2, { failedRun }))).toBe('### Tests failed, not decided yet');
    expect(text(facts(2, { failedRun }))).toContain(
      'It was tested on top of `#1`. `#1` may be the cause: the queue decides when `#1` has merged or left the queue. / These statuses failed on',
    );
    expect(statusCheckOn(facts(2, { failedRun })).state).toBe('pending');
  });

  it('describes the bisection of its batch', () => {
    begin({ batch: true, batchingMinSize: 2 });
    submit(1, 2);
    day.report(day.runOf(1), 'failed');
    expect(title(facts(1))).toBe('### Bisecting its failed batch');
    day.carryOutAll();
    expect(text(facts(1))).toContain('A test run that included it failed: bisection decides');
  });
});

describe('the comment in a flow queue', () => {
  it('mentions no places or batches, and explains why a passed entry is tested again', () => {
    begin({ scheduling: 'flow', canOptimisticallyMerge: true, batch: true, concurrency: 3 });
    submit(1, 2);
    expect(text(facts(1, { ahead: 4 }))).toBe('');
    const waits = { ...day.entry(1), stateReason: 'bisection_test_run_passed' } as const;
    expect(text(facts(1, { entry: waits }))).toBe(
      'It passed in bisection, and waits for a test run that can merge it.',
    );
    const red = { ...day.entry(1), state: 'pending_failure', stateReason: null } as const;
    expect(text(facts(1, { entry: red, failedRun: RED }))).toContain('It fails when another test run passes');
  });
});

describe('the comment on a concluded entry', () => {
  it.each<[StateReason, string, string]>([
    ['merge_graph_merge', 'The queue merged it into `main` as c0ffee.', 'Merged into main'],
    [
      'merge_graph_direct_merge',
      'Its own tests had passed on top of the target branch, so the queue merged it directly into `main` as c0ffee.',
      'Merged into main',
    ],
    ['manual_merge', 'It was merged into `main` manually, bypassing the queue.', 'Merged into main manually'],
  ])('says how it merged (%s)', (reason, sentence, short) => {
    const page = concluded('merged', reason, { landedAs: reason === 'manual_merge' ? null : 'c0ffee' });
    expect([text(page), statusCheckOn(page).state, line(page)]).toEqual([sentence, 'success', short]);
  });

  it.each<[StateReason, string, string]>([
    ['pr_closed', 'It was closed.', 'it was closed'],
    [
      'pr_pushed_to',
      'New commits were pushed while it was in the queue.',
      'new commits were pushed while it was in the queue',
    ],
    [
      'pr_base_branch_changed',
      'Its base branch was changed, and is not `main`.',
      'its base branch was changed, and is not main',
    ],
    ['pr_converted_to_draft', 'It was converted to a draft.', 'it was converted to a draft'],
    [
      'pr_merged_into_other_branch',
      'It was merged into a branch other than `main`.',
      'it was merged into a branch other than main',
    ],
    ['not_ready_timeout_expired', 'It was not ready for 24 hours.', 'it was not ready for 24 hours'],
    [
      'target_set_back',
      'It was merged, and then `main` was reset to a commit before that merge. / Submit it again, or a new pull request if this one stays closed.',
      'it was merged, and then main was reset to a commit before that merge',
    ],
    [
      'nothing_to_merge',
      'There is nothing to merge, because `main` already has all its changes. / Close it, or push the missing changes and submit it again.',
      'there is nothing to merge, because main already has all its changes',
    ],
    ['user_requested', 'Cancelled by a person.', 'cancelled by a person'],
  ])('says why it was removed (%s)', (reason, sentence, short) => {
    const page = concluded('cancelled', reason);
    expect(text(page)).toBe(sentence);
    expect(statusCheckOn(page)).toMatchObject({ state: 'failure', description: `Removed from the queue: ${short}` });
  });

  it('names the person who removed it, without a mention', () => {
    const page = concluded('cancelled', 'user_requested');
    const entry = { ...page.entry, stateActor: '@ada' };
    expect(text({ ...page, entry })).toBe('Cancelled by `@ada`.');
  });

  it.each<[StateReason, string | null, string, string]>([
    [
      'start_test_run_merge_conflict',
      'conflicts with main in a.txt',
      'It has a merge conflict: `conflicts with main in a.txt`. / Rebase it onto `main`, then submit it again.',
      'It has a merge conflict',
    ],
    [
      'start_test_run_config_parsing_failure',
      'line 3: no YAML',
      'Its change makes the configuration file of `main` unreadable: `line 3: no YAML`. / Fix `.sluice/sluice.yaml` in the pull request, then submit it again.',
      'Its change makes the configuration file of main unreadable',
    ],
    [
      'start_test_run_retry_exhausted',
      null,
      'Its test could not be started after repeated attempts. / Fix the cause, then submit it again.',
      'Its test could not be started after repeated attempts',
    ],
    [
      'pr_updated_at_merge_time',
      null,
      'New commits were pushed while it was being merged. / Submit it again to test the new commits.',
      'New commits were pushed while it was being merged',
    ],
    [
      'host_merge_failed',
      'Changes are requested',
      'Its tests passed, but `git.example` refused to merge it: `Changes are requested`. / Fix the cause, then submit it again.',
      'Its tests passed, but git.example refused to merge it',
    ],
  ])('says why it failed (%s)', (reason, details, sentence, short) => {
    const page = concluded('failed', reason, { details });
    expect([text(page), statusCheckOn(page).state, line(page)]).toEqual([sentence, 'failure', short]);
  });

  it('says where to configure required statuses', () => {
    const page = concluded('failed', 'start_test_run_no_required_statuses');
    expect(text(page)).toContain('`merge.required_statuses` in `.sluice/sluice.yaml` on `main`');
  });

  it('lists the failed statuses, with links if the URLs are http addresses', () => {
    const status = { name: 'ci', state: 'timed_out', url: 'https://ci.example/a(b)', description: 'no `luck`\n@all' };
    const statuses = [status, { ...status, state: 'error', url: 'javascript:alert(1)', description: null }];
    const green = { ...status, state: 'success' };
    const failedRun = { ...RED, builtOn: [7], statuses: [...statuses, green, { ...status, name: 'other' }] };
    const page = concluded('failed', 'test_run_required_status_failed', { failedRun });
    expect(text(page)).toBe(
      'A required status failed. It was tested on top of `#7`. / ' +
        `These statuses failed on ${'a'.repeat(40)}: / ` +
        '| Required status | Result | |\n| --- | --- | --- |\n' +
        '| [`ci`](https://ci.example/a%28b%29) | timed out | `no luck @all` |\n| `ci` | error |  | / Push a fix, then submit it again.',
    );
    expect(line(page)).toBe('A required status failed: ci');
  });

  it('lists the statuses that were not reported in time', () => {
    const failedRun: FailedRun = {
      ...RED,
      failure: { type: 'timeout', missing: ['ci', 'e2e'], depth: 0, reused: false },
    };
    const page = concluded('failed', 'test_run_timeout', { failedRun });
    expect(text(page)).toBe(
      `A required status did not pass in time. / \`ci\`, \`e2e\` have not passed within 300 minutes on ${'a'.repeat(40)}. / Push a fix, then submit it again.`,
    );
    expect(line(page)).toBe('A required status did not pass in time: ci, e2e');
  });

  it('names a job that CI never ran, the names that CI reported instead, and a fix', () => {
    const failure = {
      ...RED.failure,
      type: 'status',
      names: ['unit'],
      insteadReported: ['unit (1)', 'unit (2)'],
    } as const;
    const page = concluded('failed', 'test_run_required_status_failed', { failedRun: { ...RED, failure } });
    expect(text(page)).toContain(
      `CI has finished ${'a'.repeat(40)} and never reported \`unit\`. It reported \`unit (1)\`, \`unit (2)\`.`,
    );
    expect(text(page)).toContain('Give the CI job its required name, or change the required statuses');
    expect(line(page)).toContain('A required status failed: unit');
    expect(stateMessage(page)).toContain(
      'A required status failed: "unit" has never been reported on aaaaaaaa, although CI has finished. It reported unit (1), unit (2)',
    );
    const silent = { ...RED, failure: { ...failure, insteadReported: [] } };
    expect(text(concluded('failed', 'test_run_required_status_failed', { failedRun: silent }))).toContain(
      'It reported nothing.',
    );
  });

  it('warns that tests of a fork that changes CI run with secrets, but only until the entry has concluded', () => {
    const changed = { changedWorkflows: ['.github/workflows/ci.yml'] };
    begin();
    submit(1);
    const said =
      'It comes from a fork, its author has no write access, and it changes `.github/workflows/ci.yml`. The tests of the queue run with the repository secrets.';
    expect(text(facts(1, { entry: { ...day.entry(1), ...changed } }))).toContain(said);
    const page = concluded('merged', 'merge_graph_merge');
    expect(text({ ...page, entry: { ...page.entry, ...changed } })).not.toContain('secrets');
  });

  it('has a one-line form of at most 140 characters, however many statuses failed', () => {
    const names = Array.from({ length: 30 }, (_, i) => `status-${i}`);
    const failedRun: FailedRun = { ...RED, failure: { ...RED.failure, type: 'status', names } };
    const page = concluded('failed', 'test_run_required_status_failed', { failedRun });
    expect(line(page)).toHaveLength(140);
    expect(line(page)).toMatch(/…$/);
    expect(text(page)).toContain('| … | and 10 more | |');
  });
});

describe('the failed tests of the last run', () => {
  const test = (name: string, more: Partial<FailedTestOfRun> = {}): FailedTestOfRun => ({
    ...{ id: name, name, classname: '', parent: '', file: '', variant: '', status: 'healthy', quarantined: false },
    ...{ since: '2026-11-20T09:30:00.000Z', owners: [] },
    ...more,
  });
  const failedTests = (...tests: readonly FailedTestOfRun[]): FailedTestsOfRun => ({
    ...{ total: tests.length, tests, areMachinesLikely: false, said: [] },
  });
  const red = (tests: FailedTestsOfRun | null) =>
    concluded('failed', 'test_run_required_status_failed', { failedRun: RED, failedTests: tests });
  const section = (tests: FailedTestsOfRun | null) => text(red(tests)).split('then submit it again.')[1];

  it('are listed with their known status, its age, and their owners', () => {
    const flaky = { status: 'flaky', quarantined: true, variant: 'linux', file: 'test/bell.ts' } as const;
    const known = test('rings in time', { ...flaky, owners: ['@acme/bells', 'ada@acme.example'] });
    expect(section(failedTests(test('pays', { classname: 'Till' }), known))).toBe(
      ' / The reports of its last test run have 2 failed tests: / ' +
        '| Failed test | Known as | Since | Owners |\n| --- | --- | --- | --- |\n' +
        '| `pays` in `Till` | not known to fail |  |  |\n' +
        '| `rings in time (linux)` in `test/bell.ts` | flaky, quarantined | 2026-11-20 | `@acme/bells`, `ada@acme.example` |',
    );
  });

  it('link to the quarantine form if the service has a public URL, except tests that are quarantined already', () => {
    const known = test('rings', { status: 'flaky' });
    const tests = failedTests(known, test('pays', { quarantined: true }));
    const body = commentOn({ ...red(tests), publicUrl: 'https://sluice.example/merge' });
    expect(body).toContain(
      '| flaky, [Quarantine…](https://sluice.example/merge/ui/tests/rings?quarantine=always) | 2026-11-20 |',
    );
    expect(body.match(/Quarantine…/g)).toHaveLength(1);
    expect(commentOn({ ...red(tests), publicUrl: null })).not.toContain('Quarantine…');
  });

  it('are named in the state message, too', () => {
    const broken = test('rings', { status: 'broken' });
    const tests = { ...failedTests(test('pays\u0000\n"'), broken, test('a'), test('b')), total: 30 };
    expect(stateMessage(red(tests))).toContain(
      ' Failed tests: "pays "" (not known to fail), "rings" (broken since 2026-11-20), "a" (not known to fail), and 27 more. Push a fix, then submit it again.',
    );
    expect(stateMessage(red(null))).not.toContain('Failed tests');
  });

  it('are listed for a pull request that merged because they are quarantined', () => {
    const quarantined = failedTests(test('rings', { status: 'flaky', quarantined: true }));
    const page = concluded('merged', 'merge_graph_merge', { landedAs: 'b'.repeat(40), failedTests: quarantined });
    expect(text(page)).toContain('1 failed test: / | Failed test |');
  });

  it('show message and first stack lines, for the first three tests only', () => {
    const said = ['a', 'b', 'c', 'd'].map((name) => ({
      test: test(name, { file: 'x.ts' }),
      message: `expected 2\ngot ${name}`,
      stack: `expected 2\n${Array.from({ length: 9 }, (_, i) => `  at x.ts:${i}`).join('\n')}`,
    }));
    const body = commentOn(red({ ...failedTests(...said.map((one) => one.test)), said }));
    const stack = [0, 1, 2, 3, 4].map((i) => `  at x.ts:${i}`).join('\n');
    expect(body).toContain(`\`a\` in \`x.ts\`:\n\n\`\`\`text\nexpected 2\ngot a\n${stack}\n\`\`\`\n`);
    expect(body.match(/^got /gm)).toHaveLength(3);
  });

  it('attack 18: a hostile message does not end the code block around it', () => {
    const hostile = '```\n\n````\n### Merged\u2028@everyone <img src=x>\u0000\u202e';
    const said = [{ test: test('a'), message: hostile, stack: `${hostile}\n`.repeat(1_000) }];
    const body = commentOn(red({ ...failedTests(test('a')), said }));
    const [, block = ''] = /\n`````text\n([\s\S]*?)\n`````(?:\n|$)/.exec(body) ?? [];
    expect(block.split('\n')).toEqual(expect.arrayContaining(['### Merged', '@everyone <img src=x>']));
    expect(body.replace(block, '')).not.toMatch(/everyone|img|### Merged/);
    expect(body.length).toBeLessThan(6_000);
  });

  it('are left out if no report was uploaded, or no test failed', () => {
    expect(section(null)).toBe('');
    expect(section(failedTests())).toBe('');
  });

  it('say when the machines are the likely cause', () => {
    expect(section({ ...failedTests(test('pays')), areMachinesLikely: true })).toMatch(
      / \/ So many tests failed together that the machines are the likely cause\.$/,
    );
  });

  it('attack 18: failed tests never make the comment so long that the host refuses it', () => {
    const statuses = Array.from({ length: 20 }, (_, i) => `${i}`.padEnd(2_800, 'x'));
    const failedRun: FailedRun = { ...RED, failure: { ...RED.failure, type: 'status', names: statuses } };
    const tests = failedTests(...Array.from({ length: 10 }, (_, i) => test(`${i}`, { file: 'f'.repeat(9_000) })));
    const url = `https://ci.example/${'y'.repeat(900)}`;
    const reports = statuses.map((name) => ({ name, state: 'failure', url, description: null }));
    const page = { failedRun: { ...failedRun, statuses: reports }, failedTests: tests };
    const body = commentOn(concluded('failed', 'test_run_required_status_failed', page));
    expect(body).not.toContain('failed tests');
    expect(body.length).toBeLessThanOrEqual(60_000);
    const few = { ...page, failedRun: { ...failedRun, statuses: reports.slice(0, 10) } };
    expect(commentOn(concluded('failed', 'test_run_required_status_failed', few))).toContain('10 failed tests');
  });

  it('attack 18: a test with a hostile name, file, variant and owner adds no markup, mention or row, and leaves room', () => {
    const hostile =
      '`x` | @everyone <img src=x>\n\n### Merged\n| a | b | [c](https://evil.example) \u0000\u2028 <!-- -->';
    const names = { name: hostile, classname: hostile, parent: hostile, file: hostile, variant: hostile };
    const owners = Array.from({ length: 1_000 }, () => hostile);
    const many = Array.from({ length: 10 }, (_, i) => test(`${i}`, { ...names, owners, name: hostile.repeat(5_000) }));
    const body = commentOn(red({ total: 500, tests: many, areMachinesLikely: true, said: [] }));
    expect(body.length).toBeLessThan(20_000);
    const rows = body.split('\n').filter((row) => row.startsWith('|'));
    expect(rows.filter((row) => row.includes('evil') || row.includes('everyone'))).toHaveLength(10);
    for (const row of rows.slice(-11, -1)) {
      const outside = row.replace(/`[^`]*`/g, '');
      expect(outside).toBe('|  in  | not known to fail |  | , , , ,  and 995 more |');
      expect(row.match(/(?<!\\)\|/g)).toHaveLength(5);
    }
    expect(rows.at(-1)).toBe('| … and 490 more | | | |');
  });
});

describe('the comment after a suspect run', () => {
  const FLAKY = ['pays with a card', '`@everybody`\n| [click](http://evil.example)'];
  const NAMES = '(`pays with a card`, `@everybody \\| [click](http://evil.example)`)';

  beforeEach(() => {
    begin();
    submit(1);
    day.upload(day.runOf(1), { flaky: FLAKY });
  });

  it('mentions the flaky failures while the next test is awaited, with the test names as code', () => {
    day.report(day.runOf(1), 'failed');
    const entry = { ...day.entry(1), state: 'pending', stateReason: 'rebuild_required', stateRun: 1 } as const;
    expect(text(facts(1, { entry }))).toContain(`It is tested again, because only known flaky tests failed ${NAMES}.`);
  });

  it('mentions the flaky failures during the next test, and also when the next test fails', () => {
    day.fail(1);
    const said = `In an earlier test run only known flaky tests failed ${NAMES}, so it was tested again.`;
    expect([day.stateOf(1), text(facts(1))]).toEqual(['testing', expect.stringContaining(said)]);
    day.fail(1);
    expect([day.stateOf(1), text(facts(1, { failedRun: RED }))]).toEqual(['failed', expect.stringContaining(said)]);
  });

  it('names the actual reason when the pull request is tested again for another reason', () => {
    day.fail(1);
    const entry = { ...day.entry(1), state: 'pending', stateReason: 'rebuild_required', stateRun: 7 } as const;
    expect(text(facts(1, { entry }))).toContain('because the pull requests tested with it changed');
  });
});
