import { parseArgs } from 'node:util';
import { Comparison, typeOf } from './comparison';
import { type Day, type DayKind, drawDay } from './days';
import { OracleDay } from './play';
import { Dice } from './random';
import { shrink } from './shrink';

/**
 * Plays random days on the oracle alone, or on the engine and the oracle together: node -r ./test/bench/typescript.cjs
 * test/simulation/oracle/main.ts --days 10000 [--against engine]. Exits with 1 when a day goes wrong, and prints the
 * smallest day that goes wrong in the same way.
 */
const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    against: { type: 'string', default: 'nothing' },
    mode: { type: 'string' },
    flakes: { type: 'string', default: 'none' },
    mending: { type: 'string', default: 'none' },
    without: { type: 'string', default: '' },
    settings: { type: 'string', default: '{}' },
    pullRequests: { type: 'string', default: '6' },
    show: { type: 'string', default: '3' },
  },
});

const kind: DayKind = {
  ...(values.mode === 'single' || values.mode === 'parallel' ? { mode: values.mode, modeSwitches: 'none' } : {}),
  settings: JSON.parse(values.settings) as DayKind['settings'],
  without: values.without.split(',') as DayKind['without'],
  flakes: values.flakes === 'some' ? 'some' : 'none',
  mending: values.mending === 'some' ? 'some' : 'none',
  mostPullRequests: Number(values.pullRequests),
};

interface Played {
  readonly problem: string | null;
  readonly logs: readonly (readonly string[])[];
}

function play(day: Day): Played {
  if (values.against === 'engine') {
    const { difference } = new Comparison(day).play();
    return { problem: difference?.what ?? null, logs: difference ? [difference.oracleLog, difference.engineLog] : [] };
  }
  const { queue } = new OracleDay(day).play().oracle;
  return { problem: queue.problems[0] ?? null, logs: [queue.log] };
}

const found = new Map<string, { days: number; shortest: Day }>();
const startedAt = performance.now();
for (let i = 0; i < Number(values.days); i++) {
  const day = drawDay(new Dice(Number(values.seed) * 1_000_003 + i), kind);
  const { problem } = play(day);
  if (problem === null) continue;
  const known = found.get(typeOf(problem)) ?? { days: 0, shortest: day };
  const shortest = day.deeds.length < known.shortest.deeds.length ? day : known.shortest;
  found.set(typeOf(problem), { days: known.days + 1, shortest });
}
console.log(`${values.days} days, ${Math.round(performance.now() - startedAt)} ms`);
const byFrequency = [...found].sort(([, a], [, b]) => b.days - a.days);
for (const [type, { days, shortest }] of byFrequency.slice(0, Number(values.show))) {
  const { deeds, ...facts } = shrink(shortest, (other) => typeOf(play(other).problem ?? '') === type);
  const { problem, logs } = play({ ...facts, deeds });
  console.log(`\n${days} days: ${problem}\n${JSON.stringify(facts)}`);
  for (const log of logs) console.log(`-- log --\n${log.join('\n')}`);
}
process.exitCode = found.size > 0 ? 1 : 0;
