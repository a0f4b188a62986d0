import type { HealthStatus } from './settings';
import { QUARANTINE_SETTINGS, quarantineOf } from './quarantine';

const STATUSES: readonly HealthStatus[] = ['healthy', 'flaky', 'broken'];
const ON = { quarantineEnabled: true, autoQuarantine: true };

describe('Quarantine', () => {
  it('is what was set by hand, whatever the status', () => {
    for (const status of STATUSES) {
      for (const autoQuarantine of [true, false]) {
        const switches = { quarantineEnabled: true, autoQuarantine };
        expect(quarantineOf('always_quarantine', status, switches).quarantined).toBe(true);
        expect(quarantineOf('never_quarantine', status, switches).quarantined).toBe(false);
      }
    }
  });

  it('is for flaky tests alone where nothing was set by hand, and only where that was turned on', () => {
    const of = (autoQuarantine: boolean) =>
      STATUSES.filter((status) => quarantineOf('unspecified', status, { ...ON, autoQuarantine }).quarantined);
    expect(of(true)).toEqual(['flaky']);
    expect(of(false)).toEqual([]);
  });

  it('is nowhere while the repository has it off', () => {
    const off = { quarantineEnabled: false, autoQuarantine: true };
    for (const setting of QUARANTINE_SETTINGS) {
      expect(STATUSES.filter((status) => quarantineOf(setting, status, off).quarantined)).toEqual([]);
    }
  });

  it('says why', () => {
    expect(quarantineOf('unspecified', 'broken', ON).reason).toBe('broken tests are quarantined only by hand');
    expect(quarantineOf('unspecified', 'flaky', ON).reason).toBe('flaky tests are quarantined in this repository');
  });
});
