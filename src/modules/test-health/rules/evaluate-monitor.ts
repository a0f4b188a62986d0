import { evaluateStreaks, evaluateTransitions, streakLimitsOf } from './evaluate-lines';
import { evaluateRetries } from './evaluate-retries';
import { evaluateWindow } from './evaluate-windows';
import type { TestFacts } from './facts';
import type { MonitorEvaluation, MonitorState } from './monitor-evaluation';
import type { Monitor } from './settings';

interface Situation {
  /** All monitors of the repository. */
  readonly monitors: readonly Monitor[];
  readonly facts: TestFacts;
  /** Whether the monitor was active at the last evaluation. */
  readonly before: MonitorState;
  readonly now: Date;
}

/** Evaluates whether a monitor is active for a test. */
export function evaluateMonitor(monitor: Monitor, situation: Situation): MonitorEvaluation {
  const { monitors, facts, before, now } = situation;
  switch (monitor.type) {
    case 'pass_on_retry':
      return evaluateRetries(monitor, facts, now);
    case 'consecutive_failures':
      return evaluateStreaks(monitor, facts);
    case 'transitions':
      return evaluateTransitions(monitor, facts, streakLimitsOf(monitors), now);
    case 'failure_rate':
    case 'failure_count':
      return evaluateWindow(monitor, facts, before, now);
  }
}
