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
  const common = { type, name, enabled, branches: [...monitor.branches] };
  switch (monitor.type) {
    case 'pass_on_retry':
      return { ...common, quiet_days: monitor.quietDays, minimum_commits: monitor.minimumCommits };
    case 'consecutive_failures':
      return { ...common, threshold: monitor.threshold, flaky_threshold: monitor.flakyThreshold };
    case 'transitions': {
      const { threshold, windowDays, minimumRuns } = monitor;
      return { ...common, threshold, window_days: windowDays, minimum_runs: minimumRuns };
    }
    case 'failure_rate':
    case 'failure_count': {
      const { windowHours: window_hours, threshold, verdict, minimumRuns: minimum_runs } = monitor;
      const record = { ...common, window_hours, threshold, verdict, minimum_runs };
      if (monitor.type === 'failure_count' || monitor.recoverBelow === undefined) return record;
      return { ...record, recover_below: monitor.recoverBelow };
    }
  }
}

/** `setting` must be validated, so that it has every field that its type requires. */
export function monitorOf(setting: MonitorSetting): Monitor {
  const { type, name, enabled } = setting;
  const { threshold, quiet_days, window_hours, window_days, flaky_threshold, verdict } =
    setting as Required<MonitorSetting>;
  const { minimum_runs: minimumRuns = 1, minimum_commits: minimumCommits = 1, recover_below } = setting;
  const branches = setting.branches ?? [];
  switch (type) {
    case 'pass_on_retry':
      return { type, name: 'pass_on_retry', enabled, branches, quietDays: quiet_days, minimumCommits };
    case 'consecutive_failures':
      return { type, name, enabled, branches, threshold, flakyThreshold: flaky_threshold };
    case 'transitions':
      return { type, name, enabled, branches, threshold, windowDays: window_days, minimumRuns };
    case 'failure_count':
    case 'failure_rate': {
      const common = { name, enabled, branches, windowHours: window_hours, threshold, verdict, minimumRuns };
      if (type === 'failure_count') return { type, ...common };
      return { type, ...common, ...(recover_below !== undefined && { recoverBelow: recover_below }) };
    }
  }
}
