import { EngineDay } from '../../test/support/engine-day';
import type { PullRequestDay } from '../../test/support/engine-host';
import { explain } from './explain';
import type { QueueSettings } from './model';

const BROKEN = 'start_test_run_config_parsing_failure';
const MENDED = ['ci'];
let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

/**
 * Begins with a queue that has no required statuses in its settings: the configuration file names the required status.
 */
function begin(settings: Partial<QueueSettings> = {}): EngineDay {
  day = new EngineDay({ requiredStatuses: [], ...settings });
  day.host.statusesInFile = MENDED;
  return day;
}

/** Plays that somebody pushes this configuration file to the target. */
function pushFile(name: string, file: PullRequestDay['file']): void {
  day.host.pushedFiles.set(name, file!);
  day.pushToTarget(name);
  day.carryOutAll();
}

function submit(...numbers: readonly number[]): void {
  for (const number of numbers) day.submit(number);
  day.carryOutAll();
}

function states(...numbers: readonly number[]): readonly string[] {
  return numbers.map((number) => day.stateOf(number));
}

function starts(): number {
  return day.decisions.flatMap(({ commands }) => commands).filter(({ type }) => type === 'startTestRun').length;
}

function waitingFor(number: number): string {
  return explain(day.queue, [{ entryId: `entry-${number}`, ahead: 0 }], day.now)[0]?.waitingFor ?? '';
}

describe('a configuration file on the target that cannot be read', () => {
  it('fails no entry: all entries wait with a reason, and continue automatically when the file is fixed', () => {
    begin({ concurrency: 3 });
    pushFile('broken', BROKEN);
    submit(1, 2);
    expect(states(1, 2)).toEqual(['pending', 'pending']);
    expect(waitingFor(1)).toBe(
      "The file is broken (line 1). No pull request fails because of this: tests start when the file is fixed on main, by a push or a pull request. A pull request that fixes the file is tested with the file's last readable version. Another way is to set the required statuses of the queue",
    );
    pushFile('mended', MENDED);
    day.pass(1).pass(2);
    expect(day.target).toEqual(['main', 'broken', 'mended', '1@1a', '2@2a']);
  });

  it('is read once for each waiting entry and each tip, however much time passes', () => {
    begin();
    pushFile('broken', BROKEN);
    submit(...Array.from({ length: 30 }, (_, i) => i + 1));
    expect([starts(), day.decisions.at(-1)?.wakeAt]).toEqual([30, null]);
    day.advance(600);
    expect(starts()).toBe(30);
    pushFile('still-broken', BROKEN);
    expect(starts()).toBe(60);
    pushFile('mended', MENDED);
    expect(states(1, 2, 30)).toEqual(['testing', 'pending', 'pending']);
    for (let number = 1; number <= 30; number++) day.pass(number);
    expect(day.target).toHaveLength(34);
  });

  it('can be fixed by a pull request, which is tested by the last readable version; then the queue continues', () => {
    begin({ concurrency: 2 });
    pushFile('broken', BROKEN);
    day.open(2, { file: ['ci', 'e2e'] });
    submit(1, 2);
    expect([states(1, 2), day.runOf(2).requiredStatuses]).toEqual([['pending', 'testing'], ['ci']]);
    day.pass(2);
    expect([states(1, 2), day.runOf(1).requiredStatuses]).toEqual([
      ['testing', 'merged'],
      ['ci', 'e2e'],
    ]);
  });

  it('also stops entries that change the file, if no version of the file can be read', () => {
    begin();
    day.host.statusesInFile = BROKEN;
    day.open(1, { file: MENDED });
    submit(1);
    expect(states(1)).toEqual(['pending']);
    day.set({ requiredStatuses: ['ci'] });
    day.carryOutAll().pass(1);
    expect(states(1)).toEqual(['merged']);
  });

  it('is not needed if statuses are set manually: then all entries continue at once', () => {
    begin({ concurrency: 2 });
    pushFile('broken', BROKEN);
    submit(1, 2, 3);
    expect(states(1, 2, 3)).toEqual(['pending', 'pending', 'pending']);
    day.set({ requiredStatuses: ['ci'] });
    day.carryOutAll();
    expect(states(1, 2, 3)).toEqual(['testing', 'testing', 'pending']);
    day.set({ requiredStatuses: [] });
    day.pass(1);
    expect([states(2, 3), waitingFor(3)]).toEqual([['testing', 'pending'], expect.stringContaining('file is broken')]);
  });

  it('stops the members of a batch that do not fix the file, and no other member', () => {
    begin({ batch: true, batchingMinSize: 3 });
    pushFile('broken', BROKEN);
    day.open(2, { file: MENDED });
    submit(1, 2, 3);
    expect([states(1, 2, 3), day.runOf(2).own.map(({ number }) => number)]).toEqual([
      ['pending', 'testing', 'pending'],
      [2],
    ]);
    day.pass(2);
    day.advance(5);
    day.carryOutAll().pass(1);
    expect(day.target).toEqual(['main', 'broken', '2@2a', '1@1a', '3@3a']);
  });

  it('ends all runs when it becomes unreadable; the entries wait in their order', () => {
    begin({ concurrency: 3 });
    submit(1, 2, 3);
    pushFile('broken', BROKEN);
    expect([states(1, 2, 3), day.queue.runs]).toEqual([['pending', 'pending', 'pending'], []]);
    pushFile('mended', MENDED);
    expect([1, 2, 3].map((number) => day.testedOn(number))).toEqual([[1], [1, 2], [1, 2, 3]]);
  });

  it('ends a bisection when it becomes unreadable; the entries wait in smaller batches', () => {
    begin({ batch: true, batchingMinSize: 3, optimizationMode: 'bisection_skip_redundant_tests' });
    submit(1, 2, 3);
    day.fail(1);
    expect(day.queue.searches).toHaveLength(1);
    pushFile('broken', BROKEN);
    expect([day.queue.searches, states(1, 2, 3)]).toEqual([[], ['pending', 'pending', 'pending']]);
    pushFile('mended', MENDED);
    expect(day.runOf(1).own.map(({ number }) => number)).toEqual([1, 2]);
  });

  it('stops an urgent entry, and lets an urgent entry that fixes the file go first', () => {
    begin();
    pushFile('broken', BROKEN);
    day.submit(1, { priority: 0 });
    day.open(2, { file: MENDED });
    submit(3);
    day.submit(2, { priority: 0 });
    day.carryOutAll();
    expect(states(1, 2, 3)).toEqual(['pending', 'testing', 'pending']);
    day.pass(2);
    expect(states(1, 2, 3)).toEqual(['testing', 'merged', 'pending']);
  });

  it('prevents direct merges', () => {
    begin({ directMergeMode: 'always' });
    pushFile('broken', BROKEN);
    day.open(1, { upTo: day.host.tip().commit });
    day.reportOnHead(1, 'passed');
    submit(1);
    expect(states(1)).toEqual(['pending']);
  });

  it('does not prevent the test of the target after a partial landing', () => {
    begin({ batch: true, batchingMinSize: 2 });
    submit(1, 2);
    day.change(2, { refusalMidway: 'A review is missing.' }, 'missed');
    day.host.pullRequest(1).file = BROKEN;
    day.pass(1);
    expect(day.queue.runs.map(({ kind, requiredStatuses }) => [kind, requiredStatuses])).toEqual([['target', ['ci']]]);
  });
});

