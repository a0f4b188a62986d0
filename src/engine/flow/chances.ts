import type { QueueSnapshot } from '../model';
import type { FlowState, LearnedCounts } from './state';
import { flowOf } from './standing';

/** What a new queue assumes, as counts of its own. Misfits are rare: a queue that expected more would take few along. */
const PRIOR = {
  failure: { yes: 1, no: 19 },
  misfit: { yes: 0.2, no: 40 },
  flake: { yes: 1, no: 99 },
} as const;

/** Older outcomes count half as much after so many. As many as ride together must be able to show that they fit. */
const REMEMBERED = { failure: 200, misfit: 5_000, flake: 200 } as const;

function chanceOf(name: keyof typeof PRIOR, queue: QueueSnapshot): number {
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

/** The figures that decisions in flow rest on, for people. */
export function figuresOf({ learned }: FlowState): { readonly [Name in keyof typeof PRIOR]: LearnedFigure } {
  const figure = (name: keyof typeof PRIOR): LearnedFigure => {
    const { yes, no } = learned[name];
    return { chance: chanceFrom(name, learned[name]), outcomes: Math.round(yes + no) };
  };
  return { failure: figure('failure'), misfit: figure('misfit'), flake: figure('flake') };
}

/** How likely a pull request fails its tests. */
export function failureChance(queue: QueueSnapshot): number {
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
  const next = { ...counts, [outcome]: counts[outcome] + 1 };
  return next.yes + next.no < REMEMBERED[name] ? next : { yes: next.yes / 2, no: next.no / 2 };
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
