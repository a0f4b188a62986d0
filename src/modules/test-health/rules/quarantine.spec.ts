import type { HealthStatus } from './settings';
import { QUARANTINE_SETTINGS, quarantineOf } from './quarantine';

const STATUSES: readonly HealthStatus[] = ['healthy', 'flaky', 'broken'];
const standing = (status: HealthStatus) => ({ status, isFromPullRequests: false, isOutsideTests: false });
const ON = { quarantineEnabled: true, autoQuarantine: true };

describe('Quarantine', () => {
  it('is what was set by hand, whatever the status', () => {
    for (const status of STATUSES) {
      for (const autoQuarantine of [true, false]) {
        const switches = { quarantineEnabled: true, autoQuarantine };
        expect(quarantineOf('always_quarantine', standing(status), switches).quarantined).toBe(true);
        expect(quarantineOf('never_quarantine', standing(status), switches).quarantined).toBe(false);
      }
    }
  });

  it('is for flaky tests alone where nothing was set by hand, and only where that was turned on', () => {
    const of = (autoQuarantine: boolean) =>
      STATUSES.filter((status) => quarantineOf('unspecified', standing(status), { ...ON, autoQuarantine }).quarantined);
    expect(of(true)).toEqual(['flaky']);
    expect(of(false)).toEqual([]);
  });

  it('is nowhere while the repository has it off', () => {
    const off = { quarantineEnabled: false, autoQuarantine: true };
    for (const setting of QUARANTINE_SETTINGS) {
      expect(STATUSES.filter((status) => quarantineOf(setting, standing(status), off).quarantined)).toEqual([]);
    }
  });

  it('attack 17: is nothing that pull requests bring about alone, and still what was set by hand', () => {
    const shown = { status: 'flaky', isFromPullRequests: true, isOutsideTests: false } as const;
    expect(quarantineOf('unspecified', shown, ON)).toEqual({
      quarantined: false,
      reason: 'failures that only pull requests show quarantine nothing automatically',
    });
    expect(quarantineOf('always_quarantine', shown, ON).quarantined).toBe(true);
  });

  it('is never for what fails outside tests', () => {
    for (const setting of QUARANTINE_SETTINGS) {
      const outside = { ...standing('flaky'), isOutsideTests: true };
      expect(quarantineOf(setting, outside, ON)).toMatchObject({
        quarantined: false,
        reason: expect.stringMatching(/^failures outside tests/) as string,
      });
    }
  });

  it('says why', () => {
    expect(quarantineOf('unspecified', standing('broken'), ON).reason).toBe(
      'broken tests are quarantined only manually',
    );
    expect(quarantineOf('unspecified', standing('flaky'), ON).reason).toBe(
      'flaky tests are quarantined in this repository',
    );
  });
});
