import fc from 'fast-check';
import type { TestFacts } from './facts';
import { type Alarm, type EvaluatedTest, evaluateTest, type Mute } from './evaluate-test';
import { DEFAULT_MONITORS, type FailureCountMonitor, type Monitor, type UnhealthyStatus } from './settings';

const HOUR_MS = 3_600_000;
const NOW = new Date('2026-11-20T12:00:00.000Z');
const LATER = new Date(NOW.getTime() + HOUR_MS);
const HEALTHY: EvaluatedTest = {
  status: 'healthy',
  statusReason: 'no monitor is active on the test',
  isFromPullRequests: false,
  alarms: [],
};

function atLeast(threshold: number, verdict: UnhealthyStatus, name: string = verdict): FailureCountMonitor {
  return {
    type: 'failure_count',
    name,
    enabled: true,
    windowHours: 24,
    threshold,
    branches: [],
    verdict,
    minimumRuns: 1,
  };
}

const MONITORS: readonly Monitor[] = [atLeast(1, 'flaky'), atLeast(5, 'broken')];

function failed(times: number, monitors = MONITORS): TestFacts {
  const counts = { failed: times, passed: 10, oldestFailureAt: times > 0 ? NOW : null };
  const byMonitor = new Map(monitors.map(({ name }) => [name, counts]));
  return { retriedCommits: [], counts: byMonitor, countsWithoutPullRequests: byMonitor, lines: [] };
}

function alarmAt(monitor: string, reason: string, raisedAt: Date): Alarm {
  const more = { lookAgainAt: LATER, endsWith: '', isFromPullRequests: false, evidence: [] };
  return { monitor, verdict: 'flaky', reason, raisedAt, ...more };
}

function evaluate(
  before: EvaluatedTest,
  facts: TestFacts,
  mutes: readonly Mute[] = [],
  now = NOW,
  monitors = MONITORS,
) {
  return evaluateTest(monitors, { ...before, mutes }, facts, now);
}

