import { casesOf } from './lanes/cases';
import { BLAME_BY_OWN, EveryOrder, type LanesRules, OURS, PROOF_BY_OWN } from './lanes/every-order';

const ONE_BY_ONE = { merging: 'one by one' } as const;

/**
 * Plays every order of events of all cases with this many changes. Returns the problems. If `every` is 10, plays one
 * case in ten.
 */
function problems(changes: number, rules: LanesRules, every = 1): readonly string[] {
  const cases = [...casesOf(changes)].filter((_, i) => i % every === 0);
  return cases.flatMap((facts) => new EveryOrder(facts, rules).explore().problem ?? []);
}

/** `npm run test:lanes` plays all cases of four changes, which takes minutes. */
describe('parallel mode with direct dependencies, in every order of events', () => {
  it.each([
    ['together', OURS],
    ['one by one', { ...OURS, ...ONE_BY_ONE }],
  ])(
    'never lands a failing tree, fails no innocent change, and ends with an idle queue, if runs land %s',
    (_, rules) => {
      expect([...problems(2, rules), ...problems(3, rules), ...problems(4, rules, 1_000)]).toEqual([]);
    },
  );

  it('would land a failing tree if a run without the indirect dependencies counted as a proof', () => {
    const found = problems(3, PROOF_BY_OWN);
    expect(found).toHaveLength(7);
    expect(found[0]).toBe('lands red: 23 by the test of 3, the target held 1; 1:a 2:ab 3:b, red when a sees 12');
  });

  it.each([BLAME_BY_OWN, { ...BLAME_BY_OWN, ...ONE_BY_ONE }])(
    'would fail an innocent change if a failed run without the indirect dependencies were blamed',
    (rules) => {
      const found = problems(3, rules);
      expect(found).toHaveLength(21);
      expect(found[0]).toBe('fails an innocent: 3, tested as 23, the target held 12; 1:a 2:ab 3:b, red when a sees 2');
    },
  );
});
