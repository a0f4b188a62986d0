import { percent, percentile, printTable } from '../table';
import { makeHistory, type Scenario } from './history';
import { OurRules } from './our-rules';
import { type KindScore, newScore, type Score, scoreHistory } from './score';

/** Number of seeds. None of these seeds was used while the rules were developed. */
const SEEDS = 20;
const LEAST_RECALL = 0.9;
const COMMON = { steps: 90, reruns: true, tests: 'main', shards: 1, packages: ['api', 'web'] } as const;
const NODE = ['CI / test (node 18)', 'CI / test (node 22)'];

export const SCENARIOS: readonly (Scenario & { readonly isNamed: boolean })[] = [
  {
    name: 'jobs and packages have different names',
    ...{ ...COMMON, jobs: NODE, namesPackages: true, cancelled: 0.3, bails: NODE[1], isNamed: true },
  },
  {
    name: 'a matrix of one name, two packages in each job',
    ...{ ...COMMON, jobs: NODE, oneName: 'CI / test', cancelled: 0.3, bails: NODE[1], isNamed: false },
  },
  {
    name: 'a matrix of one name that says its conditions, and cancels always',
    ...{ ...COMMON, jobs: NODE, oneName: 'CI / test', saysConditions: true, bails: NODE[1], isNamed: false },
  },
];

export interface ConditionsResult {
  /** The number of tests that were called flaky although they failed for a reason. */
  readonly wrong: number;
  readonly called: number;
  /** The share of flaky tests that were found, over all seeds of scenarios with named jobs. */
  readonly recall: number;
  readonly misses: readonly string[];
}

/** Counts false flaky verdicts when matrix jobs, packages, re-runs of failures and early exits come together. */
export function measureConditions(firstSeed: number): ConditionsResult {
  const rows: string[][] = [];
  const total = { wrong: 0, called: 0, found: 0, flaky: 0 };
  for (const { isNamed, ...scenario } of SCENARIOS) {
    const seeds = Array.from({ length: SEEDS }, (_, index) => scoreOf(scenario, firstSeed + index));
    const recalls = seeds.map((score) => foundOf(score) / failedTwiceOf(score)).sort((a, b) => a - b);
    const called = sum(seeds, ({ flaky }) => flaky);
    const wrong = seeds.map(({ flaky, trulyFlaky }) => flaky - trulyFlaky);
    const [found, flaky] = [sum(seeds, foundOf), sum(seeds, failedTwiceOf)];
    total.called += called;
    total.wrong += sum(wrong, (one) => one);
    if (isNamed) {
      total.found += found;
      total.flaky += flaky;
    }
    const spread = [recalls[0]!, percentile(recalls, 0.5), recalls.at(-1)!].map((recall) => percent(recall));
    rows.push([
      ...[scenario.name, `${called}`, `${sum(wrong, (one) => one)}`, `${Math.max(...wrong)}`],
      ...[`${percent(found / flaky)} of ${flaky}`, spread.join(' / ')],
    ]);
  }
  const head = ['jobs', 'called flaky', 'wrong', 'most in a seed', 'recall', 'least / median / most of a seed'];
  printTable(`matrices, packages, re-run jobs and bail: ${SEEDS} seeds from ${firstSeed} on`, head, rows);
  const recall = total.found / total.flaky;
  const misses = [
    ...(total.wrong > 0 ? [`${total.wrong} tests that fail for a reason are called flaky`] : []),
    ...(recall < LEAST_RECALL ? [`flaky recall where jobs are named is below ${percent(LEAST_RECALL)}`] : []),
  ];
  return { wrong: total.wrong, called: total.called, recall, misses };
}

function scoreOf(scenario: Scenario, seed: number): Score {
  const history = makeHistory(scenario, seed);
  const score = newScore();
  scoreHistory(score, history, new OurRules(history.truths.length));
  return score;
}

function foundOf({ byKind }: Score): number {
  return sum([...byKind.values()], (kind: KindScore) => kind.flakyOfThose);
}

function failedTwiceOf({ byKind }: Score): number {
  return sum([...byKind.values()], (kind: KindScore) => kind.failedTwice);
}

function sum<T>(all: readonly T[], pick: (one: T) => number): number {
  return all.reduce((so, one) => so + pick(one), 0);
}
