import type { Pair } from './figures';
import type { SaturatedQueue } from './saturated-queue';

/** A queue that never runs empty, and the goals of flow scheduling for it. */
export interface FlowRow {
  readonly machines: number;
  readonly badShare: number;
  readonly flakeRate?: number;
  readonly pairShare?: number;
  readonly areas?: SaturatedQueue['areas'];
  /** Length of a CI outage in CI durations. Outages begin every `OUTAGE_EVERY`. */
  readonly outage?: number;
  /** The fewest merges in a CI duration, and the most CI runs for each merge. If absent, there is no goal. */
  readonly goal?: { readonly merged: number; readonly runs?: number };
  /**
   * The largest share of pull requests that may fail although they should have landed. If absent, innocent failures are
   * only counted.
   */
  readonly innocentsAtMost?: number;
  /** Merges in each course of flow scheduling. If absent, the number comes from the command line. */
  readonly merges?: number;
  /**
   * Merges and runs, as `merged / runs`, in the two models of the design. The engine follows `model`, whose predecessor
   * is `firstModel`.
   */
  readonly model?: Pair;
  readonly firstModel?: Pair;
}

/** Targets reveal nine of ten conflicting pairs, and falsely mark one in ten of the other pairs nearby. */
const KNOWN_AREAS = { known: 0.9, falseAlarms: 0.1 } as const;

/** Merges in the rows in which no innocent entry may fail by chance: enough to notice one failure in ten thousand. */
const POOLED = 20_000;

export const OUTAGE_EVERY = 15;
/** Enough merges for a dozen outages. */
const OUTAGE_MERGES = 4_000;

const pair = (first: number, second: number): Pair => ({ first, second });

const FIVE_PERCENT = { badShare: 0.05, innocentsAtMost: 0 } as const;

export const FLOW_ROWS: readonly FlowRow[] = [
  {
    machines: 8,
    ...FIVE_PERCENT,
    goal: { merged: 19, runs: 0.45 },
    model: pair(20.1, 0.41),
    firstModel: pair(22.1, 0.37),
  },
  {
    machines: 20,
    ...FIVE_PERCENT,
    goal: { merged: 45, runs: 0.47 },
    model: pair(46.8, 0.45),
    firstModel: pair(52, 0.39),
  },
  {
    machines: 40,
    ...FIVE_PERCENT,
    goal: { merged: 88, runs: 0.47 },
    model: pair(94.3, 0.435),
    firstModel: pair(105.7, 0.386),
  },
  { machines: 40, badShare: 0.01, goal: { merged: 180 }, model: pair(194.6, 0.209), firstModel: pair(202.5, NaN) },
  {
    machines: 8,
    badShare: 0.05,
    flakeRate: 0.05,
    goal: { merged: 16 },
    innocentsAtMost: 0.0003,
    merges: POOLED,
    model: pair(17, 0.48),
    firstModel: pair(17.4, 0.46),
  },
  { machines: 8, badShare: 0.03, pairShare: 0.05, goal: { merged: 7.5 }, model: pair(7.6, 1.07) },
  {
    machines: 8,
    badShare: 0.03,
    pairShare: 0.05,
    areas: KNOWN_AREAS,
    goal: { merged: 9 },
    model: pair(10.1, 0.81),
  },
  { machines: 8, badShare: 0.03, pairShare: 0.02, model: pair(11, 0.74) },
  { machines: 8, badShare: 0.05, areas: KNOWN_AREAS, model: pair(20.6, 0.4) },
  { machines: 8, ...FIVE_PERCENT, outage: 1, merges: OUTAGE_MERGES },
  { machines: 8, ...FIVE_PERCENT, outage: 2, merges: OUTAGE_MERGES },
  { machines: 8, ...FIVE_PERCENT, outage: 4, merges: OUTAGE_MERGES },
  { machines: 8, badShare: 0, model: pair(64, 0.14), firstModel: pair(61.5, 0.14) },
  { machines: 8, badShare: 0.01, model: pair(41.4, 0.2), firstModel: pair(39.6, 0.22) },
  { machines: 8, badShare: 0.02, model: pair(31.7, 0.28), firstModel: pair(34.9, 0.23) },
  { machines: 8, badShare: 0.1, model: pair(11.1, 0.74), firstModel: pair(12.2, 0.66) },
  { machines: 8, badShare: 0.2, model: pair(5.8, 1.39), firstModel: pair(6.6, 1.21) },
];

export function nameOf(row: FlowRow): string {
  const { machines, badShare, flakeRate = 0, pairShare = 0, areas, outage = 0 } = row;
  const more = [
    ...(flakeRate > 0 ? [`${100 * flakeRate} % flakes`] : []),
    ...(pairShare > 0 ? [`${100 * pairShare} % in a conflicting pair`] : []),
    ...(areas ? ['targets known'] : []),
    ...(outage > 0 ? [`CI down for ${outage} of ${OUTAGE_EVERY} durations`] : []),
  ];
  return [`${machines} machines, ${100 * badShare} % bad`, ...more].join(', ');
}

export function hasGoal({ goal, innocentsAtMost }: FlowRow): boolean {
  return goal !== undefined || innocentsAtMost !== undefined;
}
