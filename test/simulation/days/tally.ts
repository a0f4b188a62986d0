import type { Change } from '../../../src/engine/changes';
import { STEPS } from '../../../src/engine/decide';
import { FLOW_STEPS } from '../../../src/engine/flow/flow-steps';
import type { Step } from '../../../src/engine/policy/step-result';

/** The number of occurrences of each name. */
export type Counts = Record<string, number>;

/** The counts of one day or of many days. */
export interface Tally {
  readonly steps: Counts;
  readonly reasons: Counts;
  readonly searchEnds: Counts;
  readonly runEnds: Counts;
  readonly landings: Counts;
  readonly refusals: Counts;
  /** Deeds of people and troubles of the service, by kind. */
  readonly deeds: Counts;
  /** Random mishaps, by name. */
  readonly mishaps: Counts;
  /** Changes that belong to none of the groups above, by type. */
  readonly others: Counts;
}

export function emptyTally(): Tally {
  const engine = { steps: {}, reasons: {}, searchEnds: {}, runEnds: {}, landings: {}, refusals: {}, others: {} };
  return { ...engine, deeds: {}, mishaps: {} };
}

export function count(counts: Counts, name: string, times = 1): void {
  counts[name] = (counts[name] ?? 0) + times;
}

export function addTally(sum: Tally, more: Tally): void {
  for (const part of Object.keys(sum) as (keyof Tally)[])
    for (const [name, times] of Object.entries(more[part])) count(sum[part], name, times);
}

/** Changes that are counted by their type. */
export const OTHERS = [
  'entryAcquitted',
  'queueDeleted',
  'runLost',
  'runFoundRed',
  'runSuspected',
  'configFoundUnreadable',
] as const;

export function note(tally: Tally, changes: readonly Change[]): void {
  for (const change of changes) {
    if (change.type === 'entryMoved' && change.because !== null) count(tally.reasons, change.because);
    if (change.type === 'entrySubmitted' && change.entry.stateReason !== null)
      count(tally.reasons, change.entry.stateReason);
    if (change.type === 'searchEnded') count(tally.searchEnds, change.because);
    if (change.type === 'runEnded') count(tally.runEnds, change.because);
    if (change.type === 'landingSettled') count(tally.landings, change.outcome);
    if (OTHERS.some((type) => type === change.type)) count(tally.others, change.type);
  }
}

/** From now on, counts for each step of the engine's lists how often it changed something. */
export function countSteps(counts: () => Counts): void {
  for (const steps of [STEPS, FLOW_STEPS]) countIn(steps as Step[], counts);
}

function countIn(steps: Step[], counts: () => Counts): void {
  steps.forEach((step, i) => {
    const { name } = step;
    count(counts(), name, 0);
    steps[i] = (queue, now) => {
      const outcome = step(queue, now);
      if (outcome.changes.length > 0) count(counts(), name);
      return outcome;
    };
  });
}
