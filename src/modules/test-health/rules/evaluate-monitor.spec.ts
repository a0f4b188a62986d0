import fc from 'fast-check';
import type { WindowCounts, TestFacts } from './facts';
import { evaluateMonitor } from './evaluate-monitor';
import type { MonitorState } from './monitor-evaluation';
import { DEFAULT_MONITORS, type FailureCountMonitor, type FailureRateMonitor, type Monitor } from './settings';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const NOW = new Date('2026-11-20T12:00:00.000Z');
const COMMIT = '3f2a91c0d9e8b7a6f5e4d3c2b1a0f9e8d7c6b5a4';

const ago = (milliseconds: number) => new Date(NOW.getTime() - milliseconds);
const RETRY: Monitor = DEFAULT_MONITORS[0]!;
const RATE: FailureRateMonitor = {
  type: 'failure_rate',
  name: 'main',
  enabled: true,
  windowHours: 24,
  threshold: 0.3,
  minimumRuns: 10,
  branches: ['main'],
  verdict: 'flaky',
};
const COUNT: FailureCountMonitor = {
  type: 'failure_count',
  name: 'stable',
  enabled: true,
  windowHours: 48,
  threshold: 3,
  branches: ['stable'],
  minimumRuns: 1,
  verdict: 'broken',
};

function evaluate(monitor: Monitor, facts: TestFacts, before: MonitorState, now: Date) {
  return evaluateMonitor(monitor, { monitors: [monitor], facts, before, now });
}

const NOTHING: TestFacts = { retriedCommits: [], counts: new Map(), countsWithoutPullRequests: new Map(), lines: [] };

function retried(...commits: readonly [failedAgoDays: number, passedAgoDays: number, commit?: string][]): TestFacts {
  const retriedCommits = commits.map(([failed, passed, commit = COMMIT]) => ({
    commit,
    failedAt: ago(failed * DAY_MS),
    passedAt: ago(passed * DAY_MS),
    isFromPullRequest: false,
    evidence: [],
  }));
  return { ...NOTHING, retriedCommits };
}

function ran(name: string, failed: number, passed: number, oldestFailureAt = ago(HOUR_MS)): TestFacts {
  const counts: WindowCounts = { failed, passed, oldestFailureAt: failed > 0 ? oldestFailureAt : null };
  return { ...NOTHING, counts: new Map([[name, counts]]), countsWithoutPullRequests: new Map([[name, counts]]) };
}

describe('a test that failed and passed on one commit', () => {
  it('activates the monitor that every repository has, with the commit in the reason', () => {
    expect(evaluate(RETRY, retried([1, 1]), 'inactive', NOW)).toEqual({
      type: 'active',
      reason: 'failed and passed on commit 3f2a91c',
      lookAgainAt: ago(-6 * DAY_MS),
      endsWith: 'it has not failed and passed on one commit for 7 days',
      isFromPullRequests: false,
      evidence: [],
    });
  });

  it('recovers to the millisecond, seven days after it failed', () => {
    expect(evaluate(RETRY, retried([7 - 1 / DAY_MS, 0]), 'active', NOW).type).toBe('active');
    expect(evaluate(RETRY, retried([7, 0]), 'active', NOW)).toEqual({
      type: 'inactive',
      reason: 'has not failed and passed on one commit for 7 days',
    });
  });

  it('recovers fourteen days after it passed, however late it failed', () => {
    expect(evaluate(RETRY, retried([0, 14 - 1 / DAY_MS]), 'active', NOW).type).toBe('active');
    expect(evaluate(RETRY, retried([0, 14]), 'active', NOW).type).toBe('inactive');
  });

  it('activates the monitor only on as many commits as it needs, and recovers when a commit no longer counts', () => {
    const twice: Monitor = { ...RETRY, minimumCommits: 2 } as Monitor;
    const [one, other] = [
      [1, 1, 'a'.repeat(40)],
      [5, 5, 'b'.repeat(40)],
    ] as const;
    expect(evaluate(twice, retried([...one]), 'inactive', NOW).type).toBe('inactive');
    expect(evaluate(twice, retried([...one], [...other]), 'inactive', NOW)).toMatchObject({
      lookAgainAt: ago(-2 * DAY_MS),
    });
  });

  it('attack 17: is marked as seen on pull requests only, until a branch shows it, too', () => {
    const [shown] = retried([1, 1]).retriedCommits;
    const onPullRequest = { ...shown!, isFromPullRequest: true };
    expect(evaluate(RETRY, { ...NOTHING, retriedCommits: [onPullRequest] }, 'inactive', NOW)).toMatchObject({
      isFromPullRequests: true,
      reason: 'failed and passed on commit 3f2a91c, on pull requests only',
    });
    const both = { ...NOTHING, retriedCommits: [onPullRequest, { ...shown!, failedAt: ago(3 * DAY_MS) }] };
    expect(evaluate(RETRY, both, 'active', NOW)).toMatchObject({
      isFromPullRequests: false,
      lookAgainAt: ago(-4 * DAY_MS),
    });
  });

  it('names the first of the commits that count equally long', () => {
    const commits = ['a', 'b'].map((letter): [number, number, string] => [1, 1, letter.repeat(40)]);
    for (const order of [commits, commits.toReversed()])
      expect(evaluate(RETRY, retried(...order), 'inactive', NOW).reason).toContain('aaaaaaa');
  });

  it('names the commit that counts longest, in any order', () => {
    const commits: [number, number, string][] = [
      [5, 1, 'a'.repeat(40)],
      [2, 4, 'b'.repeat(40)],
      [6, 6, 'c'.repeat(40)],
    ];
    for (const order of [commits, commits.toReversed()]) {
      expect(evaluate(RETRY, retried(...order), 'inactive', NOW)).toMatchObject({
        reason: 'failed and passed on commit bbbbbbb',
        lookAgainAt: ago(-5 * DAY_MS),
      });
    }
  });
});

