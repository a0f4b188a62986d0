import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { readCommandLine } from '../../support/command-line';
import { DEFAULT_SETTINGS } from '../../support/engine-snapshots';
import { Dice } from '../oracle/random';
import { addSummary, countsInOrder, dayOf, emptySummary, modeOf, type Summary } from './days';
import { DAY_MODES, type DayMode } from './draw-mode';
import { drawPlan } from './draw-plan';
import { surprises } from './expected';
import { describe, shrink } from './shrink';

/** Days that a worker plays before each report. */
const PORTION = 10;
const ALL_DAYS = 2_000;
/** In this many days every reason occurs at least once. In fewer days this depends on chance. */
const ENOUGH_DAYS = ALL_DAYS;
const KINDS_EXPLAINED = 4;

const { values } = readCommandLine({
  script: 'test:sim',
  does: 'Plays random days of a queue on the real engine. Ends with 1 if a day is wrong.',
  options: {
    seed: { takes: 'N', says: 'the first day' },
    days: { takes: 'N', says: `days to play (${ALL_DAYS})` },
    jobs: { takes: 'N', says: 'processes' },
    mode: { takes: 'MODE', says: `only days of this mode: ${DAY_MODES.join(', ')}` },
  },
});
const seed = Number(values.seed ?? 1);
const days = Number(values.days ?? ALL_DAYS);
const onlyMode = wantedMode();
const jobs = Number(values.jobs ?? availableParallelism());

/** With `--mode flow`, all days have flow scheduling. Without the option, the modes take turns. */
function wantedMode(): DayMode | null {
  if (values.mode === undefined) return null;
  const mode = DAY_MODES.find((name) => name === values.mode);
  if (mode === undefined) throw new Error(`--mode is ${values.mode}: it must be one of ${DAY_MODES.join(', ')}`);
  return mode;
}

function playedMode(day: number): DayMode {
  return onlyMode ?? modeOf(day);
}

async function play(): Promise<Summary> {
  const sum = emptySummary();
  const left = Array.from({ length: days }, (_, i) => seed + i);
  const workers = Array.from({ length: Math.min(jobs, Math.ceil(days / PORTION)) }, () =>
    fork(join(__dirname, 'worker.ts')),
  );
  const began = performance.now();
  await Promise.all(workers.map((worker) => employ(worker, left, sum, began)));
  return sum;
}

function employ(worker: ChildProcess, left: number[], sum: Summary, began: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (): void => {
      const portion = left.splice(0, PORTION);
      if (portion.length > 0) worker.send(portion.map((day) => [day, playedMode(day)]));
      else worker.disconnect();
    };
    worker.on('message', (summary: Summary) => {
      addSummary(sum, summary);
      if (Math.floor(sum.days / 200) > Math.floor((sum.days - summary.days) / 200)) progress(sum, began);
      next();
    });
    worker.on('exit', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`a worker ended with ${signal ?? code}`)),
    );
    next();
  });
}

function progress(sum: Summary, began: number): void {
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`${sum.days} of ${days} days after ${seconds} s, ${sum.failed.length} with a violation`);
}

function report(sum: Summary): void {
  const { tally } = sum;
  console.log(`\nsteps: ${countsInOrder(tally.steps).join(', ')}`);
  console.log(`reasons: ${countsInOrder(tally.reasons).join(', ')}`);
  console.log(`ends of searches: ${countsInOrder(tally.searchEnds).join(', ')}`);
  console.log(`ends of runs: ${countsInOrder(tally.runEnds).join(', ')}`);
  console.log(`ends of landings: ${countsInOrder(tally.landings).join(', ')}`);
  console.log(`refusals: ${countsInOrder(tally.refusals).join(', ')}`);
  console.log(`others: ${countsInOrder(tally.others).join(', ')}`);
  console.log(`deeds: ${countsInOrder(tally.deeds).join(', ')}`);
  console.log(`mishaps: ${countsInOrder(tally.mishaps).join(', ')}`);
  console.log(
    `${sum.submissions} submissions, ${sum.runs} runs; a day has ${sum.fewestEvents} events and ` +
      `${sum.fewestSubmissions} submissions at least; undisturbed, n entries took ${sum.dearestCalm.toFixed(2)} n² runs at most`,
  );
}

/** Prints the first day of each kind of problem, made as small as possible. */
function explainFailures({ failed }: Summary): void {
  const kinds = new Map<string, number[]>();
  for (const { seed, kind } of failed.toSorted((a, b) => a.seed - b.seed))
    kinds.set(kind, [...(kinds.get(kind) ?? []), seed]);
  for (const [kind, seeds] of kinds) console.log(`\n${seeds.length} × ${kind}: seeds ${seeds.join(', ')}`);
  for (const [first = 0] of [...kinds.values()].slice(0, KINDS_EXPLAINED)) {
    const plan = drawPlan(first, new Dice(first), playedMode(first));
    console.log(`\n${describe(shrink(plan, dayOf(first, playedMode(first)).run(), DEFAULT_SETTINGS))}`);
  }
}

async function main(): Promise<void> {
  console.log(`${days} simulated days from seed ${seed}, ${onlyMode ?? 'each mode in turn'}, ${jobs} at once`);
  const sum = await play();
  report(sum);
  const missing = days >= ENOUGH_DAYS && onlyMode === null ? surprises(sum.tally) : [];
  for (const surprise of missing) console.log(surprise);
  explainFailures(sum);
  console.log(`${sum.days} days, ${sum.events} events, ${sum.landed} landed, ${sum.failed.length} violations`);
  process.exitCode = sum.failed.length + missing.length > 0 ? 1 : 0;
}

void main();
