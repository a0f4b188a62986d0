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

describe('the report on mutants', () => {
  it('is clean when every survivor is explained, and gives the reason', () => {
    const judged = [killed('a'), survived('b')];
    const { lines, figures, isClean } = reportOn(judged, allOf(judged), [explanation('b')]);
    expect(isClean).toBe(true);
    expect(figures).toBe('2 mutants: 1 killed, 1 survived with a reason, 0 survived without a reason');
    expect(lines.join('\n')).toContain('b is always true here');
  });

  it('names an unexplained survivor with its place and its change', () => {
    const judged = [killed('a'), survived('b')];
    const { lines, figures, isClean } = reportOn(judged, allOf(judged), []);
    expect(isClean).toBe(false);
    expect(figures).toBe('2 mutants: 1 killed, 0 survived with a reason, 1 survived without a reason');
    expect(lines).toContain('  src/engine/steps/rule.ts:7 in rule: if ([-b-]{+!(b)+})');
  });

  it('is not clean when an explained mutant is killed or cannot be made any more', () => {
    const judged = [killed('a')];
    expect(reportOn(judged, allOf(judged), [explanation('a')]).isClean).toBe(false);
    expect(reportOn(judged, allOf(judged), [explanation('c')]).isClean).toBe(false);
  });

  it('accepts the explanation of a mutant that was not judged this time', () => {
    const judged = [killed('a')];
    expect(reportOn(judged, [...allOf(judged), mutant('b')], [explanation('b')]).isClean).toBe(true);
  });

  it('is not clean when a mutation made an invalid program', () => {
    const judged: readonly Judged[] = [{ mutant: mutant('a'), answer: { type: 'notAProgram', why: 'no' } }];
    expect(reportOn(judged, allOf(judged), []).isClean).toBe(false);
  });

  it('counts per file, and names mutants killed by no test', () => {
    const judged: readonly Judged[] = [
      { mutant: mutant('a'), answer: { type: 'killed', death: { killer: null, problem: 'not judged in time' } } },
      survived('b'),
    ];
    const text = reportOn(judged, allOf(judged), []).lines.join('\n');
    expect(text).toMatch(/rule\.ts +2 +1 +1/);
    expect(text).toContain('not judged in time');
  });
});