describe('a rate of failures', () => {
  it('activates a monitor from the threshold on, and gives the number of runs', () => {
    expect(evaluate(RATE, ran('main', 16, 18), 'inactive', NOW)).toEqual({
      type: 'active',
      reason: 'failed in 47.1 % of 34 runs on main in 24 hours; the limit is 30 %',
      lookAgainAt: ago(-23 * HOUR_MS),
      endsWith: 'it has failed in less than 30 % of its runs on main in 24 hours',
      isFromPullRequests: false,
      evidence: [],
    });
    expect(evaluate(RATE, ran('main', 7, 3), 'inactive', NOW).type).toBe('active');
    expect(evaluate(RATE, ran('main', 299, 701), 'inactive', NOW).type).toBe('inactive');
  });

  it('activates a monitor only if chance does not explain it: of fewer runs, a larger part must fail', () => {
    for (const [failed, passed] of [
      [3, 7],
      [30, 70],
      [310, 690],
    ] as const) {
      expect(evaluate(RATE, ran('main', failed, passed), 'inactive', NOW).type).toBe('inactive');
    }
    for (const [failed, passed] of [
      [6, 4],
      [39, 61],
      [330, 670],
    ] as const) {
      expect(evaluate(RATE, ran('main', failed, passed), 'inactive', NOW).type).toBe('active');
    }
  });

  it('attack 17: is marked if only pull requests reach the threshold, and is not diluted by their passes', () => {
    const counts = (failed: number, passed: number) =>
      new Map([['main', { failed, passed, oldestFailureAt: ago(HOUR_MS) }]]);
    const shown = { ...NOTHING, counts: counts(90, 10), countsWithoutPullRequests: counts(0, 20) };
    expect(evaluate(RATE, shown, 'inactive', NOW)).toMatchObject({ type: 'active', isFromPullRequests: true });
    const diluted = { ...NOTHING, counts: counts(20, 2_000), countsWithoutPullRequests: counts(20, 0) };
    expect(evaluate(RATE, diluted, 'inactive', NOW)).toMatchObject({ type: 'active', isFromPullRequests: false });
  });

  it('from too few runs never activates a monitor, but keeps an active monitor active', () => {
    expect(evaluate(RATE, ran('main', 9, 0), 'inactive', NOW).type).toBe('inactive');
    expect(evaluate(RATE, ran('main', 9, 0), 'active', NOW).type).toBe('active');
  });

  it('from three runs activates a monitor that needs so few runs', () => {
    expect(evaluate({ ...RATE, minimumRuns: 1 }, ran('main', 3, 0), 'inactive', NOW).type).toBe('active');
  });

  it('lets the test recover only below the recovery limit, if there is one', () => {
    const patient = { ...RATE, recoverBelow: 0.1 };
    expect(evaluate(patient, ran('main', 10, 90), 'inactive', NOW).type).toBe('inactive');
    expect(evaluate(patient, ran('main', 10, 90), 'active', NOW).type).toBe('active');
    expect(evaluate(patient, ran('main', 9, 91), 'active', NOW)).toEqual({
      type: 'inactive',
      reason: 'failed in 9 % of 100 runs on main in 24 hours; the limit is 10 %',
    });
  });

  it('is no reason for an alarm if the test no longer runs', () => {
    const reason = 'did not run on main in 24 hours';
    expect(evaluate(RATE, ran('other', 9, 9), 'active', NOW)).toEqual({ type: 'inactive', reason });
  });

  it('is evaluated again when a failure leaves the window, but at most once an hour', () => {
    const about = (oldest: Date) => evaluate(RATE, ran('main', 20, 0, oldest), 'active', NOW);
    expect(about(ago(20 * HOUR_MS))).toMatchObject({ lookAgainAt: ago(-4 * HOUR_MS) });
    expect(about(ago(24 * HOUR_MS - 1))).toMatchObject({ lookAgainAt: ago(-HOUR_MS) });
  });
});

