import type { QueueSnapshot } from '../model';
import type { AreaCounts, FlowState, LearnedCounts } from '../flow-state';
import { flowOf } from './scheduling';

/** What a new queue assumes, as counts of its own. Misfits are rare: a queue that expected more would take few along. */
const PRIOR = {
  failure: { yes: 1, no: 19 },
  misfit: { yes: 0.2, no: 40 },
  together: { yes: 1, no: 19 },
  apart: { yes: 1, no: 19 },
  flake: { yes: 1, no: 99 },
} as const;

/** Older outcomes count half as much after so many. As many as ride together must be able to show that they fit. */
const REMEMBERED = { failure: 200, misfit: 5_000, together: 200, apart: 200, flake: 200 } as const;

type Learning = Pick<QueueSnapshot, 'flow'>;

function chanceOf(name: keyof typeof PRIOR, queue: Learning): number {
  return chanceFrom(name, flowOf(queue).learned[name]);
}

function chanceFrom(name: keyof typeof PRIOR, { yes, no }: LearnedCounts): number {
  const prior = PRIOR[name];
  return (prior.yes + yes) / (prior.yes + prior.no + yes + no);
}

/** What a queue assumes by now, and from how many outcomes of its own, of which older ones count half. */
export interface LearnedFigure {
  readonly chance: number;
  readonly outcomes: number;
}

type ShownFigure = 'failure' | 'misfit' | 'flake';

/** The figures that verdicts in flow rest on, for people. */
export function figuresOf({ learned }: FlowState): { readonly [Name in ShownFigure]: LearnedFigure } {
  const figure = (name: ShownFigure): LearnedFigure => {
    const { yes, no } = learned[name];
    return { chance: chanceFrom(name, learned[name]), outcomes: Math.round(yes + no) };
  };
  return { failure: figure('failure'), misfit: figure('misfit'), flake: figure('flake') };
}

/** How likely a pull request fails its tests. */
export function failureChance(queue: Learning): number {
  return chanceOf('failure', queue);
}

/** How likely one that passed beside others does not fit to them. */
export function misfitChance(queue: QueueSnapshot): number {
  return chanceOf('misfit', queue);
}

/** How likely a test is red of whose tree nothing is wrong. */
export function flakeChance(queue: QueueSnapshot): number {
  return chanceOf('flake', queue);
}

export function countedOnce(name: keyof typeof PRIOR, counts: LearnedCounts, outcome: 'yes' | 'no'): LearnedCounts {
  return halvedAt(REMEMBERED[name], { ...counts, [outcome]: counts[outcome] + 1 });
}

/** The largest group that is as likely to pass as to fail, at least one. */
export function evenBet(queue: QueueSnapshot): number {
  return Math.max(1, Math.floor(Math.log(0.5) / Math.log(1 - failureChance(queue))));
}

/** As sure as this that a red test is no flake. */
const SURE = 0.99;

/** How many red tests of it alone a pull request fails for. */
export function redsNeeded(queue: QueueSnapshot): number {
  const flake = flakeChance(queue);
  return Math.max(1, Math.ceil(Math.log((1 - SURE) / SURE) / Math.log(flake) - 1e-9));
}

/** So many outcomes of its own weigh as much for an area as what the whole queue says of areas. */
const AREA_PRIOR = 20;
const AREAS_KEPT = 64;
const REMEMBERED_OF_AREA = 200;
/** Of so many that shared nothing it is known well enough how often one fails. */
const KNOWN_APART = 20;

/**
 * How likely one does not fit to others that share this area: how much more often those that shared it failed their tests than
 * those that shared none. Of an area that is not known, what all areas together say.
 */
export function areaRisk(queue: Learning, area: number): number {
  const { areas, learned } = flowOf(queue);
  const { apart, together } = learned;
  const failsApart = apart.yes + apart.no < KNOWN_APART ? failureChance(queue) : chanceOf('apart', queue);
  const ofAll = excessIn(together, failsApart, AREA_PRIOR, 1);
  const own = areas.find((other) => other.area === area);
  return own ? excessIn(own, failsApart, AREA_PRIOR, AREA_PRIOR * ofAll) : ofAll;
}

/** As `areaRisk`, for people. */
export function areaFigure(queue: Learning, area: number): LearnedFigure {
  const { areas, learned } = flowOf(queue);
  const { yes, no } = areas.find((other) => other.area === area) ?? learned.together;
  return { chance: areaRisk(queue, area), outcomes: Math.round(yes + no) };
}

/** Of every area that is remembered, the riskiest first. */
export function areaFigures(flow: FlowState): readonly (LearnedFigure & { readonly area: number })[] {
  const figures = flow.areas.map(({ area }) => ({ area, ...areaFigure({ flow }, area) }));
  return figures.sort((a, b) => b.chance - a.chance);
}

/** The share of failures beyond those to be expected; `more` of `weight` are assumed. */
function excessIn({ yes, no }: LearnedCounts, expected: number, weight: number, more: number): number {
  return (more + Math.max(0, yes - expected * (yes + no))) / (weight + yes + no);
}

/** The outcome of one that shared these areas. */
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
