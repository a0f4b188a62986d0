import type { Change } from '../../../src/engine/changes';
import { type Instant, MINUTE, type OptimizationMode } from '../../../src/engine/vocabulary';
import { DEFAULT_SETTINGS, emptyQueue } from '../../support/engine-snapshots';
import { EngineStore } from '../../../src/processing/replay/engine-store';
import { numberOf, VirtualCi, type VirtualWorld } from '../virtual/virtual-ci';
import type { Fault } from './fault';

export interface RedBatch {
  readonly size: number;
  readonly slots: number;
  readonly mode: OptimizationMode;
  readonly fault: Fault;
}

/** The number of tests started, and of CI durations passed, since the failure of a batch. */
export interface BatchCourse {
  /** The first culprit that the bisection found, before the culprit was tested alone. */
  readonly named: { readonly culprit: number; readonly runs: number; readonly rounds: number };
  readonly decided: { readonly runs: number; readonly rounds: number };
  readonly failed: readonly number[];
}

const CI_DURATION = 10 * MINUTE;
/** A wait so long that only a full batch starts. */
const NEVER_SMALLER_MINUTES = 1_000;

/** Plays one failing batch on the engine itself, alone in a queue whose tests all take equally long. */
export function playRedBatch({ size, slots, mode, fault }: RedBatch): BatchCourse {
  const world: VirtualWorld = {
    breaks: (number, holds) => breaks(fault, number - 1, (other) => holds(other + 1)),
    buildTime: () => CI_DURATION,
    flakes: () => false,
    startTime: 0,
    landTime: 0,
  };
  const batch = { batch: true, batchingMinSize: size, batchingMaxWaitTimeMinutes: NEVER_SMALLER_MINUTES };
  const settings = { ...DEFAULT_SETTINGS, ...batch, bisectionConcurrency: slots, optimizationMode: mode };
  const ci = new VirtualCi(new EngineStore(emptyQueue(settings, null)), world);
  const begun = (): number => ci.counts.runs.line + ci.counts.runs.search + ci.counts.runs.verify;
  const failed: number[] = [];
  let open = size;
  let redAt: Instant | null = null;
  let named: BatchCourse['named'] | null = null;
  const since = (at: Instant | null): number => (ci.now - (at ?? ci.now)) / CI_DURATION;
  ci.onChange = (change) => {
    if (change.type === 'searchStarted') redAt ??= ci.now;
    const culprit = culpritNamed(change);
    if (culprit !== null) named ??= { culprit: culprit - 1, runs: begun() - 1, rounds: since(redAt) };
  };
  ci.onConcluded = (number, conclusion) => {
    open--;
    if (conclusion === 'failed') failed.push(number - 1);
  };
  for (let number = 1; number <= size; number++) ci.submit(number);
  if (!ci.runUntil(() => open === 0)) throw new Error(`${open} of ${size} entries are never decided`);
  if (named === null) throw new Error('nobody was named');
  return { named, decided: { runs: begun() - 1, rounds: since(redAt) }, failed };
}

function breaks({ bad, pair }: Fault, entry: number, holds: (other: number) => boolean): boolean {
  if (bad.includes(entry)) return true;
  return pair !== null && pair.includes(entry) && holds(pair[0] === entry ? pair[1] : pair[0]);
}

/**
 * The culprit that a change names. Either the culprit is about to be tested alone, or it failed at once because its
 * test alone had just ended. Null for any other change.
 */
export function culpritNamed(change: Change): number | null {
  if (change.type === 'entryMoved' && change.to === 'failed') return numberOf(change.entryId);
  if (change.type !== 'searchAdvanced' || change.search.stage !== 'culprit') return null;
  const [culprit] = change.search.members;
  return culprit && change.search.results.length === 0 ? numberOf(culprit.entryId) : null;
}
