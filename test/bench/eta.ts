import { readCommandLine, WRITES } from '../support/command-line';
import type { Scheduling } from '../../src/engine/vocabulary';
import type { Calibration, ForecastQueue, Score } from './eta/calibration';
import { printMachine } from './machine';
import { printNote, writeResults } from './results';
import { printTable } from './table';
import { inWorkers } from './workers';
import { join } from 'node:path';

interface Row {
  readonly name: string;
  readonly scheduling: Scheduling;
  readonly queue: Pick<ForecastQueue, 'arriving' | 'badShare' | 'later'>;
  /** Bounds of the share of actual times that lie inside the 90 % interval. */
  readonly goal: { readonly least: number; readonly most: number };
}

const OPEN = { least: 0.88, most: 0.92 };
const RAMP = { least: 0.85, most: 0.95 };

const ROWS: readonly Row[] = [
  { name: '8 arriving, 1 % bad', scheduling: 'flow', queue: { arriving: 8, badShare: 0.01 }, goal: OPEN },
  { name: '11 arriving, 5 % bad', scheduling: 'flow', queue: { arriving: 11, badShare: 0.05 }, goal: OPEN },
  {
    name: '6 arriving, 1 % bad, 10 % from 200 on',
    scheduling: 'flow',
    queue: { arriving: 6, badShare: 0.01, later: { from: 200, badShare: 0.1 } },
    goal: OPEN,
  },
  { name: 'never empty, 5 % bad', scheduling: 'flow', queue: { arriving: null, badShare: 0.05 }, goal: RAMP },
  { name: '8 arriving, 1 % bad', scheduling: 'in_order', queue: { arriving: 8, badShare: 0.01 }, goal: OPEN },
  { name: '4 arriving, 5 % bad', scheduling: 'in_order', queue: { arriving: 4, badShare: 0.05 }, goal: OPEN },
  { name: 'never empty, 5 % bad', scheduling: 'in_order', queue: { arriving: null, badShare: 0.05 }, goal: RAMP },
];

/** Prints how often the actual time was inside the forecast interval, by situation. */
async function main(): Promise<void> {
  const { values } = readCommandLine({
    script: 'bench:eta',
    does: 'Compares forecasts with what happened. Ends with 1 if a goal is missed.',
    options: {
      ...WRITES,
      seed: { takes: 'N', default: '1', says: 'the first seed' },
      concluded: { takes: 'N', default: '4000', says: 'pull requests for each row' },
    },
  });
  printMachine();
  const jobs = ROWS.map(({ scheduling, queue }): ForecastQueue => {
    const isFlow = scheduling === 'flow';
    const settings = { scheduling, concurrency: 4, bisectionConcurrency: 4, batch: true, batchingMinSize: 8 };
    return {
      ...queue,
      settings: { ...settings, canOptimisticallyMerge: isFlow, optimizationMode: 'bisection_skip_redundant_tests' },
      seed: Number(values.seed),
      concluded: Number(values.concluded),
    };
  });
  const done = await inWorkers<ForecastQueue, Calibration>(join(__dirname, 'eta/worker.ts'), jobs);
  const missed: string[] = [];
  for (const [i, { name, scheduling, goal }] of ROWS.entries()) {
    const { scores, unknown } = done[i]!;
    const all = Object.values(scores).reduce(sum);
    const title = `${scheduling === 'flow' ? 'Flow' : 'In order'}: ${name} (${unknown} without a forecast)`;
    const rows = [['all', all] as const, ...Object.entries(scores)].map(([word, score]) => rowOf(word, score));
    printTable(title, ['situation', 'forecasts', 'inside 5 to 95 %', 'before P90', 'before P50', 'mean width'], rows);
    const inside = all.inside / all.forecasts;
    if (inside < goal.least || inside > goal.most)
      missed.push(`${title}: ${percent(inside)} inside, goal ${percent(goal.least)} to ${percent(goal.most)}`);
  }
  for (const sentence of missed) printNote(`missed: ${sentence}`);
  printNote(`\n${missed.length} of ${ROWS.length} goals missed`);
  if (values.write) writeResults('eta');
  if (missed.length > 0) process.exitCode = 1;
}

function sum(a: Score, b: Score): Score {
  return {
    forecasts: a.forecasts + b.forecasts,
    inside: a.inside + b.inside,
    beforeP90: a.beforeP90 + b.beforeP90,
    beforeP50: a.beforeP50 + b.beforeP50,
    width: a.width + b.width,
  };
}

function rowOf(word: string, { forecasts, inside, beforeP90, beforeP50, width }: Score): string[] {
  const share = (count: number): string => percent(count / forecasts);
  return [word, String(forecasts), share(inside), share(beforeP90), share(beforeP50), (width / forecasts).toFixed(1)];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

void main();
