import type { Equivalent } from './equivalents';
import type { Mutant } from './mutant';
import { type Judged, reportOn } from './report';

const mutant = (name: string): Mutant => ({
  rule: 'negate the guard',
  file: 'src/engine/steps/rule.ts',
  line: 7,
  within: 'rule',
  change: `if ([-${name}-]{+!(${name})+})`,
  text: '',
});
const killed = (name: string): Judged => ({
  mutant: mutant(name),
  answer: { type: 'killed', death: { killer: 'examples', problem: 'red' } },
});
const survived = (name: string): Judged => ({ mutant: mutant(name), answer: { type: 'survived' } });
const explanation = (name: string): Equivalent => ({ ...mutant(name), because: `${name} is always true here` });
const allOf = (judged: readonly Judged[]): readonly Mutant[] => judged.map((one) => one.mutant);

describe('the report of the mutation test', () => {
  it('is clean if every surviving mutant is explained, and gives the explanation', () => {
    const judged = [killed('a'), survived('b')];
    const { lines, figures, isClean } = reportOn(judged, allOf(judged), [explanation('b')]);
    expect(isClean).toBe(true);
    expect(figures).toBe('2 mutants: 1 killed, 1 survived with a reason, 0 survived without a reason');
    expect(lines.join('\n')).toContain('b is always true here');
  });

  it('names a surviving mutant without an explanation, with its place and its change', () => {
    const judged = [killed('a'), survived('b')];
    const { lines, figures, isClean } = reportOn(judged, allOf(judged), []);
    expect(isClean).toBe(false);
    expect(figures).toBe('2 mutants: 1 killed, 0 survived with a reason, 1 survived without a reason');
    expect(lines).toContain('  src/engine/steps/rule.ts:7 in rule: if ([-b-]{+!(b)+})');
  });

  it('is not clean if an explained mutant is killed or can no longer be made', () => {
    const judged = [killed('a')];
    expect(reportOn(judged, allOf(judged), [explanation('a')]).isClean).toBe(false);
    expect(reportOn(judged, allOf(judged), [explanation('c')]).isClean).toBe(false);
  });

  it('accepts the explanation of a mutant that was not judged in this run', () => {
    const judged = [killed('a')];
    expect(reportOn(judged, [...allOf(judged), mutant('b')], [explanation('b')]).isClean).toBe(true);
  });

  it('is not clean if a mutation made an invalid program', () => {
    const judged: readonly Judged[] = [{ mutant: mutant('a'), answer: { type: 'notAProgram', why: 'no' } }];
    expect(reportOn(judged, allOf(judged), []).isClean).toBe(false);
  });

  it('counts mutants per file, and names mutants that a time limit killed instead of a test', () => {
    const judged: readonly Judged[] = [
      { mutant: mutant('a'), answer: { type: 'killed', death: { killer: null, problem: 'not judged in time' } } },
      survived('b'),
    ];
    const text = reportOn(judged, allOf(judged), []).lines.join('\n');
    expect(text).toMatch(/rule\.ts +2 +1 +1/);
    expect(text).toContain('not judged in time');
  });
});
