import { parseArgs } from 'node:util';
import { ChangedProject, Compiler } from '../../mutation/project/changed-project';
import { readSources } from '../../mutation/project/sources';
import { type Bug, withBug } from '../days-find/bugs';
import { SEEDED_BUGS } from './bugs';
import { caseOf, KINDS, LADDER } from './cases';
import { Exploration, type Explored } from './explore';

const LEAST_STATES = 1_000_000;
const MOST_CPU_MINUTES = 15;
/** Of keys. */
const COMPARE_EACH = 50;
const EXPLORE = 'test/simulation/exhaustive/explore.ts';

const HELP = `Plays a queue of a few pull requests with every event in every order, on the real engine.

  npm run test:exhaustive -- [options]

  --kind TEXT      only kinds of queues with this text in their name
  --entries N      only cases with so many pull requests
  --states N       so many states for each case at most
  --bugs           put each seeded bug back and look for it, instead
  --help

In every state the queue must keep its promises, and every state must have a way to the end of every pull request on which no further
test fails and nothing else goes wrong. States that differ only in ids and history count once; each ${COMPARE_EACH}th is compared by what follows with the
others that have its key.

Ends with 1 if a promise is broken, a seeded bug is not found, a case that has to be played to its end is not, or a run without options
plays fewer than ${LEAST_STATES.toLocaleString('en')} states or takes more than ${MOST_CPU_MINUTES} minutes of CPU.`;

interface ExploreModule {
  readonly Exploration: typeof Exploration;
}

const { values } = parseArgs({
  options: {
    kind: { type: 'string' },
    entries: { type: 'string' },
    states: { type: 'string' },
    bugs: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
});

function load(compiler: Compiler, bug: Bug): ExploreModule {
  const text = withBug(compiler.sources.get(bug.file) ?? '', bug);
  return new ChangedProject(compiler, { file: bug.file, text }).load(EXPLORE).exports as ExploreModule;
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

interface Row extends Explored {
  readonly mustEnd: boolean;
}

function playAll(): readonly Row[] {
  const rungs = LADDER.filter(({ entries }) => entries === Number(values.entries ?? entries));
  console.log('| Queue | Pull requests | What may go wrong beside tests | States | All | CPU | Wrong |');
  console.log('| --- | --- | --- | --- | --- | --- | --- |');
  return rungs.flatMap(({ entries, disturbances, states, mustEnd }) =>
    KINDS.filter(({ name }) => name.includes(values.kind ?? '')).map((kind) => {
      console.error(`${kind.name}, ${entries} pull requests …`);
      const before = cpuSeconds();
      const bounds = { states: Number(values.states ?? states), compareEach: COMPARE_EACH };
      const explored = new Exploration(caseOf(kind, entries, disturbances), bounds).explore();
      const { isClosed, problem } = explored;
      const cells = [kind.name, entries, disturbances.join(', '), explored.states.toLocaleString('en')];
      const result = [isClosed ? 'yes' : 'no', `${(cpuSeconds() - before).toFixed(0)} s`, firstLine(problem)];
      console.log(`| ${[...cells, ...result].join(' | ')} |`);
      if (problem !== null) console.log(`\n${problem}\n`);
      return { ...explored, mustEnd };
    }),
  );
}

function firstLine(problem: string | null): string {
  return problem?.split('\n', 1)[0] ?? 'nothing';
}

/** Each in the case that finds it, so that the search is short. */
function findBugs(): boolean {
  let found = 0;
  const compiler = new Compiler(readSources());
  console.log('\n| Seeded bug | States | What is wrong |\n| --- | --- | --- |');
  for (const { bug, kind, entries, disturbances } of SEEDED_BUGS) {
    const wrong = load(compiler, bug);
    const facts = caseOf(
      KINDS.find(({ name }) => name === kind)!,
      entries,
      disturbances,
    );
    const { states, problem } = new wrong.Exploration(facts, { states: 100_000, compareEach: Infinity }).explore();
    found += Number(problem !== null);
    console.log(`| ${bug.name} | ${states} | ${firstLine(problem)} |`);
  }
  console.log(`\n${found} of ${SEEDED_BUGS.length} seeded bugs found`);
  return found === SEEDED_BUGS.length;
}

function sum(rows: readonly Row[], figure: (row: Row) => number): number {
  return rows.reduce((total, row) => total + figure(row), 0);
}

function main(): void {
  if (values.help) return console.log(HELP);
  const rows = values.bugs ? [] : playAll();
  const areFound = findBugs();
  const isWhole = !values.bugs && [values.kind, values.entries, values.states].every((value) => value === undefined);
  const states = sum(rows, (row) => row.states);
  const minutes = cpuSeconds() / 60;
  const due = rows.filter(({ mustEnd }) => mustEnd);
  const closed = due.filter(({ isClosed }) => isClosed);
  const broken = rows.filter(({ problem }) => problem !== null);
  const isEnough = states >= LEAST_STATES && minutes <= MOST_CPU_MINUTES;
  const isRight = areFound && broken.length === 0 && closed.length === due.length && (isEnough || !isWhole);
  console.log(
    `${states.toLocaleString('en')} states (at least ${LEAST_STATES.toLocaleString('en')}) in ${minutes.toFixed(1)} minutes of CPU ` +
      `(at most ${MOST_CPU_MINUTES}), ${closed.length} of ${due.length} cases to their end that have to be, ` +
      `${sum(rows, ({ compared }) => compared).toLocaleString('en')} comparisons, broken promises: ${broken.length}`,
  );
  process.exitCode = isRight ? 0 : 1;
}

main();
