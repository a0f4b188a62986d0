import { printMachine } from '../../bench/machine';
import { printNote, writeResults } from '../../bench/results';
import { printTable } from '../../bench/table';
import { ChangedProject, Compiler } from '../../mutation/project/changed-project';
import { readSources } from '../../mutation/project/sources';
import { readCommandLine, WRITES } from '../../support/command-line';
import { type Bug, withBug } from '../days-find/bugs';
import { RULES_LEFT_OUT, SEEDED_BUGS, type SeededBug } from './bugs';
import { caseOf, KINDS, LADDER, type Rung } from './cases';
import { Exploration, type Explored } from './explore';

const LEAST_STATES = 1_000_000;
const MOST_CPU_MINUTES = 15;
/** One of this many keys is compared. */
const COMPARE_EACH = 50;
/** If a rule is left out, every key is compared. */
const COMPARE_OFTEN = 1;
const EXPLORE = 'test/simulation/exhaustive/explore.ts';

const { values } = readCommandLine({
  script: 'test:exhaustive',
  does: `Plays a queue of a few pull requests with every event in every order, on the real engine.

In every state the queue must keep its promises, and every state must have a way to the end of every pull request on which no further
test fails and nothing else goes wrong. States that differ only in ids and history count once; each ${COMPARE_EACH}th is compared by what follows with the
others that have its key.

Ends with 1 if a promise is broken, a bug that is put back or a rule that is left out is not found, a case that has to be played to its end is not, or a run without options
plays fewer than ${inWords(LEAST_STATES)} states or takes more than ${MOST_CPU_MINUTES} minutes of CPU.`,
  options: {
    kind: { takes: 'TEXT', says: 'only kinds of queues with this text in their name' },
    entries: { takes: 'N', says: 'only cases with so many pull requests' },
    states: { takes: 'N', says: 'so many states for each case at most' },
    bugs: { says: 'only put bugs back, leave rules out, and look for that' },
    ...WRITES,
  },
});

interface Row extends Explored {
  readonly name: string;
  readonly rung: Rung;
  readonly cpuSeconds: number;
}

function playAll(): readonly Row[] {
  const kinds = KINDS.filter(({ name }) => name.includes(values.kind ?? ''));
  const rungs = LADDER.filter(({ entries }) => entries === Number(values.entries ?? entries));
  return rungs.flatMap((rung) =>
    kinds
      .filter(({ name }) => rung.kinds?.includes(name) ?? true)
      .map((kind): Row => {
        console.error(`${kind.name}, ${rung.entries} pull requests, ${rung.disturbances.join(', ')} …`);
        const before = cpuSeconds();
        const bounds = { states: Number(values.states ?? rung.states), compareEach: COMPARE_EACH };
        const explored = new Exploration(caseOf(kind, rung.entries, rung.disturbances), bounds).explore();
        const row = { ...explored, name: kind.name, rung, cpuSeconds: cpuSeconds() - before };
        console.error(`  ${cellsOf(row).slice(3).join(', ')}`);
        if (row.problem !== null) console.error(row.problem);
        return row;
      }),
  );
}

function printCases(title: string, rows: readonly Row[]): void {
  if (rows.length === 0) return;
  const head = [
    'queue',
    'pull requests',
    'with failing tests',
    'states',
    'events',
    'to the end',
    'compared',
    'CPU s',
    'wrong',
  ];
  printTable(title, head, rows.map(cellsOf));
}

function cellsOf({
  name,
  rung,
  states,
  moves,
  isClosed,
  compared,
  cpuSeconds: seconds,
  problem,
}: Row): readonly string[] {
  return [
    ...[name, String(rung.entries), rung.disturbances.join(', '), inWords(states), inWords(moves)],
    ...[isClosed ? 'yes' : 'no', inWords(compared), seconds.toFixed(0), firstLine(problem)],
  ];
}

/** Plays each bug only in the case that finds it, which keeps the search short. */
function find(title: string, bugs: readonly SeededBug[], compareEach: number): boolean {
  const compiler = new Compiler(readSources());
  const found = bugs.map(({ bug, kind: wanted, entries, disturbances }) => {
    const wrong = load(compiler, bug);
    const kind = KINDS.find(({ name }) => name === wanted)!;
    const bounds = { states: 100_000, compareEach };
    return { bug, ...new wrong.Exploration(caseOf(kind, entries, disturbances), bounds).explore() };
  });
  const rows = found.map(({ bug, states, problem }) => [bug.name, inWords(states), firstLine(problem)]);
  printTable(title, ['what', 'states', 'what is found'], rows);
  return found.every(({ problem }) => problem !== null);
}

interface ExploreModule {
  readonly Exploration: typeof Exploration;
}

function load(compiler: Compiler, bug: Bug): ExploreModule {
  const text = withBug(compiler.sources.get(bug.file) ?? '', bug);
  return new ChangedProject(compiler, { file: bug.file, text }).load(EXPLORE).exports as ExploreModule;
}

function firstLine(problem: string | null): string {
  return problem?.split('\n', 1)[0] ?? 'nothing';
}

function inWords(count: number): string {
  return count.toLocaleString('en');
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function sum(rows: readonly Row[], figure: (row: Row) => number): number {
  return rows.reduce((total, row) => total + figure(row), 0);
}

function main(): void {
  printMachine();
  const rows = values.bugs ? [] : playAll();
  const due = rows.filter(({ rung }) => rung.mustEnd);
  printCases('Cases that have to be played to their end', due);
  printCases(
    'Deeper cases, as far as they were played',
    rows.filter(({ rung }) => !rung.mustEnd),
  );
  const areFound = [
    find('Bugs of the engine that are put back', SEEDED_BUGS, Infinity),
    find('Rules of the key that are left out', RULES_LEFT_OUT, COMPARE_OFTEN),
  ];
  const isWhole = !values.bugs && [values.kind, values.entries, values.states].every((value) => value === undefined);
  const states = sum(rows, (row) => row.states);
  const minutes = cpuSeconds() / 60;
  const closed = due.filter(({ isClosed }) => isClosed);
  const broken = rows.filter(({ problem }) => problem !== null);
  printNote(
    `${inWords(states)} states (at least ${inWords(LEAST_STATES)}) in ${minutes.toFixed(1)} minutes of CPU (at most ${MOST_CPU_MINUTES}), ` +
      `${closed.length} of ${due.length} required cases played to their end, ` +
      `${inWords(sum(rows, ({ compared }) => compared))} comparisons, broken promises: ${broken.length}`,
  );
  if (values.write) writeResults('exhaustive', 'test:exhaustive');
  const isEnough = !isWhole || (states >= LEAST_STATES && minutes <= MOST_CPU_MINUTES);
  process.exitCode = areFound.every(Boolean) && broken.length === 0 && closed.length === due.length && isEnough ? 0 : 1;
}

main();
