import { EngineDay } from '../../test/support/engine-day';
import { explain } from './explain';
import type { Entry, QueueSettings, TestRun } from './model';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

const FLAKY = { flaky: ['pays with a card'] };
const REAL = { others: 1 };

function begin(settings: Partial<QueueSettings> = {}, ...numbers: readonly number[]): EngineDay {
  day = new EngineDay(settings);
  for (const number of numbers) day.submit(number);
  return day.carryOutAll();
}

/** Plays an earlier run whose CI uploads its results in this many parts. */
function withUploadsBefore(parts: number): void {
  day.submit(99);
  day.carryOutAll();
  for (let part = 0; part < parts; part++) day.upload(day.runOf(99));
  day.pass(99);
}

/** Uploads failures of flaky tests, and then reports the status as failed. */
function flake(number: number): EngineDay {
  day.upload(day.runOf(number), FLAKY);
  return day.fail(number);
}

function movesOf(number: number): readonly string[] {
  return day.decisions
    .flatMap(({ changes }) => changes)
    .flatMap((change) => (change.type === 'entryMoved' && change.entryId === `entry-${number}` ? [change] : []))
    .map(({ to, because }) => (because === null ? to : `${to}: ${because}`));
}

function timesTested(number: number): number {
  return movesOf(number).filter((move) => move === 'testing').length;
}

function waitingFor(number: number): string | null | undefined {
  return explain(day.queue, [{ entryId: `entry-${number}`, ahead: 0 }], day.now)[0]?.waitingFor;
}

describe('a suspect run', () => {
  it('is tested once more in its place, with a commit of its own, before any entry is blamed', () => {
    begin({}, 1);
    const first = day.runOf(1);
    flake(1);
    const second = day.runOf(1);
    expect([second.tree, second.commit === first.commit]).toEqual([first.tree, false]);
    expect(movesOf(1).slice(-2)).toEqual(['pending: rebuild_required', 'testing']);
    day.pass(1);
    expect(day.target).toEqual(['main', '1@1a']);
  });

  it('is explained with the failed tests, and with the note that the next test counts', () => {
    begin({}, 1);
    flake(1);
    expect(waitingFor(1)).toMatch(
      /\. In an earlier test run only known flaky tests failed \(pays with a card\): it is tested again, and this time the result counts$/,
    );
    const { suspectRun } = day.entry(1);
    expect(suspectRun).toEqual({ run: 1, tests: ['pays with a card'], hasMore: false });
  });

  it.each([
    ['only flaky tests again', FLAKY],
    ['a healthy test', REAL],
    ['nothing', {}],
  ])('counts as failed the second time, whatever is uploaded: %s', (_, uploaded) => {
    begin({}, 1);
    flake(1);
    day.upload(day.runOf(1), uploaded);
    day.fail(1);
    expect([day.stateOf(1), timesTested(1)]).toEqual(['failed', 2]);
  });

  it('never passes because of uploads: nothing lands without a passed status', () => {
    begin({}, 1);
    day.upload(day.runOf(1), FLAKY);
    flake(1);
    day.upload(day.runOf(1));
    day.advance(3);
    day.carryOutAll();
    expect([day.stateOf(1), day.target]).toEqual(['testing', ['main']]);
  });

  it('may occur again in another attempt', () => {
    begin({}, 1);
    flake(1);
    day.fail(1);
    day.submit(1);
    day.carryOutAll();
    flake(1);
    expect([day.stateOf(1), day.entry(1).attempt]).toEqual(['testing', 2]);
  });

  it('does not occur again after a manual restart', () => {
    begin({}, 1);
    flake(1);
    day.restart(1);
    day.carryOutAll();
    flake(1);
    expect(day.stateOf(1)).toBe('failed');
  });

  it('counts at once if retestFlakyFailures is off', () => {
    begin({ retestFlakyFailures: false }, 1);
    flake(1);
    expect([day.stateOf(1), timesTested(1)]).toEqual(['failed', 1]);
  });

  it('does not affect runs on top of it', () => {
    begin({ concurrency: 2 }, 1, 2);
    const behind = day.runOf(2).number;
    flake(1);
    expect([day.testedOn(2), day.runOf(2).number]).toEqual([[1, 2], behind]);
    day.pass(2);
    day.pass(1);
    expect(day.target).toEqual(['main', '1@1a', '2@2a']);
  });

  it('does not matter once a later run has proven its entry', () => {
    begin({ concurrency: 2, canOptimisticallyMerge: true }, 1, 2);
    day.set({}, 'paused');
    day.pass(2);
    flake(1);
    expect([day.stateOf(1), day.entry(1).suspectRun]).toEqual(['tests_passed', null]);
    day.set({}, 'running');
    day.carryOutAll();
    expect([day.stateOf(1), day.stateOf(2)]).toEqual(['merged', 'merged']);
  });

  it('does not count as the result of its tree: the next run with this tree is really tested', () => {
    begin({ optimizationMode: 'bisection_skip_redundant_tests' });
    day.knowsResults = true;
    day.submit(1);
    day.carryOutAll();
    flake(1);
    expect([day.stateOf(1), day.runOf(1).reused]).toEqual(['testing', false]);
  });
});

