import { parseArgs } from 'node:util';
import { casesOf } from './cases';
import { BLAME_BY_OWN, EveryOrder, type LanesRules, OURS, PROOF_BY_OWN } from './every-order';

/**
 * Lanes in every order of events, with the engine's own rules and without each of the two that direct dependencies need:
 * npm run test:lanes -- --changes 4 --every 1. Ends with 1 when ours go wrong, or when nothing is found without one of them.
 */
const { values } = parseArgs({
  options: { changes: { type: 'string', default: '4' }, every: { type: 'string', default: '1' } },
});

const VARIANTS: readonly (readonly [string, LanesRules])[] = [
  ['ours, optimistic', OURS],
  ['ours, one by one', { ...OURS, merging: 'one by one' }],
  ['proof without `closed`', PROOF_BY_OWN],
  ['blame without `full`, optimistic', BLAME_BY_OWN],
  ['blame without `full`, one by one', { ...BLAME_BY_OWN, merging: 'one by one' }],
];

/** How many cases go wrong. */
function play(name: string, rules: LanesRules): number {
  const most = Number(values.changes);
  const found = new Map<string, number>();
  const sum = { cases: 0, states: 0 };
  let example = '';
  for (let changes = 2; changes <= most; changes++) {
    let at = 0;
    for (const facts of casesOf(changes)) {
      if (changes === most && at++ % Number(values.every) > 0) continue;
      const { states, problem } = new EveryOrder(facts, rules).explore();
      sum.cases++;
      sum.states += states;
      if (problem === null) continue;
      const kind = problem.split(':', 1)[0]!;
      found.set(kind, (found.get(kind) ?? 0) + 1);
      example ||= problem;
    }
  }
  const said = [...found].map(([kind, times]) => `${times} × ${kind}`).join(', ');
  console.log(`${name}: ${sum.cases} cases, ${sum.states} states: ${said || 'nothing'}${example && `; ${example}`}`);
  return [...found.values()].reduce((all, times) => all + times, 0);
}

const wrong = VARIANTS.map(([name, rules]) => ({ isOurs: name.startsWith('ours'), times: play(name, rules) }));
process.exitCode = wrong.every(({ isOurs, times }) => isOurs === (times === 0)) ? 0 : 1;
