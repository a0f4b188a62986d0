import type { TestFacts } from './facts';
import { evaluateMonitor } from './evaluate-monitor';
import { type HealthStatus, type Monitor, type UnhealthyStatus, verdictOf } from './settings';
import type { RunResult } from './tested-run';

/** An active monitor of a test. */
export interface Alarm {
  readonly monitor: string;
  readonly verdict: UnhealthyStatus;
  /** The reason why the monitor became active. The reason does not change while the monitor stays active. */
  readonly reason: string;
  readonly raisedAt: Date;
  readonly lookAgainAt: Date;
  /** The event that would end the alarm, as text after "until". */
  readonly endsWith: string;
  /** Whether only results of pull requests support the alarm. Then other branches must not rely on the alarm. */
  readonly isFromPullRequests: boolean;
  /** The runs that made the monitor active, oldest first; at most 10. */
  readonly evidence: readonly RunResult[];
}

/** A monitor that does not count for the test. Expired mutes are not included. */
export interface Mute {
  readonly monitor: string;
  readonly reason: string;
}

export interface EvaluatedTest {
  readonly status: HealthStatus;
  readonly statusReason: string;
  /** Whether only results of pull requests support the status. */
  readonly isFromPullRequests: boolean;
  readonly alarms: readonly Alarm[];
}

export interface TestBefore extends EvaluatedTest {
  readonly mutes: readonly Mute[];
}

/**
 * The status of a test at `now`: broken if an active monitor says so, otherwise flaky if an active monitor says so,
 * otherwise healthy. Alarms that only pull requests support come last. A muted monitor is evaluated, but does not
 * count.
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
    const evaluation = evaluateMonitor(monitor, { monitors, facts, before: known ? 'active' : 'inactive', now });
    if (evaluation.type === 'inactive') {
      if (known) ended.push(evaluation.reason);
      continue;
    }
    const { reason, evidence, lookAgainAt, endsWith, isFromPullRequests } = evaluation;
    // When other branches also begin to support an alarm, the current reason replaces the alarm's old one.
    const isSame = known?.isFromPullRequests === isFromPullRequests;
    const told = isSame ? { reason: known.reason, evidence: known.evidence } : { reason, evidence };
    const raisedAt = known?.raisedAt ?? now;
    const verdict = verdictOf(monitor);
    alarms.push({ monitor: monitor.name, verdict, ...told, raisedAt, lookAgainAt, endsWith, isFromPullRequests });
  }
  return { ...statusOf(alarms, before, [...ended, ...switchedOff(monitors, before)]), alarms };
}

const RANKS = [
  { verdict: 'broken', isFromPullRequests: false },
  { verdict: 'flaky', isFromPullRequests: false },
  { verdict: 'broken', isFromPullRequests: true },
  { verdict: 'flaky', isFromPullRequests: true },
] as const;

/** The status of a test. Its reason stays the same as long as the alarm that caused the status lasts. */
function statusOf(
  alarms: readonly Alarm[],
  { status, statusReason, mutes }: TestBefore,
  ended: readonly string[],
): Pick<EvaluatedTest, 'status' | 'statusReason' | 'isFromPullRequests'> {
  const heard = alarms.filter(({ monitor }) => !mutes.some((mute) => mute.monitor === monitor));
  for (const { verdict, isFromPullRequests } of RANKS) {
    const deciding = heard
      .filter((alarm) => alarm.verdict === verdict && alarm.isFromPullRequests === isFromPullRequests)
      .sort(byTime);
    if (deciding.length === 0) continue;
    const isSame = status === verdict && deciding.some(({ reason }) => reason === statusReason);
    return { status: verdict, statusReason: isSame ? statusReason : deciding[0]!.reason, isFromPullRequests };
  }
  if (status === 'healthy') return { status, statusReason, isFromPullRequests: false };
  const muted = alarms.map(({ monitor }) => mutedReason(monitor, mutes));
  const reasons = [...muted, ...ended];
  const reason = reasons.length === 0 ? 'no monitor is active on the test' : reasons.join('; ');
  return { status: 'healthy', statusReason: reason, isFromPullRequests: false };
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