describe('a pull request that makes the configuration file unreadable', () => {
  it('fails with the reason, and the entries behind it continue', () => {
    begin({ concurrency: 2 });
    day.open(1, { file: 'start_test_run_config_bad_required_statuses' });
    submit(1, 2);
    expect([day.stateOf(1), day.entry(1).stateReason, day.stateOf(2)]).toEqual([
      'failed',
      'start_test_run_config_bad_required_statuses',
      'testing',
    ]);
  });

  it('fails also while the file on the target is unreadable, too', () => {
    begin();
    pushFile('broken', BROKEN);
    day.open(1, { file: BROKEN });
    submit(1);
    expect([day.stateOf(1), day.entry(1).stateReason]).toEqual(['failed', BROKEN]);
  });

  it('fails without the other entries of its batch; if two entries change the file, each is tested alone', () => {
    begin({ batch: true, batchingMinSize: 3, concurrency: 3 });
    day.open(1, { file: BROKEN });
    submit(1, 2, 3);
    expect(states(1, 2, 3)).toEqual(['failed', 'testing', 'testing']);
    expect(day.testedOn(2)).toEqual([2, 3]);
    begin({ batch: true, batchingMinSize: 3, concurrency: 3 });
    day.open(1, { file: MENDED }).open(2, { file: BROKEN });
    submit(1, 2, 3);
    expect(states(1, 2, 3)).toEqual(['testing', 'failed', 'testing']);
  });

  it('is tested if statuses are set manually, because the file is not needed', () => {
    begin({ requiredStatuses: ['ci'] });
    day.open(1, { file: BROKEN });
    submit(1);
    expect(states(1)).toEqual(['testing']);
  });

  it('does not merge directly', () => {
    begin({ directMergeMode: 'always' });
    day.open(1, { file: BROKEN, upTo: day.host.tip().commit });
    day.reportOnHead(1, 'passed');
    submit(1);
    expect([day.stateOf(1), day.entry(1).stateReason]).toEqual(['failed', BROKEN]);
  });
});
