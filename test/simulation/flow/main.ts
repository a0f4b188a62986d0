import { readCommandLine } from '../../support/command-line';
import { FlowDay } from './flow-day';

/**
 * Random days of flow queues on the real engine: npm run test:flow [-- --days 500 --seed 1]. `--show 17` prints one
 * day. Exits with 1 when a day is wrong.
 */
const { values } = readCommandLine({
  script: 'test:flow',
  does: 'Plays random days of flow scheduling on the real engine. Ends with 1 if a day is wrong.',
  options: {
    days: { takes: 'N', default: '30000', says: 'days to play' },
    seed: { takes: 'N', default: '1', says: 'the first day' },
    show: { takes: 'N', says: 'print this day' },
  },
});

function kindOf(problem: string): string {
  return problem
    .split('\n', 2)
    .join(' ')
    .replace(/#\d+( \w+)?(, )?/g, '#n$1 ')
    .replace(/\d+/g, 'n');
}

function main(): void {
  if (values.show !== undefined) {
    const { problem } = new FlowDay(Number(values.show), (line) => console.log(line)).play();
    console.log(problem ?? 'nothing wrong');
    return;
  }
  const first = Number(values.seed);
  const days = Number(values.days);
  const found = new Map<string, number[]>();
  const sum = { events: 0, runs: 0, merged: 0, failed: 0, innocents: 0 };
  const began = performance.now();
  for (let seed = first; seed < first + days; seed++) {
    const { problem, ...result } = new FlowDay(seed).play();
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += result[name];
    if ((seed - first) % 2_000 === 1_999) console.error(`${seed - first + 1} days played`);
    if (problem !== null) found.set(kindOf(problem), [...(found.get(kindOf(problem)) ?? []), seed]);
  }
  for (const [kind, seeds] of [...found].sort(([, a], [, b]) => b.length - a.length))
    console.log(`${seeds.length} × ${kind}: days ${seeds.slice(0, 5).join(', ')}`);
  const wrong = [...found.values()].flat().length;
  const figures = Object.entries(sum).map(([name, count]) => `${count} ${name}`);
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.log(`${figures.join(', ')} in ${seconds} s`);
  console.log(`${days - wrong} of ${days} days from seed ${first} without a violation`);
  process.exitCode = wrong > 0 ? 1 : 0;
}

main();