describe('a test', () => {
  it('is healthy while no monitor is active, and keeps its reason', () => {
    expect(evaluate(HEALTHY, failed(0))).toEqual(HEALTHY);
  });

  it('is flaky if a monitor says so, and broken if one of several monitors says so', () => {
    const flaky = evaluate(HEALTHY, failed(1));
    expect(flaky).toMatchObject({ status: 'flaky', statusReason: 'failed 1 time in 24 hours; the limit is 1' });
    expect(evaluate(flaky, failed(5))).toMatchObject({
      status: 'broken',
      statusReason: 'failed 5 times in 24 hours; the limit is 5',
    });
  });

  it('goes from broken to flaky when only the monitor for flaky tests stays active, with its reason', () => {
    const broken = evaluate(evaluate(HEALTHY, failed(2)), failed(5));
    expect(evaluate(broken, failed(4), [], LATER)).toMatchObject({
      status: 'flaky',
      statusReason: 'failed 2 times in 24 hours; the limit is 1',
    });
  });

  it('recovers with the reason of the ended alarm', () => {
    const flaky = evaluate(HEALTHY, failed(1));
    expect(evaluate(flaky, failed(0), [], LATER)).toEqual({
      status: 'healthy',
      statusReason: 'failed 0 times in 24 hours; the limit is 1',
      isFromPullRequests: false,
      alarms: [],
    });
  });

  it('keeps its reason and the start of an alarm while more results confirm the alarm', () => {
    const once = evaluate(HEALTHY, failed(1));
    const again = evaluate(once, failed(3), [], LATER);
    expect(again.statusReason).toBe(once.statusReason);
    expect(again.alarms).toMatchObject([{ raisedAt: NOW, reason: once.statusReason }]);
  });

  it('keeps its reason when a monitor is unmuted that was active before', () => {
    const both = [atLeast(1, 'flaky', 'a'), atLeast(2, 'flaky', 'b')];
    const muted = [{ monitor: 'a', reason: 'known' }];
    const first = evaluate(HEALTHY, failed(1, both), muted, NOW, both);
    const second = evaluate(first, failed(2, both), muted, LATER, both);
    expect(second.statusReason).toBe('failed 2 times in 24 hours; the limit is 2');
    expect(evaluate(second, failed(2, both), [], LATER, both).statusReason).toBe(second.statusReason);
  });

  it('has the reason of the oldest alarm or, among equally old alarms, of the first by name', () => {
    const monitors = [atLeast(1, 'flaky', 'b'), atLeast(1, 'flaky', 'a')];
    const raised = (monitor: string, raisedAt: Date): Alarm => {
      return alarmAt(monitor, `raised by ${monitor}`, raisedAt);
    };
    const reasonAfter = (...alarms: readonly Alarm[]) => {
      const before: EvaluatedTest = { ...HEALTHY, status: 'flaky', statusReason: 'what has ended', alarms };
      return evaluate(before, failed(1, monitors), [], LATER, monitors).statusReason;
    };
    expect(reasonAfter(raised('a', LATER), raised('b', NOW))).toBe('raised by b');
    expect(reasonAfter(raised('b', LATER), raised('a', NOW))).toBe('raised by a');
    expect(reasonAfter(raised('b', NOW), raised('a', NOW))).toBe('raised by a');
  });

  it('recovers only at the recovery limit of a monitor that was active', () => {
    const rate = { threshold: 0.3, recoverBelow: 0.1, minimumRuns: 1, branches: [], verdict: 'flaky' } as const;
    const monitors: Monitor[] = [{ type: 'failure_rate', name: 'rate', enabled: true, windowHours: 24, ...rate }];
    const flaky = evaluate(HEALTHY, failed(10, monitors), [], NOW, monitors);
    expect(flaky.status).toBe('flaky');
    expect(evaluate(flaky, failed(5, monitors), [], LATER, monitors).status).toBe('flaky');
    expect(evaluate(HEALTHY, failed(5, monitors), [], LATER, monitors).status).toBe('healthy');
  });

  it('becomes healthy without a new reason if no alarm explains why it was flaky', () => {
    const before: EvaluatedTest = { ...HEALTHY, status: 'flaky', statusReason: 'of long ago' };
    expect(evaluate(before, failed(0))).toEqual(HEALTHY);
  });

  it('attack 17: is not broken by results of pull requests, if branches show that it is flaky', () => {
    const counts = (flaky: number, broken: number) =>
      new Map([
        ['flaky', { failed: flaky, passed: 9, oldestFailureAt: NOW }],
        ['broken', { failed: broken, passed: 9, oldestFailureAt: NOW }],
      ]);
    const facts = { ...failed(0), counts: counts(9, 9), countsWithoutPullRequests: counts(1, 1) };
    expect(evaluate(HEALTHY, facts)).toMatchObject({ status: 'flaky', isFromPullRequests: false });
    const ofPullRequests = { ...facts, countsWithoutPullRequests: counts(0, 0) };
    expect(evaluate(HEALTHY, ofPullRequests)).toMatchObject({ status: 'broken', isFromPullRequests: true });
  });

  it('ignores a muted monitor, which is still evaluated', () => {
    const mute = { monitor: 'broken', reason: 'the machine is being replaced' };
    const muted = evaluate(HEALTHY, failed(5), [mute]);
    expect(muted).toMatchObject({ status: 'flaky', alarms: [{ monitor: 'flaky' }, { monitor: 'broken' }] });
    expect(evaluate(muted, failed(5), [], LATER).status).toBe('broken');
    expect(evaluate(muted, failed(5), [mute, { monitor: 'flaky', reason: 'known' }])).toMatchObject({
      status: 'healthy',
      statusReason: 'the monitor flaky is muted: known; the monitor broken is muted: the machine is being replaced',
    });
  });

  it('becomes healthy when its monitors are turned off or deleted', () => {
    const broken = evaluate(HEALTHY, failed(5));
    const off = MONITORS.map((monitor) => ({ ...monitor, enabled: false }));
    for (const monitors of [off, DEFAULT_MONITORS]) {
      expect(evaluate(broken, failed(5), [], LATER, monitors)).toEqual({
        status: 'healthy',
        statusReason: 'the monitor flaky is off; the monitor broken is off',
        isFromPullRequests: false,
        alarms: [],
      });
    }
  });

  describe('with any history', () => {
    const names = ['a', 'b', 'c'];
    const verdicts = fc.constantFrom<UnhealthyStatus>('flaky', 'broken');
    const monitors = fc
      .array(fc.record({ threshold: fc.integer({ min: 1, max: 6 }), verdict: verdicts, enabled: fc.boolean() }), {
        maxLength: 3,
      })
      .map((all) =>
        all.map((one, index): Monitor => ({ ...atLeast(one.threshold, one.verdict, names[index]), ...one })),
      );
    const alarms = fc.subarray(names).map((all) => all.map((monitor): Alarm => alarmOf(monitor)));
    const befores = fc.record({
      status: fc.constantFrom<EvaluatedTest['status']>('healthy', 'flaky', 'broken'),
      isFromPullRequests: fc.constant(false),
      statusReason: fc.constantFrom('x', 'raised'),
      alarms,
      mutes: fc.subarray(names).map((all) => all.map((monitor) => ({ monitor, reason: 'known' }))),
    });

    it('has the worst status that an active and unmuted monitor gives', () => {
      fc.assert(
        fc.property(monitors, befores, fc.nat({ max: 7 }), (all, before, times) => {
          const heard = all.filter(
            (one) => one.enabled && one.type === 'failure_count' && times >= one.threshold && !isMuted(before, one),
          );
          const expected = (['broken', 'flaky'] as const).find((verdict) =>
            heard.some((one) => one.type === 'failure_count' && one.verdict === verdict),
          );
          expect(evaluateTest(all, before, failed(times, all), NOW).status).toBe(expected ?? 'healthy');
        }),
      );
    });

    it('stays the same when it is evaluated again', () => {
      fc.assert(
        fc.property(monitors, befores, fc.nat({ max: 7 }), (all, before, times) => {
          const once = evaluateTest(all, before, failed(times, all), NOW);
          const again = evaluateTest(all, { ...once, mutes: before.mutes }, failed(times, all), NOW);
          expect(again).toEqual(once);
        }),
      );
    });

    function isMuted({ mutes }: { mutes: readonly Mute[] }, { name }: Monitor): boolean {
      return mutes.some(({ monitor }) => monitor === name);
    }

    function alarmOf(monitor: string): Alarm {
      return alarmAt(monitor, 'raised', NOW);
    }
  });
});
