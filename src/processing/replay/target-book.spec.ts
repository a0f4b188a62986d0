import { matchesAny } from './target-book';

describe('The batching rules of a replay', () => {
  const rulesOf = (...patterns: string[]) =>
    patterns.map((targetPattern) => ({ targetPattern, policy: 'isolate' }) as const);

  it.each([
    ['//infra/*', '//infra/a', true],
    ['//infra/*', '//web', false],
    ['//*/deploy', '//infra/deploy', true],
    ['//infra/?', '//infra/a', true],
    ['//infra/?', '//infra/ab', false],
    ['//web', '//web', true],
  ])('match targets as decisions do: %s and %s', (pattern, target, expected) => {
    expect(matchesAny(rulesOf('//other', pattern), new Set(['//none', target]))).toBe(expected);
  });

  it('match a pull request that impacts everything, and no pull request without targets', () => {
    expect(matchesAny(rulesOf('//web'), 'ALL')).toBe(true);
    expect(matchesAny(rulesOf('//web'), undefined)).toBe(false);
    expect(matchesAny([], 'ALL')).toBe(false);
  });
});
