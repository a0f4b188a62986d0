import { printNote } from '../bench/results';
import { printTable } from '../bench/table';
import type { PlayedRun, Verdict } from './play-suite';

/**
 * The least share of runs in which Sluice must ignore the failures. A run counts only if its judge passes and no test
 * was cut off in it.
 */
const LEAST_IGNORED = 0.95;

export interface Figures {
  readonly runner: string;
  /** The reason why the runner was not played; null if it was played. */
  readonly missing: string | null;
  readonly suites: number;
  readonly runs: readonly PlayedRun[];
}

const HEAD = ['runner', 'suites', 'runs', 'wrongly ignored', 'may be ignored', 'ignored', 'cut off', 'no run before'];

export function printFigures(figures: readonly Figures[]): void {
  const rows = figures.map(({ runner, missing, suites, runs }) => {
    if (missing !== null) return [runner, 'missing'];
    const [may, held] = [mayBeIgnored(runs), count(runs, 'held')];
    const share = may === 0 ? '' : `${((100 * (may - held)) / may).toFixed(0)} %`;
    const numbers = [suites, runs.length, count(runs, 'wrong'), may].map(String);
    return [runner, ...numbers, share, String(count(runs, 'cut off')), String(count(runs, 'no run before'))];
  });
  printTable('Runs in which quarantined tests fail', HEAD, rows);
  const { wrong, may, ignored, missing, suites } = sumOf(figures);
  const lacks = missing === 0 ? '' : `; ${missing} runners are missing`;
  console.log('');
  printNote(
    `${suites} suites of ${figures.length - missing} runners: ${wrong} wrongly ignored, ${(100 * ignored).toFixed(1)} % of ${may} runs with ignorable failures ignored${lacks}`,
  );
}

export function hasReached(figures: readonly Figures[]): boolean {
  const { wrong, ignored, missing } = sumOf(figures);
  return wrong === 0 && missing === 0 && ignored >= LEAST_IGNORED;
}

function sumOf(figures: readonly Figures[]) {
  const runs = figures.flatMap((one) => one.runs);
  const may = mayBeIgnored(runs);
  return {
    wrong: count(runs, 'wrong'),
    may,
    ignored: may === 0 ? 0 : (may - count(runs, 'held')) / may,
    missing: figures.filter(({ missing }) => missing !== null).length,
    suites: figures.reduce((sum, { suites }) => sum + suites, 0),
  };
}

function count(runs: readonly PlayedRun[], wanted: Verdict): number {
  return runs.filter(({ verdict }) => verdict === wanted).length;
}

/**
 * The number of runs in which Sluice may ignore the failures: the judge passes, no test was cut off, and an earlier run
 * ended with 0.
 */
function mayBeIgnored(runs: readonly PlayedRun[]): number {
  return runs.filter(({ verdict, exits }) => verdict === 'held' || (verdict === 'right' && exits[1] === 0)).length;
}
