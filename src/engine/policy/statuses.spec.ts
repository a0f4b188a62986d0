import { EngineDay } from '../../../test/support/engine-day';
import type { ReportState, StatusFact } from '../model';
import { counts, hasPassed, statusesOf } from './statuses';

describe('the statuses of a run', () => {
  it('have passed when every required status has passed, and never if no status is required', () => {
    const day = new EngineDay();
    day.submit(1);
    const run = day.carryOutAll().runOf(1);
    expect(hasPassed(run, statusesOf(day.queue, run))).toBe(false);
    const demandingNothing = { ...run, requiredStatuses: [] };
    expect(hasPassed(demandingNothing, statusesOf(day.queue, demandingNothing))).toBe(false);
  });

  describe('with or without a rule that requires an app', () => {
    const verdict = (pins: readonly string[], reports: Readonly<Record<string, ReportState>>): unknown => {
      const day = new EngineDay();
      day.submit(1);
      const run = { ...day.carryOutAll().runOf(1), pins: pins.map((app) => ({ name: 'ci', app })) };
      const facts = Object.entries(reports).map(([app, state]): StatusFact => ({
        ...{ commit: run.commit!, kind: 'check_run', name: 'ci', state, reportedAt: 0 },
        app: app === 'nobody' ? null : app,
      }));
      const { failed, running, missing } = statusesOf({ ...day.queue, reports: facts }, run);
      return { failed: failed.length, running: running.length, missing: missing.length };
    };
    const NONE = { failed: 0, running: 0, missing: 0 };

    it('ignore reports of other apps if a rule pins the name to one app', () => {
      expect(verdict(['1'], { 2: 'passed', nobody: 'failed' })).toEqual({ ...NONE, missing: 1 });
      expect(verdict(['1'], { 1: 'passed', 2: 'failed', nobody: 'running' })).toEqual(NONE);
      expect(verdict(['1'], { 1: 'failed', 2: 'passed' })).toEqual({ ...NONE, failed: 1 });
    });

    it('require a report of each app if rules name two apps', () => {
      expect(verdict(['1', '2'], { 1: 'passed' })).toEqual({ ...NONE, missing: 1 });
      expect(verdict(['1', '2'], { 1: 'passed', 2: 'running' })).toEqual({ ...NONE, running: 1 });
      expect(verdict(['1', '2'], { 2: 'failed' })).toEqual({ ...NONE, failed: 1 });
      expect(verdict(['1', '2'], { 1: 'passed', 2: 'passed' })).toEqual(NONE);
    });

    it('accept reports from any app without a rule', () => {
      expect(verdict([], { 1: 'passed', 2: 'failed' })).toEqual({ ...NONE, failed: 1 });
      expect(verdict([], { 1: 'passed', nobody: 'passed' })).toEqual(NONE);
    });
  });
});

describe('a status report on a commit', () => {
  const pins = [
    { name: 'ci', app: '7' },
    { name: 'ci', app: '8' },
  ];

  it.each([
    [{ name: 'ci', app: '7' }, true],
    [{ name: 'ci', app: '8' }, true],
    [{ name: 'ci', app: '9' }, false],
    [{ name: 'ci', app: null }, false],
    [{ name: 'lint', app: '9' }, true],
    [{ name: 'lint', app: null }, true],
  ])(
    'counts only from the apps to which its name is pinned, or from any app if there is no pin: %j',
    (report, isCounted) => {
      expect(counts(pins, report)).toBe(isCounted);
    },
  );
});
