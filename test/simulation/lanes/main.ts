import { join } from 'node:path';
import { readCommandLine } from '../../support/command-line';
import { inWorkers } from '../../bench/workers';
import { type LanesFound, type LanesJob, VARIANTS } from './variants';

/**
 * Plays parallel mode in every order of events: with the engine's rules, and with each of the two rules for direct
 * dependencies replaced. npm run test:lanes -- --changes 4 --every 1 Exits with 1 when the engine's rules go wrong, or
 * when a replaced rule causes no problem. `--every 10` plays only one in ten of the largest cases.
 */
const { values } = readCommandLine({
  script: 'test:lanes',
  does: 'Plays parallel mode in every order of events, with the rules of Sluice and without each of two. Ends with 1 if Sluice goes wrong, or if nothing is found without a rule.',
  options: {
    changes: { takes: 'N', default: '4', says: 'the most pull requests' },
    every: { takes: 'N', default: '1', says: 'of the largest cases, only each so manyth' },
  },
});
/** There are many parts, so that no process waits long for another process to finish its last part. */
const PARTS = 12;

async function main(): Promise<void> {
  const [most, sample] = [Number(values.changes), Number(values.every)];
  const jobs = [...VARIANTS.keys()].flatMap((variant) => partsOf(variant, most, sample));
  const found = await inWorkers<LanesJob, LanesFound>(join(__dirname, 'worker.ts'), jobs);
  const told = [...VARIANTS.keys()].map((variant) => {
    const parts = found.filter((_, i) => jobs[i]!.variant === variant);
    return { isOurs: variant.startsWith('ours'), times: tell(variant, parts) };
  });
  process.exitCode = told.every(({ isOurs, times }) => isOurs === (times === 0)) ? 0 : 1;
}

function partsOf(variant: string, most: number, sample: number): readonly LanesJob[] {
  const few = Array.from({ length: most - 2 }, (_, i): LanesJob => ({ variant, changes: i + 2, every: 1, first: 0 }));
  const every = PARTS * sample;
  const many = Array.from({ length: PARTS }, (_, i): LanesJob => ({
    variant,
    changes: most,
    every,
    first: i * sample,
  }));
  return [...few, ...many];
}

/** Prints the problems, and returns the number of cases that have a problem. */
function tell(variant: string, parts: readonly LanesFound[]): number {
  const problems = parts.flatMap((part) => part.problems);
  const kinds = new Map<string, number>();
  for (const problem of problems) {
    const kind = problem.split(':', 1)[0]!;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const [cases, states] = [sum(parts.map((part) => part.cases)), sum(parts.map((part) => part.states))];
  const said = [...kinds].map(([kind, times]) => `${times} × ${kind}`).join(', ') || 'nothing';
  console.log(`${variant}: ${cases} cases, ${states} states: ${[said, ...problems.slice(0, 1)].join('; ')}`);
  return problems.length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}

void main();
