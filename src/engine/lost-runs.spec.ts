import { EngineDay } from '../../test/support/engine-day';
import { explain } from './explain';
import type { Entry, QueueSettings, StatusFact, TestRun } from './model';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

function begin(settings: Partial<QueueSettings> = {}, ...numbers: readonly number[]): EngineDay {
  day = new EngineDay({ testingTimeoutMinutes: 60, ...settings });
  for (const number of numbers) day.submit(number);
  return day.carryOutAll();
}

function lose(number: number, name = 'ci'): void {
  day.report(day.runOf(number), 'lost', name);
  day.carryOutAll();
}

/** Nothing is reported until the time-out. */
function beSilent(): void {
  day.advance(60);
  day.carryOutAll();
}

function standing(number: number): readonly [Entry['state'], Entry['stateReason']] {
  const { state, stateReason } = day.entry(number);
  return [state, stateReason];
}

function movesOf(number: number): readonly string[] {
  return day.decisions
    .flatMap(({ changes }) => changes)
    .flatMap((change) => (change.type === 'entryMoved' && change.entryId === `entry-${number}` ? [change] : []))
    .map(({ to, because }) => (because === null ? to : `${to}: ${because}`));
}

describe('an inconclusive run', () => {
  it.each([
    ['was cancelled', () => lose(1)],
    ['was never reported until time was up', beSilent],
  ])('when a required status %s, is started again with another commit and branch', (_, loseIt) => {
    begin({}, 1);
    const first = day.runOf(1);
    loseIt();
    const second = day.runOf(1);
    expect(second.commit).not.toBe(first.commit);
    expect(second.branch).not.toBe(first.branch);
    expect(movesOf(1).slice(-2)).toEqual(['pending: rebuild_required', 'testing']);
    expect(explain(day.queue, [{ entryId: 'entry-1', ahead: 0 }], day.now)[0]?.waitingFor).toContain(
      '. It is tested again, because CI gave no result for 1 earlier test run',
    );
    day.pass(1);
    expect(day.stateOf(1)).toBe('merged');
  });

  it('fails the third time a required status is cancelled', () => {
    begin({}, 1);
    lose(1);
    lose(1);
    expect(day.stateOf(1)).toBe('testing');
    lose(1);
    expect(standing(1)).toEqual(['failed', 'test_run_required_status_failed']);
    expect(movesOf(1).filter((move) => move === 'testing')).toHaveLength(3);
  });

  it('fails as a time-out the third time that CI reported nothing', () => {
    begin({}, 1);
    beSilent();
    beSilent();
    expect(day.stateOf(1)).toBe('testing');
    beSilent();
    expect(standing(1)).toEqual(['failed', 'test_run_timeout']);
  });

  it.each(['passed', 'running'] as const)(
    'is not a run with one of two statuses %s and the other status missing',
    (state) => {
      begin({ requiredStatuses: ['unit', 'ci'] }, 1);
      day.report(day.runOf(1), state, 'unit');
      beSilent();
      expect(standing(1)[0]).toBe('testing');
      day.report(day.runOf(1), state, 'unit');
      beSilent();
      expect(standing(1)).toEqual(['failed', 'test_run_timeout']);
    },
  );

  it('is not a run with a failed status, even if another status was cancelled', () => {
    begin({ requiredStatuses: ['unit', 'ci'] }, 1);
    const { commit } = day.runOf(1);
    const at = { commit: commit!, kind: 'status', app: null, reportedAt: day.now } as const;
    const cancelled: StatusFact = { ...at, name: 'unit', state: 'lost' };
    day.store.report(cancelled);
    day.fail(1);
    expect(standing(1)).toEqual(['failed', 'test_run_required_status_failed']);
    expect(movesOf(1)).not.toContain('pending: rebuild_required');
  });

  it('is started again in its place, and runs on top of it continue', () => {
    begin({ concurrency: 2 }, 1, 2);
    const behind = day.runOf(2).number;
    lose(1);
    expect([day.testedOn(1), day.testedOn(2), day.runOf(2).number]).toEqual([[1], [1, 2], behind]);
    day.pass(2);
    day.pass(1);
    expect(day.target).toEqual(['main', '1@1a', '2@2a']);
  });

  it('is counted from zero in the next attempt of the entry', () => {
    begin({}, 1);
    for (let times = 0; times < 3; times++) lose(1);
    day.submit(1);
    day.carryOutAll();
    lose(1);
    lose(1);
    expect(day.stateOf(1)).toBe('testing');
  });

  it('does not matter once a later run has proven its entry', () => {
    begin({ concurrency: 2, canOptimisticallyMerge: true }, 1, 2);
    day.set({}, 'paused');
    day.pass(2);
    lose(1);
    expect([day.stateOf(1), day.entry(1).timesLost]).toEqual(['tests_passed', 0]);
    day.set({}, 'running');
    day.carryOutAll();
    expect([day.stateOf(1), day.stateOf(2)]).toEqual(['merged', 'merged']);
  });

  it('removes an entry that is no longer ready from its place, because there is no result to keep', () => {
    begin({}, 1);
    day.change(1, { unmet: [{ words: 'an approval' }] });
    expect([day.stateOf(1), day.entry(1).place === null]).toEqual(['not_ready', false]);
    lose(1);
    expect([day.stateOf(1), day.entry(1).place]).toEqual(['not_ready', null]);
    day.change(1, { unmet: [] });
    day.carryOutAll();
    expect(day.stateOf(1)).toBe('testing');
  });
});

