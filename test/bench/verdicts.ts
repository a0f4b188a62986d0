import { readCommandLine, WRITES } from '../support/command-line';
import { printNote, writeResults } from './results';
import { percent, percentile, printTable } from './table';
import { measureAttack } from './verdicts/attack';
import { type ConditionsResult, measureConditions } from './verdicts/conditions';
import { makeHistory, type Scenario } from './verdicts/history';
import type { Judge } from './verdicts/judge';
import { otherProducts } from './verdicts/other-products';
import { OurRules } from './verdicts/our-rules';
import { type KindScore, newScore, type Score, scoreHistory } from './verdicts/score';
import { KINDS } from './verdicts/truth';

/** The rules were developed with seeds below this number. */
const FIRST_SEED = 2_100;
/** The rules for conditions were developed with seeds below this number. */
const FIRST_OF_CONDITIONS = 301;
const LEAST = {
  flakyPrecision: 0.99,
  brokenPrecision: 0.99,
  brokenRecall: 0.99,
  recallOnce: 0.95,
  recallWithReruns: 0.95,
};
const NAMES: Record<keyof typeof LEAST, string> = {
  flakyPrecision: 'flaky precision',
  brokenPrecision: 'broken precision',
  brokenRecall: 'broken recall, within 3 runs of main or 8 for flaky tests',
  recallOnce: 'flaky recall without re-runs',
  recallWithReruns: 'flaky recall with re-runs',
};

const JOBS = ['CI / test (windows)', 'CI / test (linux)'];
const ONE_NAME = {
  steps: 300,
  reruns: true,
  tests: 'main',
  shards: 1,
  jobs: JOBS,
  oneName: 'CI / test',
  seeds: 2,
} as const;
/**
 * `isLimit` is set if uploads cannot show the truth in this scenario. The scenario is shown, but counts for no goal.
 */
const SCENARIOS: readonly (Scenario & { readonly seeds: number; readonly isLimit?: true })[] = [
  { name: 'main, without re-runs', steps: 300, reruns: false, tests: 'main', shards: 1, seeds: 2 },
  { name: 'main, with re-runs', steps: 300, reruns: true, tests: 'main', shards: 1, seeds: 1 },
  { name: 'main in 40 shards, with re-runs', steps: 300, reruns: true, tests: 'main', shards: 40, seeds: 1 },
  { name: 'main in two jobs, with re-runs', steps: 300, reruns: true, tests: 'main', shards: 1, jobs: JOBS, seeds: 1 },
  { name: 'main in two jobs of one name, with re-runs of failed jobs', ...ONE_NAME, saysConditions: true },
  { name: 'a limit: the same, without conditions in uploads', ...ONE_NAME, isLimit: true },
  {
    name: 'main in two jobs, without re-runs',
    steps: 300,
    reruns: false,
    tests: 'main',
    shards: 1,
    jobs: JOBS,
    seeds: 1,
  },
  { name: 'queue and main, without re-runs', steps: 300, reruns: false, tests: 'queue and main', shards: 1, seeds: 1 },
  { name: 'queue alone, without re-runs', steps: 300, reruns: false, tests: 'queue', shards: 1, seeds: 1 },
  { name: 'main of 60 runs, without re-runs', steps: 60, reruns: false, tests: 'main', shards: 1, seeds: 2 },
];

/**
 * Measures how accurate our verdicts are about tests whose truth is known, and the verdicts by documented rules of
 * other products.
 */
function main(): void {
  const { values } = readCommandLine({
    script: 'bench:verdicts',
    does: 'Counts right and wrong verdicts on tests of which the truth is known. Ends with 1 if a goal is missed.',
    options: {
      ...WRITES,
      seed: { takes: 'N', default: `${FIRST_SEED}`, says: 'the first seed' },
      'conditions-seed': {
        takes: 'N',
        default: `${FIRST_OF_CONDITIONS}`,
        says: 'the first seed of matrices, packages, re-run jobs and bail',
      },
      conditions: { says: 'only those' },
    },
  });
  const conditions = measureConditions(Number(values['conditions-seed']));
  if (values.conditions) return end([...conditions.misses], sayConditions(conditions));
  const seed = Number(values.seed);
  printNote(`seeds from ${seed} on; those below ${FIRST_SEED} were looked at while the rules were made`);
  for (const { name, assumed } of otherProducts(0)) printNote(`${name}: ${assumed}`);
  const goals: Goals = {
    flakyPrecision: NONE,
    brokenPrecision: NONE,
    brokenRecall: NONE,
    recallOnce: NONE,
    recallWithReruns: NONE,
  };
  let outOfOutage = 0;
  for (const scenario of SCENARIOS) {
    const score = measure(scenario, seed);
    if (scenario.isLimit !== true) addToGoals(goals, scenario, score);
    outOfOutage += score.outOfOutage;
  }
  const attack = measureAttack(seed);
  const misses = [...missesOf(goals), ...conditions.misses];
  if (outOfOutage > 0) misses.push(`${outOfOutage} verdicts out of outages`);
  if (attack.changed > 0) misses.push(`pull requests changed ${attack.changed} statuses for others`);
  printNote(
    `A pull request that uploads false results for every commit changed the status of ${attack.changed} of ${attack.tests} tests of other pull requests`,
  );
  for (const [goal, { part, whole }] of Object.entries(goals))
    printNote(`${NAMES[goal as keyof Goals]}: ${share(part, whole)}`);
  for (const miss of misses) printNote(`missed: ${miss}`);
  if (values.write) writeResults('verdicts');
  const figure = ({ part, whole }: Share) => percent(part / whole);
  const { flakyPrecision, recallOnce, brokenPrecision, brokenRecall } = goals;
  const flaky = `flaky precision ${figure(flakyPrecision)}, recall ${figure(recallOnce)}`;
  const broken = `broken precision ${figure(brokenPrecision)}, recall ${figure(brokenRecall)}`;
  end(misses, `${flaky}; ${broken}; ${sayConditions(conditions)}`);
}

