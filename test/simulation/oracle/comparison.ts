import { holdsSlot } from '../../../src/engine/states';
import type { EntryState } from '../../../src/engine/vocabulary';
import type { Day, Deed } from './days';
import { EngineTwin } from './engine-twin';
import { isProven } from './lanes';
import type { Entry, LineRun } from './model';
import { OracleDay } from './play';
import type { OracleQueue } from './queue';
import { shrink } from './shrink';
import { isRed } from './world';

export interface Difference {
  readonly what: string;
  readonly oracleLog: readonly string[];
  readonly engineLog: readonly string[];
}

/**
 * Plays one day on the oracle and on the engine, deed by deed. The two agree as long as everything that people can see
 * is the same.
 */
export class Comparison {
  readonly oracle: OracleDay;
  readonly twin: EngineTwin;
  difference: Difference | null = null;

  constructor(readonly day: Day) {
    this.oracle = new OracleDay(day);
    this.twin = new EngineTwin(day);
  }

  play(): this {
    for (const deed of this.day.deeds) if (this.difference === null) this.perform(deed);
    this.comeToRest();
    return this;
  }

  private perform(deed: Deed): void {
    const { oracle, twin } = this;
    const { queue } = oracle.oracle;
    const test = deed.type === 'report' ? oracle.liveTest(deed.pick) : null;
    for (const log of [queue.log, twin.log]) log.push(JSON.stringify(deed));
    twin.perform(deed, queue, test);
    oracle.perform(deed);
    const what = oracle.problems[0] ?? twin.engine.problems[0] ?? differing(queue, twin);
    if (what !== null) this.difference = { what, oracleLog: queue.log, engineLog: twin.log };
  }

  private comeToRest(): void {
    const { queue } = this.oracle.oracle;
    if (this.difference === null) this.perform({ type: 'set', state: 'running' });
    for (let round = 0, idle = 0; this.difference === null && idle < 2 && round < 1_000; round++) {
      const isBroken = isRed(this.day.world, queue.hostTarget);
      idle = queue.landing === null && queue.tests.size === 0 && !isBroken ? idle + 1 : 0;
      if (queue.landing !== null) this.perform({ type: 'land', answer: 'accepted', pick: 0 });
      else if (isBroken) this.perform({ type: 'hotfix', state: 'mending' });
      else if (queue.tests.size > 0) this.perform({ type: 'report', pick: round });
      else this.perform({ type: 'pass', minutes: 10 });
    }
  }
}

/**
 * Returns null when the engine and the oracle agree. Otherwise returns both logs of the smallest day with a difference
 * of the same kind.
 */
export function describeDifference(day: Day): string | null {
  const { difference } = new Comparison(day).play();
  if (difference === null) return null;
  const type = typeOf(difference.what);
  const smallest = shrink(day, (other) => typeOf(new Comparison(other).play().difference?.what ?? '') === type);
  const { deeds, ...facts } = smallest;
  const { what, oracleLog, engineLog } = new Comparison(smallest).play().difference ?? difference;
  const logs = ['-- the oracle --', ...oracleLog, '-- the engine --', ...engineLog];
  return [what, JSON.stringify(facts), `${deeds.length} deeds`, ...logs].join('\n');
}

/** The description of a difference without its numbers, which is equal for two differences of one kind. */
export function typeOf(what: string): string {
  return what
    .replaceAll(/\[.*?\]/g, '[]')
    .replaceAll(/main [^,]*/g, 'main')
    .replaceAll(/\d+/g, 'n');
}

/** The first difference: in the target, in a run and its base, or in the state of a pull request. */
function differing(queue: OracleQueue, { engine }: EngineTwin): string | null {
  const said: readonly (readonly [string, string, string])[] = [
    ['the target', queue.hostTarget.join(' '), engine.target.join(' ')],
    ['the tests', testsOf(queue), runsOf(engine.queue.runs, (run) => engine.treeOf(run))],
    ...[...queue.entries.values()].map(
      (entry) => [`#${entry.number}`, stateOf(queue, entry), engine.stateOf(entry.number)] as const,
    ),
  ];
  const different = said.find(([, oracle, other]) => oracle !== other);
  return different ? `${different[0]}: oracle ${different[1]}, engine ${different[2]}` : null;
}

/** The runs in test. A run with a failed result that does not count yet is among them. */
function testsOf(queue: OracleQueue): string {
  const withheld = queue.line.filter((run) => run.isRedButProven).map((run) => `[${run.testedTree.join(' ')}]`);
  return [...queue.tests.values()]
    .map((test) => `${'search' in test.of ? 'search ' : ''}[${test.tree.join(' ')}]`)
    .concat(withheld)
    .sort()
    .join(' ');
}

function runsOf(
  runs: EngineTwin['engine']['queue']['runs'],
  treeOf: (run: (typeof runs)[number]) => readonly string[],
): string {
  return runs
    .filter((run) => run.phase !== 'building' && holdsSlot(run))
    .map((run) => `${run.search === null ? '' : 'search '}[${treeOf(run).join(' ')}]`)
    .sort()
    .join(' ');
}

function stateOf(queue: OracleQueue, entry: Entry): EntryState {
  switch (entry.where) {
    case 'out':
      return entry.conclusion ?? 'cancelled';
    case 'waiting':
      return 'pending';
    case 'search': {
      const isTested = [...(entry.search?.tests.values() ?? [])].some((test) => test.numbers.includes(entry.number));
      if (entry.search?.red?.isAwaiting) return 'pending_failure';
      return isTested ? 'testing' : 'pending';
    }
    case 'line':
      return entry.run === null ? 'pending' : stateInLine(queue, entry.run);
  }
}

function stateInLine(queue: OracleQueue, run: LineRun): EntryState {
  switch (run.phase) {
    case 'queued':
    case 'building':
    case 'conflicted':
      return 'pending';
    case 'testing':
      return isProven(queue, run) ? 'tests_passed' : 'testing';
    case 'failed':
      return isProven(queue, run) ? 'tests_passed' : 'pending_failure';
    case 'passed':
    case 'landing':
      return 'tests_passed';
  }
}