describe('a failed run that counts at once', () => {
  it.each([
    ['a healthy test failed, too', [FLAKY, REAL]],
    ['no uploaded test failed', [{}]],
    ['nothing was uploaded, and never is', []],
  ])('because %s', (_, uploads) => {
    begin({}, 1);
    for (const upload of uploads) day.upload(day.runOf(1), upload);
    day.fail(1);
    expect([day.stateOf(1), timesTested(1)]).toEqual(['failed', 1]);
  });

  it('because it timed out does not depend on the uploads', () => {
    begin({ testingTimeoutMinutes: 60 }, 1);
    day.report(day.runOf(1), 'running');
    day.upload(day.runOf(1), FLAKY);
    day.advance(60);
    day.carryOutAll();
    expect([day.stateOf(1), day.entry(1).suspectRun]).toEqual(['testing', null]);
    day.report(day.runOf(1), 'running');
    day.advance(60);
    expect([day.stateOf(1), timesTested(1)]).toEqual(['failed', 2]);
  });
});

describe('uploads that come after the failed status', () => {
  it('count for two minutes, if the last runs had uploads', () => {
    begin();
    withUploadsBefore(1);
    day.submit(1);
    day.carryOutAll();
    day.fail(1);
    expect([day.stateOf(1), waitingFor(1)]).toEqual([
      'testing',
      expect.stringMatching(
        /^Required status `ci` failed on .+\. The queue waits up to 2 minutes for the test results of this run/,
      ),
    ]);
    day.advance(1);
    day.upload(day.runOf(1), FLAKY);
    day.carryOutAll();
    expect([day.stateOf(1), timesTested(1)]).toEqual(['testing', 2]);
  });

  it('do not count after two minutes', () => {
    begin();
    withUploadsBefore(1);
    day.submit(1);
    day.carryOutAll();
    const run = day.runOf(1);
    day.fail(1);
    day.advance(2);
    expect(day.stateOf(1)).toBe('failed');
    day.upload(run, FLAKY);
    expect([day.stateOf(1), timesTested(1)]).toEqual(['failed', 1]);
  });

  it('are awaited past the time-out of the run, which has already failed', () => {
    begin({ testingTimeoutMinutes: 5 });
    withUploadsBefore(1);
    day.submit(1);
    day.carryOutAll();
    day.advance(4);
    day.fail(1);
    const until = day.now + 2 * 60_000;
    day.advance(1.5);
    expect([day.stateOf(1), day.decisions.at(-1)?.wakeAt]).toEqual(['testing', until]);
  });

  it('end the wait when they show the failure of a healthy test', () => {
    begin();
    withUploadsBefore(1);
    day.submit(1);
    day.carryOutAll();
    day.fail(1);
    day.upload(day.runOf(1), REAL);
    expect(day.stateOf(1)).toBe('failed');
  });

  it('are not awaited if the last runs had no uploads', () => {
    begin();
    withUploadsBefore(0);
    day.submit(1);
    day.carryOutAll();
    day.fail(1);
    expect(day.stateOf(1)).toBe('failed');
  });

  it('are not awaited any more after five runs without uploads', () => {
    begin();
    withUploadsBefore(1);
    for (const number of [11, 12, 13, 14, 15]) {
      day.submit(number);
      day.carryOutAll();
      day.pass(number);
    }
    day.submit(1);
    day.carryOutAll();
    day.fail(1);
    expect(day.stateOf(1)).toBe('failed');
  });

  it('are awaited from all shards, because one shard may show the failure of a healthy test', () => {
    begin();
    withUploadsBefore(3);
    day.submit(1);
    day.carryOutAll();
    flake(1);
    expect(timesTested(1)).toBe(1);
    day.upload(day.runOf(1));
    day.upload(day.runOf(1), REAL);
    expect([day.stateOf(1), timesTested(1)]).toEqual(['failed', 1]);
  });

  it('decide after two minutes, even if some shards never upload', () => {
    begin();
    withUploadsBefore(3);
    day.submit(1);
    day.carryOutAll();
    flake(1);
    day.advance(2);
    day.carryOutAll();
    expect([day.stateOf(1), timesTested(1)]).toEqual(['testing', 2]);
  });

  it('are awaited for two minutes of uptime: a downtime of the service does not count', () => {
    begin();
    withUploadsBefore(1);
    day.submit(1);
    day.carryOutAll();
    day.fail(1);
    const from = day.now;
    const to = from + 30 * 60_000;
    day.store.downtimes = [{ from, to }];
    day.advance(30);
    expect(day.stateOf(1)).toBe('testing');
    day.upload(day.runOf(1), FLAKY);
    day.carryOutAll();
    expect(timesTested(1)).toBe(2);
  });

  it('do not keep a run from passing when its status passes meanwhile', () => {
    begin();
    withUploadsBefore(1);
    day.submit(1);
    day.carryOutAll();
    day.fail(1);
    day.pass(1);
    expect([day.stateOf(1), timesTested(1)]).toEqual(['merged', 1]);
  });
});

