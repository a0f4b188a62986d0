import { readCommandLine } from '../../support/command-line';
import { ChangedProject, Compiler } from '../../mutation/project/changed-project';
import { readSources } from '../../mutation/project/sources';
import { type Bug, withBug } from '../days-find/bugs';
import { BROKEN_RULES } from './broken-rules';

/**
 * Breaks each rule of flow scheduling and prints after how many random days the bug is found: npm run test:flow-find --
 * --days 3000. `--rule freeze` breaks only the rules with `freeze` in their names. `--seed` is the first day.
 */
const { values } = readCommandLine({
  script: 'test:flow-find',
  does: 'Breaks each rule of flow scheduling, and counts the random days until one goes wrong. Ends with 1 if a rule is not found.',
  options: {
    days: { takes: 'N', default: '3000', says: 'days for each rule' },
    seed: { takes: 'N', default: '1', says: 'the first day' },
    rule: { takes: 'TEXT', default: '', says: 'only rules with this text in their name' },
  },
});
const rules = BROKEN_RULES.filter(({ name }) => name.includes(values.rule));
const compiler = new Compiler(readSources());

interface FlowDays {
  readonly FlowDay: new (seed: number) => { play(): { readonly problem: string | null } };
}

function firstWrongDay({ name, file, ...bug }: Bug): number | null {
  const text = withBug(compiler.sources.get(file) ?? '', { name, file, ...bug });
  const { FlowDay } = new ChangedProject(compiler, { file, text }).load('test/simulation/flow/flow-day.ts')
    .exports as FlowDays;
  for (let day = 1; day <= Number(values.days); day++) {
    const { problem } = new FlowDay(Number(values.seed) - 1 + day).play();
    if (problem === null) continue;
    console.log(`| ${name} | ${day} | ${problem.split('\n', 1)[0]!.slice(0, 100)} |`);
    return day;
  }
  console.log(`| ${name} | no | |`);
  return null;
}

console.log('| Broken rule | Day | What the day says |\n| --- | --- | --- |');
const found = rules.filter((bug) => firstWrongDay(bug) !== null);
console.log(`\n${found.length} of ${rules.length} broken rules found within ${values.days} days`);
process.exitCode = found.length === rules.length ? 0 : 1;
