import { parseArgs } from 'node:util';
import { ChangedProject, Compiler } from '../../mutation/project/changed-project';
import { readSources } from '../../mutation/project/sources';
import { type Bug, withBug } from '../days-find/bugs';
import { SEEDED_BUGS } from './bugs';
import { caseOf, KINDS, LADDER } from './cases';
import type { Explored } from './explore';

const HELP = `Plays a queue of a few pull requests with every event in every order, on the real engine.

  npm run test:exhaustive -- [options]

  --kind TEXT      only kinds of queues with this text in their name
  --entries N      only cases with so many pull requests
  --states N       states for each case at most (${LADDER[0]!.states.toLocaleString('en')} for the first)
  --bugs           put each seeded bug back and look for it, instead
  --help

In every state the queue must keep its promises. In a case that is played to its end, every state must also have a way to the end of
every pull request. States that differ only in ids and history count once. Ends with 1 if a promise is broken, a seeded bug is not found, or a run without options plays too few states.`;

const LEAST_STATES = 1_000_000;
const MOST_CPU_MINUTES = 15;
const COMPARE_EACH = 500;
const EXPLORE = 'test/simulation/exhaustive/explore.ts';

interface ExploreModule {
  readonly Exploration: new (...args: ConstructorParameters<typeof import('./explore').Exploration>) => {
    explore(): Explored;
  };
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

const compiler = new Compiler(readSources());

function load(bug: Bug | null): ExploreModule {
  const changed = bug && { file: bug.file, text: withBug(compiler.sources.get(bug.file) ?? '', bug) };
  return new ChangedProject(compiler, changed).load(EXPLORE).exports as ExploreModule;
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function playAll(): boolean {
  const { Exploration } = load(null);
  const kinds = KINDS.filter(({ name }) => name.includes(values.kind ?? ''));
  const steps = LADDER.filter(({ entries }) => values.entries === undefined || Number(values.entries) === entries);
  const sum = { states: 0, closed: 0, cases: 0, broken: 0 };
  console.log(
    '| Queue | Pull requests | Disturbances | States | All | CPU | Found |\n| --- | --- | --- | --- | --- | --- | --- |',
  );
  for (const step of steps) {
    for (const kind of kinds.filter(({ mode }) => step.modes.includes(mode))) {
      const { entries, disturbances } = step;
      console.error(`${kind.name}, ${entries} pull requests …`);
      const before = cpuSeconds();
      const bounds = { states: Number(values.states ?? step.states), compareEach: COMPARE_EACH };
      const { states, isClosed, problem } = new Exploration(caseOf(kind, entries, disturbances), bounds).explore();
      sum.states += states;
      sum.cases++;
      sum.closed += Number(isClosed);
      sum.broken += Number(problem !== null);
      const row = [kind.name, entries, disturbances.join(', ') || 'none', states, isClosed ? 'yes' : 'no'];
      console.log(
        `| ${row.join(' | ')} | ${(cpuSeconds() - before).toFixed(0)} s | ${problem?.split('\n', 1)[0] ?? 'nothing'} |`,
      );
      if (problem !== null) console.log(`\n${problem}\n`);
    }
  }
  const minutes = cpuSeconds() / 60;
  const isWhole = values.kind === undefined && values.entries === undefined && values.states === undefined;
  const isEnough = !isWhole || (sum.states >= LEAST_STATES && minutes <= MOST_CPU_MINUTES);
  console.log(
    `\n${sum.states.toLocaleString('en')} states (at least ${LEAST_STATES.toLocaleString('en')}) in ${minutes.toFixed(1)} minutes of CPU ` +
      `(at most ${MOST_CPU_MINUTES}), ${sum.closed} of ${sum.cases} cases to their end, broken promises: ${sum.broken}`,
  );
  return sum.broken === 0 && isEnough;
}

/** Each in the case that finds it, so that the search is short. */
function findBugs(): boolean {
  let found = 0;
  console.log('| Seeded bug | States | What is wrong |\n| --- | --- | --- |');
  for (const { bug, kind, entries, disturbances } of SEEDED_BUGS) {
    const { Exploration } = load(bug);
    const facts = caseOf(
      KINDS.find(({ name }) => name === kind)!,
      entries,
      disturbances,
    );
    const { states, problem } = new Exploration(facts, { states: 100_000, compareEach: Infinity }).explore();
    found += Number(problem !== null);
    console.log(`| ${bug.name} | ${states} | ${problem?.split('\n', 1)[0] ?? 'nothing'} |`);
  }
  console.log(`\n${found} of ${SEEDED_BUGS.length} seeded bugs found`);
  return found === SEEDED_BUGS.length;
}

function main(): void {
  if (values.help) return console.log(HELP);
  const isRight = values.bugs ? findBugs() : playAll() && findBugs();
  process.exitCode = isRight ? 0 : 1;
}

main();