describe('an inconclusive run of a batch', () => {
  it('is tested again with the same entries, and bisected the third time', () => {
    begin({ batch: true, batchingMinSize: 2, optimizationMode: 'bisection_skip_redundant_tests' }, 1, 2);
    lose(1);
    expect(day.runOf(1).own.map(({ number }) => number)).toEqual([1, 2]);
    lose(1);
    lose(1);
    expect([day.queue.searches.length, day.runOf(1).kind]).toEqual([1, 'search']);
  });

  it('counts as failed if one of its entries had two inconclusive runs before', () => {
    begin({ optimizationMode: 'bisection_skip_redundant_tests' }, 1);
    lose(1);
    lose(1);
    day.change(1, { unmet: [{ words: 'an approval' }] });
    day.pushToTarget('hotfix');
    day.set({ batch: true, batchingMinSize: 2 });
    day.submit(2);
    day.change(1, { unmet: [] });
    day.carryOutAll();
    expect(day.runOf(2).own.map(({ number }) => number)).toEqual([1, 2]);
    lose(1);
    expect(day.queue.searches).toHaveLength(1);
  });
});

describe('an inconclusive run of a bisection', () => {
  function searchRun(): TestRun {
    return day.queue.runs.find(({ search }) => search !== null)!;
  }

  it('gives no result for its prefix, and is started again', () => {
    begin({ batch: true, batchingMinSize: 2, optimizationMode: 'bisection_skip_redundant_tests' }, 1, 2);
    day.fail(1);
    const { number, own } = searchRun();
    day.report(searchRun(), 'lost');
    day.carryOutAll();
    expect(day.queue.searches[0]?.results).toEqual([]);
    expect([searchRun().own, searchRun().number > number]).toEqual([own, true]);
    expect(movesOf(1).slice(-2)).toEqual(['pending: rebuild_required', 'testing']);
  });

  it('changes no entry that is also in a shorter prefix under test', () => {
    const settings = { batch: true, batchingMinSize: 4, concurrency: 4 } as const;
    begin({ ...settings, optimizationMode: 'bisection_skip_redundant_tests' }, 1, 2, 3, 4);
    day.fail(1);
    const prefixes = day.queue.runs.filter(({ search }) => search !== null).sort((a, b) => a.own.length - b.own.length);
    expect(prefixes.length).toBeGreaterThan(1);
    const longest = prefixes.at(-1)!;
    day.report(longest, 'lost');
    day.carryOutAll();
    const sentBack = [1, longest.own.at(-1)!.number].map((one) => movesOf(one).includes('pending: rebuild_required'));
    expect(sentBack).toEqual([false, true]);
  });
});

describe('an inconclusive test of the target after a partial landing', () => {
  it('is started again twice; then the queue pauses', () => {
    day = new EngineDay({ batch: true, batchingMinSize: 2 });
    for (const number of [1, 2]) day.submit(number);
    day.carryOutAll();
    day.change(2, { refusalMidway: 'A review is missing.' }, 'missed');
    day.pass(1);
    const loseTarget = (): void => {
      day.report(
        day.queue.runs.find(({ kind }) => kind === 'target')!,
        'lost',
      );
      day.carryOutAll();
    };
    loseTarget();
    loseTarget();
    expect(day.queue.state).toBe('running');
    loseTarget();
    expect(day.queue.state).toBe('paused');
    expect(day.queue.partialLanding?.problem).toBe('CI gave up ci again and again');
  });
});
