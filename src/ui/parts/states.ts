import { html, type Html } from '../html';
import { icon, type IconName } from './icons';

/** An icon, a word and a CSS class, because a state is never shown by colour alone. */
const STATES = {
  testing: ['ring', 'Testing'],
  passed: ['check', 'Passed'],
  failed: ['cross', 'Failed'],
  waiting: ['clock', 'Waits'],
  not_ready: ['dash', 'Not ready'],
  landing: ['land', 'Landing'],
  merged: ['merge', 'Merged'],
  cancelled: ['dash', 'Cancelled'],
  suspect: ['question', 'Suspect'],
  running: ['ring', 'Running'],
  paused: ['pause', 'Paused'],
  draining: ['half', 'Draining'],
  flaky: ['half', 'Flaky'],
  broken: ['cross', 'Broken'],
  healthy: ['check', 'Healthy'],
  only_failed: ['cross', 'Failed each time'],
  building: ['build', 'Being built'],
  timeout: ['clock', 'Timed out'],
  quarantined: ['tag', 'Quarantined'],
} as const satisfies Record<string, readonly [IconName, string]>;

export type StateName = keyof typeof STATES;

export function stateMark(name: StateName, word?: string): Html {
  const [picture, usual] = STATES[name];
  const spins = name === 'testing' || name === 'running' ? 'spin' : '';
  return html`<span class="st st-${name}">${icon(picture, spins)}${word ?? usual}</span>`;
}

/**
 * The shown state of a test. A test that failed in each run is not shown as healthy, even before a monitor is active.
 */
export function standingOfTest(status: string, failureRate7Days: number): StateName {
  if (status === 'flaky' || status === 'broken') return status;
  return failureRate7Days === 1 ? 'only_failed' : 'healthy';
}

export function standingMark(status: string, failureRate7Days: number): Html {
  return stateMark(standingOfTest(status, failureRate7Days));
}
