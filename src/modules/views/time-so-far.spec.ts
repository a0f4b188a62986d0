import { type Move, timeSoFar } from './time-so-far';

const at = (minute: number, to: Move['to'], more: Partial<Move> = {}): Move => {
  return { at: minute, to, reason: null, run: null, becauseOf: [], resultAt: null, ...more };
};

describe('timeSoFar', () => {
  it('splits the time of an entry that was tested once and merged', () => {
    const moves = [
      at(0, 'not_ready'),
      at(1, 'pending'),
      at(3, 'testing', { run: 1 }),
      at(10, 'tests_passed', { run: 1 }),
      at(12, 'merged'),
    ];
    const time = { notReadyMs: 1, waitingMs: 2, testedMs: 7, lostMs: 0, decidedMs: 2, lost: [] };
    expect(timeSoFar(moves, 99)).toEqual(time);
  });

  it('counts a running test until now', () => {
    expect(timeSoFar([at(0, 'pending'), at(1, 'testing', { run: 1 })], 5)).toMatchObject({ waitingMs: 1, testedMs: 4 });
  });

  it('names the run of a wasted test, and the pull requests that caused it', () => {
    const moves = [
      at(0, 'testing', { run: 1 }),
      at(6, 'pending', { reason: 'prerequisite_merge_item_failed', becauseOf: [412] }),
      at(7, 'testing', { run: 2 }),
    ];
    expect(timeSoFar(moves, 10)).toEqual({
      ...{ notReadyMs: 0, waitingMs: 1, testedMs: 3, lostMs: 6, decidedMs: 0 },
      lost: [{ ms: 6, reason: 'prerequisite_merge_item_failed', becauseOf: [412], runNumber: 1 }],
    });
  });

  it('counts a failed test as wasted when the entry is tested again, not when the test fails the entry', () => {
    const red = [at(0, 'testing', { run: 1 }), at(5, 'pending_failure', { run: 1 })];
    const again = at(6, 'pending', { reason: 'rebuild_required' });
    expect(timeSoFar([...red, again], 8)).toMatchObject({ testedMs: 0, lostMs: 5, decidedMs: 1, waitingMs: 2 });
    expect(timeSoFar([...red, at(6, 'failed')], 8)).toMatchObject({ testedMs: 5, lostMs: 0, decidedMs: 1, lost: [] });
  });

  it('counts a test that passed in a bisection as tested, not as wasted', () => {
    const moves = [at(0, 'testing', { run: 1 }), at(5, 'pending', { reason: 'bisection_test_run_passed' })];
    expect(timeSoFar(moves, 6)).toMatchObject({ testedMs: 5, lostMs: 0, waitingMs: 1 });
  });

  it('counts the time from the result to the merge as decided, even while the state is testing', () => {
    const moves = [at(0, 'testing', { run: 1, resultAt: 7 }), at(12, 'tests_passed', { run: 1 }), at(13, 'merged')];
    expect(timeSoFar(moves, 99)).toMatchObject({ testedMs: 7, lostMs: 0, decidedMs: 6 });
    expect(timeSoFar(moves.slice(0, 1), 9)).toMatchObject({ testedMs: 7, decidedMs: 2 });
    const again = at(10, 'pending', { reason: 'rebuild_required' });
    expect(timeSoFar([moves[0]!, again], 10)).toMatchObject({ testedMs: 0, lostMs: 7, decidedMs: 3 });
  });

  it('adds up to the time since the first move', () => {
    const states: Move['to'][] = [
      'not_ready',
      'pending',
      'testing',
      'pending',
      'testing',
      'pending_failure',
      'testing',
      'tests_passed',
    ];
    const time = timeSoFar(
      states.map((to, i) => at(i * i, to, { run: i })),
      100,
    );
    const { notReadyMs, waitingMs, testedMs, lostMs, decidedMs } = time;
    expect(notReadyMs + waitingMs + testedMs + lostMs + decidedMs).toBe(100);
  });
});