describe('a number of failures', () => {
  it('activates a monitor from the threshold on, and lets the test recover below it', () => {
    expect(evaluate(COUNT, ran('stable', 3, 500), 'inactive', NOW)).toEqual({
      type: 'active',
      reason: 'failed 3 times on stable branches in 2 days; the limit is 3',
      lookAgainAt: ago(-47 * HOUR_MS),
      endsWith: 'it has failed fewer than 3 times on stable branches in 2 days',
      isFromPullRequests: false,
      evidence: [],
    });
    expect(evaluate(COUNT, ran('stable', 1, 0), 'active', NOW)).toEqual({
      type: 'inactive',
      reason: 'failed 1 time on stable branches in 2 days; the limit is 3',
    });
  });
});

describe('a monitor', () => {
  const share = fc.double({ min: 0.001, max: 1, noNaN: true });
  const monitors: fc.Arbitrary<Monitor> = fc.oneof(
    fc.integer({ min: 1, max: 30 }).map((quietDays): Monitor => ({ ...RETRY, quietDays }) as Monitor),
    fc
      .record({ threshold: share, part: share, minimumRuns: fc.integer({ min: 1, max: 40 }) })
      .map(({ part, ...rest }): Monitor => ({ ...RATE, ...rest, recoverBelow: rest.threshold * part })),
    fc.integer({ min: 1, max: 40 }).map((threshold): Monitor => ({ ...COUNT, threshold })),
  );
  const some = fc.nat({ max: 40 });
  const facts = fc
    .record({ failed: some, passed: some, failedDays: some, passedDays: some })
    .map(({ failed, passed, failedDays, passedDays }): TestFacts => {
      const counts: WindowCounts = { failed, passed, oldestFailureAt: failed > 0 ? ago(HOUR_MS) : null };
      const { retriedCommits } = retried([failedDays, passedDays]);
      const byMonitor = new Map([
        ['main', counts],
        ['stable', counts],
      ]);
      return { retriedCommits, counts: byMonitor, countsWithoutPullRequests: byMonitor, lines: [] };
    });

  it('gives the same result for the same facts, and a time in the future for its next evaluation', () => {
    fc.assert(
      fc.property(monitors, facts, fc.constantFrom('active', 'inactive'), (monitor, known, before) => {
        const once = evaluate(monitor, known, before, NOW);
        const twice = evaluate(monitor, known, once.type, NOW);
        expect(twice.type).toBe(once.type);
        expect(once.type === 'active' && once.lookAgainAt <= NOW).toBe(false);
      }),
    );
  });

  it('is never activated by facts that would not keep it active', () => {
    fc.assert(
      fc.property(monitors, facts, (monitor, known) => {
        const isRaised = evaluate(monitor, known, 'inactive', NOW).type === 'active';
        const isKept = evaluate(monitor, known, 'active', NOW).type === 'active';
        expect(isRaised && !isKept).toBe(false);
      }),
    );
  });
});