function sayConditions({ wrong, called, recall }: ConditionsResult): string {
  return `several conditions: ${wrong} of ${called} called flaky wrongly, recall ${percent(recall)} where jobs are named`;
}

function end(misses: readonly string[], figures: string): void {
  console.log(`${figures}; ${misses.length} goals missed`);
  if (misses.length > 0) process.exitCode = 1;
}

interface Share {
  readonly part: number;
  readonly whole: number;
}
type Goals = Record<keyof typeof LEAST, Share>;
const NONE: Share = { part: 0, whole: 0 };

function measure(scenario: (typeof SCENARIOS)[number], seed: number): Score {
  const scores = new Map<string, Score>();
  for (let own = seed; own < seed + scenario.seeds; own++) {
    const history = makeHistory(scenario, own);
    const judges: Judge[] = [new OurRules(history.truths.length), ...otherProducts(history.truths.length)];
    for (const judge of judges) {
      const score = scores.get(judge.name) ?? newScore();
      scores.set(judge.name, score);
      scoreHistory(score, history, judge);
    }
  }
  report(scenario, scores);
  return [...scores.values()][0]!;
}

/** Figures are summed over all scenarios of a goal, because a single scenario has few wrongly classified tests. */
function addToGoals(goals: Goals, { steps, tests, reruns, oneName }: Scenario, score: Score): void {
  const add = (goal: keyof Goals, part: number, whole: number) => {
    goals[goal] = { part: goals[goal].part + part, whole: goals[goal].whole + whole };
  };
  add('flakyPrecision', score.trulyFlaky, score.flaky);
  add('brokenPrecision', score.trulyBroken, score.broken);
  const found = sumOf(score, (kind) => kind.flakyOfThose);
  // Scenarios whose jobs share a name do not count, because failures of one job look random.
  if (steps >= 300 && oneName === undefined)
    add(
      reruns ? 'recallWithReruns' : 'recallOnce',
      found,
      sumOf(score, (kind) => kind.failedTwice),
    );
  // The goal is about runs of main only.
  if (tests !== 'queue')
    add(
      'brokenRecall',
      sumOf(score, (kind) => kind.breaksInTime),
      sumOf(score, (kind) => kind.breaks),
    );
}

function missesOf(goals: Goals): string[] {
  return Object.entries(LEAST)
    .map(([goal, least]) => ({ goal: goal as keyof Goals, least }))
    .filter(({ goal, least }) => goals[goal].part < least * goals[goal].whole)
    .map(({ goal, least }) => `${NAMES[goal]} is below ${percent(least)}`);
}

function report(scenario: Scenario, scores: ReadonlyMap<string, Score>): void {
  printTable(
    scenario.name,
    ['rules', 'flaky precision', 'recall', 'broken precision', 'recall in time', 'out of outages'],
    [...scores].map(([name, score]) => [
      name,
      share(score.trulyFlaky, score.flaky),
      share(
        sumOf(score, (kind) => kind.flakyOfThose),
        sumOf(score, (kind) => kind.failedTwice),
      ),
      share(score.trulyBroken, score.broken),
      share(
        sumOf(score, (kind) => kind.breaksInTime),
        sumOf(score, (kind) => kind.breaks),
      ),
      `${score.outOfOutage}`,
    ]),
  );
  const ours = [...scores.values()][0]!;
  printTable(
    `${scenario.name}: ours by kind; delays in runs, median and P90`,
    ['kind', 'tests', 'called flaky', 'called broken', 'failed twice', 'found', 'after', 'breaks', 'in time', 'after'],
    KINDS.filter((kind) => ours.byKind.has(kind)).map((kind) => {
      const one = ours.byKind.get(kind)!;
      const numbers = [one.tests, one.flaky, one.broken, one.failedTwice, one.flakyOfThose].map(String);
      const breaks = [one.breaks, one.breaksInTime].map(String);
      return [kind, ...numbers, delays(one.flakyDelays), ...breaks, delays(one.brokenDelays)];
    }),
  );
}

function sumOf(score: Score, pick: (kind: KindScore) => number): number {
  return [...score.byKind.values()].reduce((sum, kind) => sum + pick(kind), 0);
}

function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${percent(part / whole)} of ${whole}`;
}

function delays(all: readonly number[]): string {
  return all.length === 0 ? '–' : `${percentile(all, 0.5)} / ${percentile(all, 0.9)}`;
}

main();
