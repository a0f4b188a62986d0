import { parseArgs } from 'node:util';
import { type Day, type DayKind, drawDay } from './days';
import { OracleDay } from './play';
import { Dice } from './random';
import { shrink } from './shrink';

/**
 * Random days of the oracle alone: node -r ./test/bench/typescript.cjs test/simulation/oracle/main.ts --days 10000.
 * Ends with 1 when a day is wrong, and prints the smallest one like it.
 */
const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    mode: { type: 'string' },
    flakes: { type: 'string', default: 'none' },
    mending: { type: 'string', default: 'none' },
    pullRequests: { type: 'string', default: '6' },
  },
});

const kind: DayKind = {
  ...(values.mode === 'single' || values.mode === 'parallel' ? { mode: values.mode, modeSwitches: 'none' } : {}),
  flakes: values.flakes === 'some' ? 'some' : 'none',
  mending: values.mending === 'some' ? 'some' : 'none',
  mostPullRequests: Number(values.pullRequests),
};

const kindOf = (problem: string): string => problem.replaceAll(/\[.*?\]/g, '[]').replaceAll(/\d+/g, 'n');
const problemOf = (day: Day): string | null => new OracleDay(day).play().problems[0] ?? null;

const counts = new Map<string, number>();
const firsts = new Map<string, Day>();
let tests = 0;
let landed = 0;
const days = Number(values.days);
const startedAt = performance.now();
for (let i = 0; i < days; i++) {
  const day = drawDay(new Dice(Number(values.seed) * 1_000_003 + i), kind);
  const played = new OracleDay(day).play();
  tests += played.oracle.queue.testsStarted;
  landed += played.oracle.queue.landedTargets.size;
  const problem = played.problems[0];
  if (problem === undefined) continue;
  const type = kindOf(problem);
  counts.set(type, (counts.get(type) ?? 0) + 1);
  if (!firsts.has(type)) firsts.set(type, day);
}
const took = Math.round(performance.now() - startedAt);
console.log(`${days} days, ${tests} tests, ${landed} landed, ${took} ms`);
for (const [type, day] of firsts) {
  const smallest = shrink(day, (other) => kindOf(problemOf(other) ?? '') === type);
  const { queue } = new OracleDay(smallest).play().oracle;
  const { deeds, ...facts } = smallest;
  console.log(`\n${counts.get(type)} days: ${queue.problems[0]}\n${JSON.stringify(facts)}\n${deeds.length} deeds`);
  console.log(queue.log.join('\n'));
}
process.exitCode = firsts.size > 0 ? 1 : 0;
