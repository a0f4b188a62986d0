import type { HealthStatus } from './settings';
import { QUARANTINE_SETTINGS, quarantineOf } from './quarantine';

const STATUSES: readonly HealthStatus[] = ['healthy', 'flaky', 'broken'];
const standing = (status: HealthStatus) => ({ status, isFromPullRequests: false, isOutsideTests: false });
const ON = { quarantineEnabled: true, autoQuarantine: true };

describe('Quarantine', () => {
  it('follows the manual setting, whatever the status', () => {
    for (const status of STATUSES) {
      for (const autoQuarantine of [true, false]) {
        const switches = { quarantineEnabled: true, autoQuarantine };
        expect(quarantineOf('always_quarantine', standing(status), switches).quarantined).toBe(true);
        expect(quarantineOf('never_quarantine', standing(status), switches).quarantined).toBe(false);
      }
    }
  });

  it('applies to flaky tests without a manual setting only if autoQuarantine is on', () => {
    const of = (autoQuarantine: boolean) =>
      STATUSES.filter((status) => quarantineOf('unspecified', standing(status), { ...ON, autoQuarantine }).quarantined);
    expect(of(true)).toEqual(['flaky']);
    expect(of(false)).toEqual([]);
  });

  it('never applies if quarantineEnabled is off', () => {
    const off = { quarantineEnabled: false, autoQuarantine: true };
    for (const setting of QUARANTINE_SETTINGS) {
      expect(STATUSES.filter((status) => quarantineOf(setting, standing(status), off).quarantined)).toEqual([]);
    }
  });

  it('attack 17: ignores a status that only pull requests show, but follows the manual setting', () => {
    const shown = { status: 'flaky', isFromPullRequests: true, isOutsideTests: false } as const;
    expect(quarantineOf('unspecified', shown, ON)).toEqual({
      quarantined: false,
      reason: 'failures that only pull requests show do not quarantine a test automatically',
    });
    expect(quarantineOf('always_quarantine', shown, ON).quarantined).toBe(true);
  });

  it('never applies to failures outside tests', () => {
    for (const setting of QUARANTINE_SETTINGS) {
      const outside = { ...standing('flaky'), isOutsideTests: true };
      expect(quarantineOf(setting, outside, ON)).toMatchObject({
        quarantined: false,
        reason: expect.stringMatching(/^failures outside tests/) as string,
      });
    }
  });

  it('comes with a reason', () => {
    expect(quarantineOf('unspecified', standing('broken'), ON).reason).toBe(
      'broken tests are quarantined only manually',
    );
    expect(quarantineOf('unspecified', standing('flaky'), ON).reason).toBe(
      'flaky tests are quarantined in this repository',
    );
  });
});
