import type { QueueSnapshot } from '../model';
import type { AreaCounts, FlowState, LearnedCounts } from '../flow-state';
import { flowOf } from './scheduling';

/**
 * The assumptions of a new queue about its chances, as counts of outcomes. Semantic conflicts are rare: with a higher
 * assumption, a run would include few entries that await a combined test.
 */
const PRIOR = {
  failure: { yes: 1, no: 19 },
  misfit: { yes: 0.2, no: 40 },
  together: { yes: 1, no: 19 },
  apart: { yes: 1, no: 19 },
  flake: { yes: 1, no: 99 },
} as const;

/**
 * At this many outcomes, both counts are halved. The limit of `misfit` is high, so that a long series of combined tests
 * without a semantic conflict can make the chance small.
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

/** A learned chance, and the number of outcomes from which it was learned. Older outcomes count half. */
export interface LearnedFigure {
  readonly chance: number;
  readonly outcomes: number;
}

type ShownFigure = 'failure' | 'misfit' | 'flake';

/** The learned chances on which verdicts in flow queues rest, to show to people. */
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

/** The size of the largest group that passes with a chance of at least one half; at least 1. */
export function evenBet(queue: QueueSnapshot): number {
  return Math.max(1, Math.floor(Math.log(0.5) / Math.log(1 - failureChance(queue))));
}

/** A pull request fails when the chance that its failures are not flakes is at least this high. */
const SURE = 0.99;

/** The number of failures in isolation after which a pull request fails. */
export function redsNeeded(queue: QueueSnapshot): number {
  const flake = flakeChance(queue);
  return Math.max(1, Math.ceil(Math.log((1 - SURE) / SURE) / Math.log(flake) - 1e-9));
}

/** In the chance of an area, this many outcomes of that area weigh as much as the chance of all areas. */
const AREA_PRIOR = 20;
const AREAS_KEPT = 64;
const REMEMBERED_OF_AREA = 200;
/** At this many outcomes of entries without a shared area, their failure chance is known well enough. */
const KNOWN_APART = 20;

/**
 * The chance of a semantic conflict in this area: how much more often its entries failed their tests than entries
 * without a common area. For an area without outcomes, the chance of all areas.
 */
export function areaRisk(queue: Learning, area: number): number {
  const { areas, learned } = flowOf(queue);
  const { apart, together } = learned;
  const failsApart = apart.yes + apart.no < KNOWN_APART ? failureChance(queue) : chanceOf('apart', queue);
  const ofAll = excessIn(together, failsApart, AREA_PRIOR, 1);
  const own = areas.find((other) => other.area === area);
  return own ? excessIn(own, failsApart, AREA_PRIOR, AREA_PRIOR * ofAll) : ofAll;
}

/** `areaRisk` and its number of outcomes, to show to people. */
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

/**
 * The share of failures above the expected share. `more` unexpected failures among `weight` outcomes are assumed
 * beforehand.
 */
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
