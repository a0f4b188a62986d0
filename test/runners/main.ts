import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { printTable } from '../bench/table';
import { withThrowAwayDatabase } from '../bench/throw-away-database';
import { Dice } from '../simulation/oracle/random';
import { readCommandLine } from '../support/command-line';
import { type PlayedSuite, playSuite } from './play-suite';
import { randomSuite } from './random-suite';
import type { TestRunner } from './runner';
import { RUNNERS } from './suites';
import { Workbench } from './workbench';

/** Of the suites whose judge passes, and in which nothing was cut off. */
const LEAST_IGNORED = 0.95;

interface Figures {
  readonly runner: string;
  /** Null: they were played. */
  readonly notHad: string | null;
  readonly played: readonly PlayedSuite[];
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    script: 'test:runners',
    does: 'Plays random suites with real test runners, and compares sluice upload --quarantine with the same suite whose quarantined tests pass. Ends with 1 if a failure was ignored that must not be, or if fewer than 95 % were ignored that may be.',
    options: {
      runner: { takes: 'NAME', says: `only this one of ${RUNNERS.map(({ name }) => name).join(', ')}` },
      suites: { takes: 'N', default: '50', says: 'suites for each runner' },
      seed: { takes: 'N', default: '1', says: 'of the first suite; the next ones follow' },
      show: { says: 'print the output of each run that ended as it must not' },
    },
  });
  const folder = process.env.SLUICE_RUNNERS_FOLDER ?? join(homedir(), '.cache', 'sluice-runners');
  mkdirSync(folder, { recursive: true });
  const chosen = RUNNERS.filter(({ name }) => values.runner === undefined || name === values.runner);
  if (chosen.length === 0) throw new Error(`There is no runner ${values.runner}.`);
  const figures: Figures[] = [];
  const range = { first: Number(values.seed), count: Number(values.suites) };
  await withThrowAwayDatabase(async ({ url, folder: data }) => {
    const bench = await Workbench.open(url, join(data, 'service'));
    try {
      for (const runner of chosen) figures.push(await playRunner(bench, runner, folder, range, values.show));
    } finally {
      await bench.close();
    }
  });
  report(figures);
}

async function playRunner(
  bench: Workbench,
  runner: TestRunner,
  folder: string,
  { first, count }: { readonly first: number; readonly count: number },
  show: boolean,
): Promise<Figures> {
  console.log(`${runner.name}: installing it into ${folder} where it is not there`);
  const notHad = runner.install(folder);
  if (notHad !== null) return { runner: runner.name, notHad, played: [] };
  const played: PlayedSuite[] = [];
  for (let seed = first; seed < first + count; seed++) {
    const suite = randomSuite(new Dice(seed));
    const one = await playSuite(bench, runner, suite, { name: `${runner.name}-${seed}`, folder });
    played.push(one);
    const isAsExpected = one.verdict === 'right' || one.verdict === 'cut off' || one.verdict === 'no run before';
    if (!isAsExpected)
      console.log(`${runner.name}, seed ${seed}: ${one.verdict}, sluice ${one.exits[0]}, judge ${one.exits[1]}`);
    if (!isAsExpected && show) console.log(one.printed);
    if (played.length % 10 === 0) console.log(`${runner.name}: ${played.length} of ${count} suites`);
  }
  return { runner: runner.name, notHad: null, played };
}

function report(figures: readonly Figures[]): void {
  const count = (played: readonly PlayedSuite[], ...verdicts: readonly string[]): number =>
    played.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const rows = figures.map(({ runner, notHad, played }) => {
    if (notHad !== null) return [runner, `not to be had: ${notHad}`, '', '', '', ''];
    const may = mayBeIgnored(played);
    const share = may === 0 ? '' : `${Math.round((100 * (may - count(played, 'held'))) / may)} %`;
    const cells = [played.length, count(played, 'wrong'), may, share, count(played, 'cut off')];
    return [runner, ...cells.map(String)];
  });
  printTable(
    'Runs with quarantined tests',
    ['runner', 'suites', 'wrongly ignored', 'may be ignored', 'ignored', 'cut off'],
    rows,
  );
  const all = figures.flatMap(({ played }) => played);
  const [wrong, held, may] = [count(all, 'wrong'), count(all, 'held'), mayBeIgnored(all)];
  const ignored = may === 0 ? 0 : (may - held) / may;
  const runners = figures.filter(({ notHad }) => notHad === null).length;
  console.log(
    `\n${all.length} suites of ${runners} of ${figures.length} runners: ${wrong} wrongly ignored, ${(100 * ignored).toFixed(1)} % of ${may} ignored that may be`,
  );
  if (wrong > 0 || ignored < LEAST_IGNORED || runners === 0) process.exitCode = 1;
}

/** The judge passes, nothing was cut off, and a run ended with 0 before. */
function mayBeIgnored(played: readonly PlayedSuite[]): number {
  return played.filter(({ verdict, judgePasses }) => judgePasses && (verdict === 'right' || verdict === 'held')).length;
}

void main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
