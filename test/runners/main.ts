import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { printMachine } from '../bench/machine';
import { writeResults } from '../bench/results';
import { withThrowAwayDatabase } from '../bench/throw-away-database';
import { Dice } from '../simulation/oracle/random';
import { readCommandLine, WRITES } from '../support/command-line';
import { type PlayedRun, playSuite } from './play-suite';
import { randomSuite } from './random-suite';
import { type Figures, hasReached, printFigures } from './report';
import type { TestRunner } from './runner';
import { RUNNERS } from './suites';
import { Workbench } from './workbench';

const SHOWN_EVERY = 10;

async function main(): Promise<void> {
  const { values } = readCommandLine({
    script: 'test:runners',
    does: 'Plays random suites with real test runners, and compares sluice upload --quarantine with the same suite whose quarantined tests pass. Installs what it can into ~/.cache/sluice-runners, or $SLUICE_RUNNERS_FOLDER. Ends with 1 if a failure was ignored that must not be, if fewer than 95 % of the ignorable failures were ignored, or if a runner is missing.',
    options: {
      runner: { takes: 'NAME', says: `only this one of ${RUNNERS.map(({ name }) => name).join(', ')}` },
      suites: { takes: 'N', default: '50', says: 'suites for each runner' },
      seed: { takes: 'N', default: '1', says: 'of the first suite; each further suite takes the next number' },
      install: { says: 'also install packages of Debian that are missing, as root' },
      first: { says: 'leave a runner at the first run that ended as it must not' },
      ...WRITES,
      show: { says: 'print the output of each run that ended as it must not' },
    },
  });
  const folder = process.env.SLUICE_RUNNERS_FOLDER ?? join(homedir(), '.cache', 'sluice-runners');
  mkdirSync(folder, { recursive: true });
  const wanted = values.runner?.toLowerCase();
  const chosen = RUNNERS.filter(({ name }) => wanted === undefined || name.toLowerCase() === wanted);
  if (chosen.length === 0) throw new Error(`There is no runner ${values.runner}.`);
  printMachine();
  const figures: Figures[] = [];
  const count = Number(values.suites);
  const options = { count, isShown: values.show, isFirst: values.first };
  await withThrowAwayDatabase(async ({ url, folder: data }) => {
    const bench = await Workbench.open(url, join(data, 'service'));
    try {
      for (const [at, runner] of chosen.entries()) {
        // With the same numbers for each runner, all runners would play the same few shapes of suites.
        const range = { first: Number(values.seed) + at * count, ...options };
        const missing = runner.install({ folder, mayUseApt: values.install });
        if (missing !== null) console.log(`${runner.name}: ${missing}`);
        const runs = missing === null ? await playRunner(bench, runner, folder, range) : [];
        figures.push({ runner: runner.name, missing, suites: missing === null ? count : 0, runs });
      }
    } finally {
      await bench.close();
    }
  });
  printFigures(figures);
  if (values.write) writeResults('runners', 'test:runners');
  if (!hasReached(figures)) process.exitCode = 1;
}

interface Range {
  readonly first: number;
  readonly count: number;
  readonly isShown: boolean;
  /** Whether to stop at the first wrong run. */
  readonly isFirst: boolean;
}

async function playRunner(
  bench: Workbench,
  runner: TestRunner,
  folder: string,
  { first, count, isShown, isFirst }: Range,
): Promise<readonly PlayedRun[]> {
  const all: PlayedRun[] = [];
  for (let seed = first; seed < first + count; seed++) {
    const name = `${runner.name.toLowerCase()}${seed}`;
    const suite = randomSuite(new Dice(seed), name, runner);
    const runs = await playSuite(bench, runner, suite, { name, folder });
    all.push(...runs);
    for (const { verdict, exits, because, printed } of runs.filter(isShort)) {
      console.log(`${runner.name}, seed ${seed}: ${verdict}, sluice ${exits[0]}, judge ${exits[1]}: ${because}`);
      if (isShown) console.log(printed);
    }
    if (isFirst && runs.some(isShort)) break;
    const played = seed - first + 1;
    if (played % SHOWN_EVERY === 0) console.log(`${runner.name}: ${played} of ${count} suites`);
  }
  return all;
}

function isShort({ verdict }: PlayedRun): boolean {
  return verdict === 'wrong' || verdict === 'held';
}

void main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
