import { besideReference, mean, printTable } from '../table';
import { type Figures, ONE_CULPRIT, ONE_CULPRIT_WHOLE_LAST, SLOTS } from './figures';
import { halve } from './halving';
import { type SearchCost, searchPrefixes, searchWholeFirst } from './prefix-search';

interface Cost {
  readonly runs: number;
  readonly rounds: number;
}

/** Mean runs and most rounds, over every position of the culprit. */
function costOf(size: number, search: (culprit: number) => Cost): Cost {
  const costs = Array.from({ length: size }, (_, culprit) => search(culprit));
  return { runs: mean(costs.map((cost) => cost.runs)), rounds: Math.max(...costs.map((cost) => cost.rounds)) };
}

function searched(size: number, slots: number, search: typeof searchPrefixes): Cost {
  return costOf(size, (culprit): SearchCost => {
    const cost = search(size, slots, (length) => length > culprit);
    if (cost.culprit === culprit) return cost;
    throw new Error(`of ${size} entries the search blames ${cost.culprit} for ${culprit}`);
  });
}

function halved(size: number): Cost {
  return costOf(size, (culprit) => halve(0, size, (from, to) => culprit >= from && culprit < to));
}

const show = ({ runs, rounds }: Cost): string => `${runs.toFixed(1)} / ${rounds}`;

/** The tolerance for a mean number of runs. Runs and rounds are counted, not measured, so only rounding may differ. */
const ROUNDING = 0.051;

/** Returns one sentence for each figure that is worse than the reference. */
export function reportSearchCost(): readonly string[] {
  return [
    ...compare('one culprit, optimizationMode bisection_skip_redundant_tests', ONE_CULPRIT, searchPrefixes, 0),
    ...compare('one culprit, optimizationMode off', ONE_CULPRIT_WHOLE_LAST, searchWholeFirst, 1),
  ];
}

/** `extra`: the number of runs and rounds by which our figures may exceed `ONE_CULPRIT`. */
function compare(title: string, shown: Figures, search: typeof searchPrefixes, extra: number): readonly string[] {
  const worse: string[] = [];
  const rows = [...shown].map(([label, figures]) => {
    const size = Number(label);
    const cells = SLOTS.map((slots, i) => {
      const ours = searched(size, slots, search);
      const limit = ONE_CULPRIT.get(label)![i + 1]!;
      if (ours.runs > limit.first + extra + ROUNDING || ours.rounds > limit.second + extra)
        worse.push(`${title}, ${size} entries, ${slots} slots: ${show(ours)}`);
      return besideReference(show(ours), show({ runs: figures[i + 1]!.first, rounds: figures[i + 1]!.second }));
    });
    return [label, show(halved(size)), ...cells];
  });
  const head = ['n', 'halving', ...SLOTS.map((slots) => `${slots} slots`)];
  printTable(`Search cost: ${title}: mean runs / worst rounds (reference where it differs)`, head, rows);
  return worse;
}
