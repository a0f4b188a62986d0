import type { Monitor, TestHealthSettings } from '../../rules/settings';
import type { MonitorSetting } from './dto/monitor.dto';
import type { TestSettings } from './dto/settings.dto';

export function settingsRecord(settings: TestHealthSettings): TestSettings {
  return {
    quarantine_enabled: settings.quarantineEnabled,
    auto_quarantine: settings.autoQuarantine,
    infrastructure_failures: settings.infrastructureFailures,
    monitors: settings.monitors.map(monitorRecord),
  };
}

function monitorRecord(monitor: Monitor): MonitorSetting {
  const { type, name, enabled } = monitor;
  switch (monitor.type) {
    case 'pass_on_retry':
      return { type, name, enabled, quiet_days: monitor.quietDays };
    case 'failure_rate':
    case 'failure_count': {
      const { windowHours: window_hours, threshold, branches, verdict } = monitor;
      const common = { type, name, enabled, window_hours, threshold, branches: [...branches], verdict };
      if (monitor.type === 'failure_count') return common;
      const { minimumRuns: minimum_runs, recoverBelow: recover_below } = monitor;
      return { ...common, minimum_runs, ...(recover_below !== undefined && { recover_below }) };
    }
  }
}

/** `setting` must be validated: it then has every field of its type. */
export function monitorOf(setting: MonitorSetting): Monitor {
  const { type, name, enabled } = setting;
  const { window_hours, threshold, branches, verdict, minimum_runs, recover_below } =
    setting as Required<MonitorSetting>;
  const common = { name, enabled, windowHours: window_hours, threshold, branches, verdict };
  switch (type) {
    case 'pass_on_retry':
      return { type, name: 'pass_on_retry', enabled, quietDays: setting.quiet_days! };
    case 'failure_count':
      return { type, ...common };
    case 'failure_rate':
      return {
        type,
        ...common,
        minimumRuns: minimum_runs,
        ...(setting.recover_below !== undefined && { recoverBelow: recover_below }),
      };
  }
}
