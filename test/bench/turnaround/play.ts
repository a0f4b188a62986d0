import { HOUR, type Instant, SECOND } from '../../../src/engine/vocabulary';
import { EngineStore } from '../../../src/processing/replay/engine-store';
import { headOf, VirtualCi, type VirtualWorld } from '../virtual/virtual-ci';
import { queuedHeadsOf, type VirtualChange, type Workload } from './changes';
import { queueOf, STRATEGIES } from './strategies';

export interface Play {
  readonly strategy: string;
  readonly slots: number;
  readonly workload: Workload;
}

export interface Played {
  /** Pairs of the number of a landed change and its landing time, measured from the beginning. */
  readonly landed: readonly (readonly [number, Instant])[];
  readonly rejected: number;
  readonly builds: number;
  readonly aborted: number;
  readonly decisions: number;
  /** How long the play took on this machine. */
  readonly seconds: number;
}

export const COMMAND_TIMES = { startTime: 0.5 * SECOND, landTime: 2 * SECOND };
/** A change that has not landed this long after the last arrival counts as never landed. */
export const DRAIN_HOURS = 48;

export function play({ strategy: name, slots, workload }: Play): Played {
  const strategy = STRATEGIES.find((other) => other.name === name);
  if (!strategy) throw new Error(`no strategy is called ${name}`);
  const begin = performance.now();
  const changes = queuedHeadsOf(workload);
  const store = new EngineStore(queueOf(strategy, slots));
  const ci = new VirtualCi(store, worldOf(changes));
  const start = ci.now;
  const landed: [number, Instant][] = [];
  let rejected = 0;
  ci.onConcluded = (number, conclusion) => {
    if (conclusion === 'merged') landed.push([number, ci.now - start]);
    else rejected++;
  };
  for (const { number, arrivesAt, targets } of changes)
    ci.agenda.add(start + arrivesAt, () => {
      store.giveTargets(number, headOf(number), new Set(targets));
      ci.submit(number);
    });
  const until = start + (workload.hours + DRAIN_HOURS) * HOUR;
  ci.runUntil(() => landed.length + rejected === changes.length || ci.now > until);
  const { runs, aborted, decisions } = ci.counts;
  const builds = runs.line + runs.search + runs.verify;
  return { landed, rejected, builds, aborted, decisions, seconds: (performance.now() - begin) / 1000 };
}

function worldOf(changes: readonly VirtualChange[]): VirtualWorld {
  const conflicts = new Map(changes.map((change) => [change.number, [...change.conflictsWith]]));
  for (const { number, conflictsWith } of changes)
    for (const other of conflictsWith) conflicts.get(other)?.push(number);
  const buildTimes = new Map(changes.map((change) => [change.number, change.buildTime]));
  const builtAt = new Map<number, Instant>();
  return {
    breaks: (number, holds) => conflicts.get(number)?.some(holds) ?? false,
    // A run takes as long as the longest first build of its own changes. The builds of its base run in parallel, so it
    // also takes at least until the first build of each change in the base would have ended.
    buildTime: (own, builtOn, now) => {
      const length = Math.max(...own.map((number) => buildTimes.get(number) ?? 0));
      for (const number of own) if (!builtAt.has(number)) builtAt.set(number, now + length);
      return Math.max(length, ...builtOn.map((number) => (builtAt.get(number) ?? now) - now));
    },
    flakes: () => false,
    ...COMMAND_TIMES,
  };
}
