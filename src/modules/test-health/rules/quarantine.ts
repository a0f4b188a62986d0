import type { HealthStatus, TestHealthSettings } from './settings';

export const QUARANTINE_SETTINGS = ['always_quarantine', 'never_quarantine', 'unspecified'] as const;
/** The setting that people make for one test. */
export type QuarantineSetting = (typeof QUARANTINE_SETTINGS)[number];

export type QuarantineSwitches = Pick<TestHealthSettings, 'quarantineEnabled' | 'autoQuarantine'>;

export interface Quarantine {
  readonly quarantined: boolean;
  readonly reason: string;
}

export interface TestStanding {
  readonly status: HealthStatus;
  readonly isFromPullRequests: boolean;
  /** True: the test is a hook, a file that does not load, or a package that does not build. */
  readonly isOutsideTests: boolean;
}

/** Whether the failures of a test are ignored, and the reason. A broken test is only quarantined manually. */
export function quarantineOf(
  setting: QuarantineSetting,
  { status, isFromPullRequests, isOutsideTests }: TestStanding,
  { quarantineEnabled, autoQuarantine }: QuarantineSwitches,
): Quarantine {
  if (!quarantineEnabled) return notQuarantined('quarantine is off in this repository');
  if (isOutsideTests)
    return notQuarantined('failures outside tests, as of hooks and of files that do not load, always count');
  switch (setting) {
    case 'always_quarantine':
      return { quarantined: true, reason: 'set manually: always quarantined' };
    case 'never_quarantine':
      return notQuarantined('set manually: never quarantined');
    case 'unspecified':
      if (status !== 'flaky') return notQuarantined(`${status} tests are quarantined only manually`);
      if (isFromPullRequests)
        return notQuarantined('failures that only pull requests show do not quarantine a test automatically');
      if (!autoQuarantine) return notQuarantined('flaky tests are quarantined only manually in this repository');
      return { quarantined: true, reason: 'flaky tests are quarantined in this repository' };
  }
}

function notQuarantined(reason: string): Quarantine {
  return { quarantined: false, reason };
}
