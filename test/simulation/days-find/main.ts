import { parseArgs } from 'node:util';
import { ChangedProject, Compiler } from '../../mutation/project/changed-project';
import { readSources } from '../../mutation/project/sources';
import { type Bug, BUGS, withBug } from './bugs';

const DAYS = 'test/simulation/days/days.ts';

interface DaysModule {
  readonly dayOf: (seed: number) => { run(): { readonly problems: readonly string[] } };
}

interface Search {
  readonly name: string;
  /** The number of days until a day went wrong; null when no day went wrong. */
  readonly days: number | null;
  readonly problem: string;
  readonly seconds: number;
}

const HELP = `Puts old bugs back, one at a time, and plays random days until one goes wrong.

  npm run test:days-find -- [options]

  --bug TEXT   bugs with this text in their name (all)
  --days N     days for each bug (50)
  --seed N     the first day (1)
  --series N   how often the bugs that must be found from any day are looked for (20)

Ends with 1 where a bug is not found, or a day of the program as it is goes wrong.`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    days: { type: 'string' },
    bug: { type: 'string' },
    series: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});
const bugs = BUGS.filter(({ name }) => name.includes(values.bug ?? ''));
const seed = Number(values.seed ?? 1);
const most = Number(values.days ?? 50);
const series = Number(values.series ?? 20);
const compiler = new Compiler(readSources());

function search(name: string, bug: Bug | null, first = seed): Search {
  const began = performance.now();
  const changed = bug && { file: bug.file, text: withBug(compiler.sources.get(bug.file) ?? '', bug) };
  const { dayOf } = new ChangedProject(compiler, changed).load(DAYS).exports as DaysModule;
  const found = (days: number | null, problem: string): Search => {
    return { name, days, problem, seconds: (performance.now() - began) / 1_000 };
  };
  for (let day = 0; day < most; day++) {
    const problem = problemOf(() => dayOf(first + day).run().problems);
    if (problem !== null) return found(day + 1, problem.split('\n', 1)[0]!);
  }
  return found(null, '');
}

/**
 * The first problem of a day; null if there is none. An exception counts as a problem, so that the search continues
 * with the next bug.
 */
function problemOf(play: () => readonly string[]): string | null {
  try {
    return play()[0] ?? null;
  } catch (error) {
    return `threw ${error instanceof Error ? (error.stack ?? error.message).split('\n', 2).join('') : String(error)}`;
  }
}

function show({ name, days, problem, seconds }: Search): void {
  console.log(`| ${name} | ${days ?? 'no'} | ${problem.slice(0, 110)} | ${seconds.toFixed(0)} s |`);
}

/** Prints the minimum, median and maximum number of days after which the bug was found. */
function showSeries(name: string, all: readonly Search[]): void {
  const days = all.map((one) => one.days ?? Infinity).toSorted((a, b) => a - b);
  const shown = [days[0], days[Math.floor(days.length / 2)], days.at(-1)].map((one) => (one === Infinity ? 'no' : one));
  const seconds = all.reduce((sum, one) => sum + one.seconds, 0);
  const problem = all.find((one) => one.days !== null)?.problem ?? '';
  const spread = `${shown.join(' / ')} in ${all.length} series`;
  console.log(`| ${name} | ${spread} | ${problem.slice(0, 110)} | ${seconds.toFixed(0)} s |`);
}

/** Plays the correct program first. If one of its days goes wrong, the search proves nothing. */
function main(): void {
  console.log(`At most ${most} days from seed ${seed} for each program`);
  console.log('\n| Program | Day | What the day says | Time |\n| --- | --- | --- | --- |');
  const right = search('as it is', null);
  show(right);
  const searches = bugs.flatMap((bug) => {
    const all = Array.from({ length: bug.isSought ? series : 1 }, (_, index) =>
      search(bug.name, bug, seed + index * most),
    );
    if (all.length === 1) show(all[0]!);
    else showSeries(bug.name, all);
    return all;
  });
  const found = searches.flatMap(({ days }) => days ?? []);
  const isRight = right.days === null;
  console.log(
    `\n${found.length} of ${searches.length} searches found their bug, the last after ${Math.max(0, ...found)} of ${most} days; ` +
      (isRight
        ? 'nothing found in the program as it is'
        : `seed ${seed + right.days - 1} also blames the program as it is`),
  );
  process.exitCode = isRight && found.length === searches.length ? 0 : 1;
}

if (values.help) console.log(HELP);
else main();