describe('a suspect run of a batch', () => {
  const BATCH = { batch: true, batchingMinSize: 2, optimizationMode: 'bisection_skip_redundant_tests' } as const;

  it('is tested again with the same entries, and bisected the second time', () => {
    begin(BATCH, 1, 2);
    flake(1);
    expect(day.runOf(1).own.map(({ number }) => number)).toEqual([1, 2]);
    flake(1);
    expect(day.queue.searches).toHaveLength(1);
  });

  it('is bisected when one of its entries was tested again before', () => {
    begin({ optimizationMode: 'bisection_skip_redundant_tests' }, 1);
    flake(1);
    day.change(1, { unmet: [{ words: 'an approval' }] });
    day.pushToTarget('hotfix');
    day.set(BATCH);
    day.submit(2);
    day.change(1, { unmet: [] });
    day.carryOutAll();
    expect(day.runOf(2).own.map(({ number }) => number)).toEqual([1, 2]);
    flake(1);
    expect(day.queue.searches).toHaveLength(1);
  });

  it('fails no entry in its bisection for the flaky failures of a single run', () => {
    begin(BATCH, 1, 2);
    day.fail(1);
    const searchRun = (): TestRun => day.queue.runs.find(({ search }) => search !== null)!;
    const { number, own } = searchRun();
    day.upload(searchRun(), FLAKY);
    day.report(searchRun(), 'failed');
    day.carryOutAll();
    expect(day.queue.searches[0]?.results).toEqual([]);
    expect([searchRun().own, searchRun().number > number]).toEqual([own, true]);
    expect(movesOf(1).slice(-2)).toEqual(['pending: rebuild_required', 'testing']);
  });
});

describe('the sentence about a pull request in a bisection', () => {
  it('names the failed status while uploads are awaited', () => {
    begin();
    withUploadsBefore(1);
    day.set({ batch: true, batchingMinSize: 2, optimizationMode: 'bisection_skip_redundant_tests' });
    for (const number of [1, 2]) day.submit(number);
    day.carryOutAll();
    day.upload(day.runOf(1), REAL);
    day.fail(1);
    day.report(
      day.queue.runs.find(({ search }) => search !== null)!,
      'failed',
    );
    expect(waitingFor(1)).toContain('Required status `ci` failed on ');
  });
});

describe('parallel mode', () => {
  it('continues other lanes while a suspect run is tested again, and keeps dependent runs on top of it', () => {
    begin({ concurrency: 3 });
    day.queue = { ...day.queue, mode: 'parallel' };
    day.setTargets(1, ['api']);
    day.setTargets(2, ['web']);
    day.setTargets(3, ['api']);
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll();
    const behind = day.runOf(3).number;
    flake(1);
    day.pass(2);
    expect([day.stateOf(2), day.testedOn(3), day.runOf(3).number]).toEqual(['merged', [1, 3], behind]);
    day.pass(1);
    day.pass(3);
    expect(['1', '3'].map((number) => day.stateOf(Number(number)))).toEqual(['merged', 'merged']);
  });
});

describe('the test of the target after a partial landing', () => {
  it('is run once more when only known flaky tests failed; then the queue pauses', () => {
    day = new EngineDay({ batch: true, batchingMinSize: 2 });
    for (const number of [1, 2]) day.submit(number);
    day.carryOutAll();
    day.change(2, { refusalMidway: 'A review is missing.' }, 'missed');
    day.pass(1);
    const failTarget = (): void => {
      const run = day.queue.runs.find(({ kind }) => kind === 'target')!;
      day.upload(run, FLAKY);
      day.report(run, 'failed');
      day.carryOutAll();
    };
    failTarget();
    expect(day.queue.state).toBe('running');
    failTarget();
    expect([day.queue.state, day.queue.partialLanding?.problem]).toEqual(['paused', 'ci failed']);
  });
});

describe('the state of an entry', () => {
  it('stays testing after the first suspect failure, also with a failure depth', () => {
    begin({ concurrency: 2, pendingFailureDepth: 1 }, 1, 2);
    flake(1);
    const states = (): readonly Entry['state'][] => [day.stateOf(1), day.stateOf(2)];
    expect(states()).toEqual(['testing', 'testing']);
    day.fail(1);
    expect(states()).toEqual(['pending_failure', 'testing']);
  });
});
