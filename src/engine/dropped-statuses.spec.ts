import { EngineDay } from '../../test/support/engine-day';
import { explain } from './explain';
import type { QueueSettings } from './model';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

const SETTINGS: readonly (readonly [string, Partial<QueueSettings>])[] = [
  ['in order', {}],
  ['flow', { scheduling: 'flow', canOptimisticallyMerge: true }],
];

describe.each(SETTINGS)('a pull request that drops a required status, scheduling %s,', (_name, settings) => {
  beforeEach(() => {
    day = new EngineDay({ requiredStatuses: [], ...settings });
    day.host.statusesInFile = ['ci', 'e2e'];
    day.open(1, { file: ['ci'] });
    day.submit(1);
    day.carryOutAll();
  });

  function report(name: string): void {
    day.report(day.runOf(1), 'passed', name);
    day.carryOutAll();
  }

  it('fails ten minutes after the other statuses have passed', () => {
    day.advance(60);
    report('ci');
    expect(explain(day.queue, [{ entryId: 'entry-1', ahead: 0 }], day.now)[0]?.waitingFor).toContain(
      'The pull request removes this status from the required statuses, and fails in 10 minutes',
    );
    day.advance(9);
    expect(day.stateOf(1)).toBe('testing');
    day.advance(1);
    day.carryOutAll();
    // In a flow queue a failed run only makes suspects, and a test in isolation decides.
    if (settings.scheduling === 'flow') {
      report('ci');
      day.advance(10);
    }
    expect(day.entry(1)).toMatchObject({ state: 'failed', stateReason: 'test_run_required_status_failed' });
  });

  it('gets a warning about the dropped status while it is not ready, for its present head only', () => {
    day.open(2, { draft: true }).submit(2, { takesOff: ['e2e'] });
    const waitingFor = (): string | null =>
      explain(day.queue, [{ entryId: 'entry-2', ahead: 0 }], day.now)[0]?.waitingFor ?? null;
    expect(waitingFor()).toContain('It removes e2e from the required statuses, but its own test still needs it');
    day.change(2, { head: '2b' });
    expect(day.entry(2)).toMatchObject({ state: 'not_ready', head: '2b' });
    expect(waitingFor()).not.toContain('required statuses');
  });

  it('merges if CI nevertheless reports the dropped status', () => {
    report('ci');
    day.advance(5);
    report('e2e');
    expect(day.stateOf(1)).toBe('merged');
  });

  it('waits for the time-out while CI has reported nothing', () => {
    day.advance(60);
    expect(day.stateOf(1)).toBe('testing');
  });
});
