import { html, type Html } from '../html';
import { icon, type IconName } from './icons';

/** An icon, a word and a class of the style sheet: a state is never told by colour alone. */
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
  only_failed: ['cross', 'Only failed'],
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

/** How a test stands. Nobody calls a test healthy that failed in each of its runs, before any monitor is active. */
export function standingOfTest(status: string, failureRate7Days: number): StateName {
  if (status === 'flaky' || status === 'broken') return status;
  return failureRate7Days === 1 ? 'only_failed' : 'healthy';
}

export function standingMark(status: string, failureRate7Days: number): Html {
  return stateMark(standingOfTest(status, failureRate7Days));
}
