import type { TestFacts } from './facts';
import { evaluateMonitor } from './evaluate-monitor';
import type { HealthStatus } from './settings';
import type { Monitor, UnhealthyStatus } from './settings';

/** A monitor that is active on a test. */
export interface Alarm {
  readonly monitor: string;
  readonly verdict: UnhealthyStatus;
  /** As it was when the monitor became active. */
  readonly reason: string;
  readonly raisedAt: Date;
  readonly lookAgainAt: Date;
}

/** A monitor that does not count for the test; never one that has ended. */
export interface Mute {
  readonly monitor: string;
  readonly reason: string;
}

export interface EvaluatedTest {
  readonly status: HealthStatus;
  readonly statusReason: string;
  readonly alarms: readonly Alarm[];
}

interface TestBefore extends EvaluatedTest {
  readonly mutes: readonly Mute[];
}

/**
 * The status of a test at `now`: broken if an active monitor says so, else flaky if one does, else healthy. A muted monitor
 * is evaluated like the others and does not count.
 */
export function evaluateTest(
  monitors: readonly Monitor[],
  before: TestBefore,
  facts: TestFacts,
  now: Date,
): EvaluatedTest {
  const alarms: Alarm[] = [];
  const ended: string[] = [];
  for (const monitor of monitors.filter(({ enabled }) => enabled)) {
    const known = before.alarms.find((alarm) => alarm.monitor === monitor.name);
    const evaluation = evaluateMonitor(monitor, facts, known ? 'active' : 'inactive', now);
    if (evaluation.type === 'inactive') {
      if (known) ended.push(evaluation.reason);
      continue;
    }
    const verdict = monitor.type === 'pass_on_retry' ? 'flaky' : monitor.verdict;
    const raised = known ?? { monitor: monitor.name, reason: evaluation.reason, raisedAt: now };
    alarms.push({ ...raised, verdict, lookAgainAt: evaluation.lookAgainAt });
  }
  return { ...statusOf(alarms, before, [...ended, ...switchedOff(monitors, before)]), alarms };
}

/** Keeps the reason of the status while the alarm that gave it lasts. */
function statusOf(
  alarms: readonly Alarm[],
  { status, statusReason, mutes }: TestBefore,
  ended: readonly string[],
): Pick<EvaluatedTest, 'status' | 'statusReason'> {
  const heard = alarms.filter(({ monitor }) => !mutes.some((mute) => mute.monitor === monitor));
  for (const verdict of ['broken', 'flaky'] as const) {
    const deciding = heard.filter((alarm) => alarm.verdict === verdict).sort(byTime);
    if (deciding.length === 0) continue;
    const isSame = status === verdict && deciding.some(({ reason }) => reason === statusReason);
    return { status: verdict, statusReason: isSame ? statusReason : deciding[0]!.reason };
  }
  if (status === 'healthy') return { status, statusReason };
  const muted = alarms.map(({ monitor }) => mutedReason(monitor, mutes));
  const reasons = [...muted, ...ended];
  return { status: 'healthy', statusReason: reasons.length === 0 ? 'no monitor is active' : reasons.join('; ') };
}

function mutedReason(monitor: string, mutes: readonly Mute[]): string {
  return `the monitor ${monitor} is muted: ${mutes.find((mute) => mute.monitor === monitor)?.reason ?? ''}`;
}

function switchedOff(monitors: readonly Monitor[], { alarms }: TestBefore): string[] {
  const on = new Set(monitors.filter(({ enabled }) => enabled).map(({ name }) => name));
  return alarms.filter(({ monitor }) => !on.has(monitor)).map(({ monitor }) => `the monitor ${monitor} is off`);
}

function byTime(a: Alarm, b: Alarm): number {
  return a.raisedAt.getTime() - b.raisedAt.getTime() || (a.monitor < b.monitor ? -1 : 1);
}
