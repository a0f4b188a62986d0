import { besideReference, mean, printTable } from '../table';
import { STORY_SLOTS, WHOLE_STORY } from './figures';
import { type Fault, faultsOf, isRedTree } from './fault';
import { halve } from './halving';
import { searchPrefixes } from './prefix-search';

interface Cost {
  readonly runs: number;
  readonly rounds: number;
}

/**
 * The cost until every entry is decided: bisect, remove the culprit, test the entries behind it as one batch, bisect
 * again. `prefix` says whether the passing entries before the culprit are tested again, or whether their test in the
 * bisection counts.
 */
export function decideAll(size: number, slots: number, fault: Fault, prefix: 'counts' | 'again'): Cost {
  const landed: number[] = [];
  let open = Array.from({ length: size }, (_, entry) => entry);
  let [runs, rounds] = [0, 0];
  for (;;) {
    const search = searchPrefixes(open.length, slots, (length) =>
      isRedTree(fault, [...landed, ...open.slice(0, length)]),
    );
    const culprit = search.culprit ?? open.length;
    const isAgain = prefix === 'again' && culprit > 0;
    landed.push(...open.slice(0, culprit));
    open = open.slice(culprit + 1);
    runs += search.runs + Number(isAgain);
    rounds += search.rounds;
    if (open.length === 0) return { runs, rounds: rounds + Number(isAgain) };
    runs += 1;
    rounds += 1;
    if (!isRedTree(fault, [...landed, ...open]) || open.length === 1) return { runs, rounds };
  }
}

function halveAll(size: number, fault: Fault): Cost {
  const all = Array.from({ length: size }, (_, entry) => entry);
  return halve(0, size, (from, to) => isRedTree(fault, all.slice(from, to)));
}

function meanCost(costs: readonly Cost[]): Cost {
  return { runs: mean(costs.map((cost) => cost.runs)), rounds: mean(costs.map((cost) => cost.rounds)) };
}

const show = ({ runs, rounds }: Cost): string => `${runs.toFixed(1)} / ${rounds.toFixed(1)}`;

/** The reference is a mean of 400 random batches, our figure a mean of all possible batches. */
const isWorse = (ours: number, reference: number): boolean => ours > reference * 1.03 + 0.15;

export function reportWholeStory(): readonly string[] {
  const worse: string[] = [];
  const rows = [...WHOLE_STORY].map(([label, figures]) => {
    const [size = 0, kind = ''] = label.split(' ').map((part, i) => (i === 0 ? Number(part) : part)) as [
      number,
      string,
    ];
    const faults = faultsOf(size, kind);
    const halving = meanCost(faults.map((fault) => halveAll(size, fault)));
    const ours = [
      ...STORY_SLOTS.map((slots) => meanCost(faults.map((fault) => decideAll(size, slots, fault, 'counts')))),
      meanCost(faults.map((fault) => decideAll(size, 3, fault, 'again'))),
    ];
    const cells = ours.map((cost, i) => {
      const reference = figures[i + 1]!;
      if (isWorse(cost.runs, reference.first) || isWorse(cost.rounds, reference.second))
        worse.push(`whole story, ${label}, column ${i + 1}: ${show(cost)}`);
      return besideReference(show(cost), show({ runs: reference.first, rounds: reference.second }));
    });
    return [label, show(halving), ...cells];
  });
  const head = ['n, culprits', 'halving', ...STORY_SLOTS.map((slots) => `${slots} slots`), '3 slots, prefix again'];
  printTable('Until every entry is decided: mean runs / mean rounds (reference where it differs)', head, rows);
  return worse;
}
