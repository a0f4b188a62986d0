import type { QueueSnapshot } from '../model';
import type { AreaCounts, FlowState, LearnedCounts } from '../flow-state';
import { flowOf } from './scheduling';

/**
 * Prior assumptions of a new queue, as counts. Semantic conflicts are rare: with a higher assumption a run would take
 * few entries along.
 */
const PRIOR = {
  failure: { yes: 1, no: 19 },
  misfit: { yes: 0.2, no: 40 },
  together: { yes: 1, no: 19 },
  apart: { yes: 1, no: 19 },
  flake: { yes: 1, no: 99 },
} as const;

/**
 * After this many outcomes, older ones count half. Entries that are taken along together must be able to prove that
 * they pass together.
 */
const REMEMBERED = { failure: 200, misfit: 5_000, together: 200, apart: 200, flake: 200 } as const;

type Learning = Pick<QueueSnapshot, 'flow'>;

function chanceOf(name: keyof typeof PRIOR, queue: Learning): number {
  return chanceFrom(name, flowOf(queue).learned[name]);
}

function chanceFrom(name: keyof typeof PRIOR, { yes, no }: LearnedCounts): number {
  const prior = PRIOR[name];
  return (prior.yes + yes) / (prior.yes + prior.no + yes + no);
}

/** A learned chance, and the number of outcomes behind it, of which older ones count half. */
export interface LearnedFigure {
  readonly chance: number;
  readonly outcomes: number;
}

type ShownFigure = 'failure' | 'misfit' | 'flake';

/** The figures behind verdicts in flow queues, for people. */
export function figuresOf({ learned }: FlowState): { readonly [Name in ShownFigure]: LearnedFigure } {
  const figure = (name: ShownFigure): LearnedFigure => {
    const { yes, no } = learned[name];
    return { chance: chanceFrom(name, learned[name]), outcomes: Math.round(yes + no) };
  };
  return { failure: figure('failure'), misfit: figure('misfit'), flake: figure('flake') };
}

/** The chance that a pull request fails its tests. */
export function failureChance(queue: Learning): number {
  return chanceOf('failure', queue);
}

/** The chance that an entry awaiting a combined test is in semantic conflict with the others. */
export function misfitChance(queue: QueueSnapshot): number {
  return chanceOf('misfit', queue);
}

/** The chance that a test fails although nothing is wrong with its tree. */
export function flakeChance(queue: QueueSnapshot): number {
  return chanceOf('flake', queue);
}

export function countedOnce(name: keyof typeof PRIOR, counts: LearnedCounts, outcome: 'yes' | 'no'): LearnedCounts {
  return halvedAt(REMEMBERED[name], { ...counts, [outcome]: counts[outcome] + 1 });
}

/** The largest group with at least an even chance to pass; at least one. */
export function evenBet(queue: QueueSnapshot): number {
  return Math.max(1, Math.floor(Math.log(0.5) / Math.log(1 - failureChance(queue))));
}

/** Required certainty that a failure is no flake. */
const SURE = 0.99;

/** The number of failures in isolation that fail a pull request. */
export function redsNeeded(queue: QueueSnapshot): number {
  const flake = flakeChance(queue);
  return Math.max(1, Math.ceil(Math.log((1 - SURE) / SURE) / Math.log(flake) - 1e-9));
}

/** For the figure of an area, this many of its own outcomes weigh as much as the figure of all areas. */
const AREA_PRIOR = 20;
const AREAS_KEPT = 64;
const REMEMBERED_OF_AREA = 200;
/** From this many entries without shared areas on, their failure chance is known well enough. */
const KNOWN_APART = 20;

/**
 * The chance of a semantic conflict in this area: how much more often its entries failed their tests than entries
 * without a common area. For an unknown area, the figure of all areas.
 */
export function areaRisk(queue: Learning, area: number): number {
  const { areas, learned } = flowOf(queue);
  const { apart, together } = learned;
  const failsApart = apart.yes + apart.no < KNOWN_APART ? failureChance(queue) : chanceOf('apart', queue);
  const ofAll = excessIn(together, failsApart, AREA_PRIOR, 1);
  const own = areas.find((other) => other.area === area);
  return own ? excessIn(own, failsApart, AREA_PRIOR, AREA_PRIOR * ofAll) : ofAll;
}

/** The same as `areaRisk`, for people. */
export function areaFigure(queue: Learning, area: number): LearnedFigure {
  const { areas, learned } = flowOf(queue);
  const { yes, no } = areas.find((other) => other.area === area) ?? learned.together;
  return { chance: areaRisk(queue, area), outcomes: Math.round(yes + no) };
}

/** All remembered areas, the riskiest first. */
export function areaFigures(flow: FlowState): readonly (LearnedFigure & { readonly area: number })[] {
  const figures = flow.areas.map(({ area }) => ({ area, ...areaFigure({ flow }, area) }));
  return figures.sort((a, b) => b.chance - a.chance);
}

/** The share of failures beyond the expected ones; `more` out of `weight` are assumed. */
function excessIn({ yes, no }: LearnedCounts, expected: number, weight: number, more: number): number {
  return (more + Math.max(0, yes - expected * (yes + no))) / (weight + yes + no);
}

/** Counts the outcome of an entry that shared these areas. */
export function countedIn(
  areas: readonly AreaCounts[],
  shared: readonly number[],
  outcome: 'yes' | 'no',
): readonly AreaCounts[] {
  const counts = shared.map((area): AreaCounts => {
    const known = areas.find((other) => other.area === area) ?? { area, yes: 0, no: 0 };
    return { area, ...halvedAt(REMEMBERED_OF_AREA, { ...known, [outcome]: known[outcome] + 1 }) };
  });
  return [...areas.filter(({ area }) => !shared.includes(area)), ...counts].slice(-AREAS_KEPT);
}

function halvedAt(most: number, { yes, no }: LearnedCounts): LearnedCounts {
  return yes + no < most ? { yes, no } : { yes: yes / 2, no: no / 2 };
}
