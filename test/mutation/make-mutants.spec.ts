import { mutantsOf } from './make-mutants';
import { keyOf, type MutantKey } from './mutant';
import { droppedSteps } from './rules/drop-step';
import { negatedGuards } from './rules/negate-guard';
import { shiftedBounds } from './rules/shift-bound';

const ALL = [droppedSteps, negatedGuards, shiftedBounds];
const made = (text: string, rules = ALL): readonly MutantKey[] => mutantsOf('rule.ts', text, rules);
const changes = (text: string, rules = ALL): readonly string[] => made(text, rules).map(({ change }) => change);

describe('the mutants of a file', () => {
  it('omit each entry of a list of steps once', () => {
    const text = 'export const STEPS: readonly Step[] = [\n  follow,\n  judge,\n];\nconst OTHERS = [follow];\n';
    expect(changes(text)).toEqual(['[-follow,-]{++}', '[-judge,-]{++}']);
    expect(mutantsOf('rule.ts', text, ALL).map((mutant) => mutant.text)).toEqual([
      text.replace('follow,', ''),
      text.replace('judge,', ''),
    ]);
  });

  it('negate a whole condition and each of its parts, and a comparison by its operator', () => {
    expect(changes('if (!a || (b === c && d)) stop();')).toEqual([
      'if ([-!a || (b === c && d)-]{+!(!a || (b === c && d))+}) stop();',
      'if ([-!a-]{+a+} || (b === c && d)) stop();',
      'if (!a || ([-b === c && d-]{+!(b === c && d)+})) stop();',
      'if (!a || ([-b === c-]{+b !== c+} && d)) stop();',
      'if (!a || (b === c && [-d-]{+!(d)+})) stop();',
    ]);
  });

  it('negate predicates on elements, also named functions', () => {
    expect(changes('line.filter(isAssumedToPass).find((run) => run.red);')).toEqual([
      'line.filter([-isAssumedToPass-]{+(...of) => !isAssumedToPass(...of)+}).find((run) => run.red);',
      'line.filter(isAssumedToPass).find((run) => [-run.red-]{+!(run.red)+});',
    ]);
  });

  it('negate the result of a function that is declared to return a boolean', () => {
    expect(changes('function may(): boolean { return ask(); }')).toEqual([
      'function may(): boolean { return [-ask()-]{+!(ask())+}; }',
    ]);
    expect(changes('function count(): number { return ask(); }')).toEqual([]);
  });

  it('reverse a sort order instead of removing it', () => {
    expect(changes('runs.sort((a, b) => a.place - b.place || a.number - b.number);')).toEqual([
      'runs.sort((a, b) => [-a.place - b.place || a.number - b.number-]{+-(a.place - b.place || a.number - b.number)+});',
      'runs.sort((a, b) => [-a.place - b.place-]{+-(a.place - b.place)+} || a.number - b.number);',
      'runs.sort((a, b) => a.place - b.place || [-a.number - b.number-]{+-(a.number - b.number)+});',
    ]);
  });

  it('change a bound by one in both directions, without duplicates', () => {
    expect(changes('const x = at < 4;', [shiftedBounds])).toEqual([
      'const x = [-at < 4-]{+at <= 4+};',
      'const x = at < [-4-]{+3+};',
    ]);
    expect(changes('const x = 4 >= at;', [shiftedBounds])).toEqual([
      'const x = [-4 >= at-]{+4 > at+};',
      'const x = [-4-]{+5+} >= at;',
    ]);
    expect(changes('const x = share < 0.5;', [shiftedBounds])).toEqual([
      'const x = [-share < 0.5-]{+share <= 0.5+};',
      'const x = share < [-0.5-]{+1.5+};',
      'const x = share < [-0.5-]{+-0.5+};',
    ]);
    expect(changes('const x = list.slice(at + 1).at(-1);', [shiftedBounds])).toEqual([
      'const x = list.slice([-at + 1-]{+at+}).at(-1);',
      'const x = list.slice(at + [-1-]{+2+}).at(-1);',
      'const x = list.slice(at + 1).at([--1-]{+0+});',
      'const x = list.slice(at + 1).at([--1-]{+-2+});',
    ]);
  });

  it('leave types, imports and messages unchanged', () => {
    expect(changes("import { a } from './a';\ntype Rank = 0 | 1;\nconst why = `${a ? 1 : 2} ahead`;")).toEqual([]);
  });

  it('keep their name if lines are inserted above, and contain the name of their function', () => {
    const text = 'function outer() {\n  const inner = () => {\n    if (a) b();\n  };\n}';
    const [mutant] = made(text);
    expect(mutant).toMatchObject({ line: 3, within: 'outer.inner', change: 'if ([-a-]{+!(a)+}) b();' });
    expect(made(`\n\n${text}`).map(keyOf)).toEqual([keyOf(mutant!)]);
  });
});
