import * as fc from 'fast-check';
import { GlobSet } from './glob-set';

const name = fc.string({ unit: fc.constantFrom('a', 'b', '/', '😀'), maxLength: 12 });
const glob = fc.string({ unit: fc.constantFrom('a', 'b', '/', '😀', '*', '?'), maxLength: 8 });

/** The same by regular expressions, which may backtrack. */
function matchesByRegExp(globs: readonly string[], text: string): boolean {
  return globs.some((one) => {
    const pattern = one.replace(/\*+/g, '*').replaceAll('*', '.*').replaceAll('?', '.');
    return new RegExp(`^${pattern}$`, 'su').test(text);
  });
}

describe('A set of globs', () => {
  it('matches what regular expressions match', () => {
    fc.assert(
      fc.property(fc.array(glob, { maxLength: 5 }), fc.array(name, { maxLength: 20 }), (globs, names) => {
        const set = new GlobSet(globs);
        expect(names.map((one) => set.matches(one))).toEqual(names.map((one) => matchesByRegExp(globs, one)));
      }),
    );
  });

  it('says which of them match', () => {
    fc.assert(
      fc.property(fc.array(glob, { maxLength: 5 }), fc.array(name, { maxLength: 20 }), (globs, names) => {
        const set = new GlobSet(globs);
        const expected = (text: string) => globs.flatMap((one, i) => (matchesByRegExp([one], text) ? [i] : []));
        expect(names.map((one) => set.matching(one))).toEqual(names.map(expected));
      }),
    );
  });

  it.each([
    ['//infra/*', '//infra/db/main', true],
    ['//infra/*', '//infra/', true],
    ['//infra/*', 'x//infra/db', false],
    ['*lib', '//app:lib', true],
    ['*lib', '//app:libs', false],
    ['//a?', '//ab', true],
    ['//a?', '//abc', false],
    ['//a_b%c\\d[x](y).', '//a_b%c\\d[x](y).', true],
    ['//a.b', '//axb', false],
  ])('%s and %s: %s', (one, text, expected) => {
    expect(new GlobSet(['//never', one]).matches(text)).toBe(expected);
  });

  it('reads 200,000 names once each, however many globs there are', () => {
    const globs = Array.from({ length: 1_000 }, (_, i) => [`//never/${i}/*`, `*-${i}-never`, `*never?${i}*`][i % 3]!);
    const set = new GlobSet(globs);
    for (let i = 0; i < 200_000; i++) {
      if (set.matches(`//services/team-${i % 300}/package-${i}:lib`)) throw new Error(`${i} matches`);
    }
    // A comparison of each with each would be 200,000,000.
    expect(set.effort).toBeLessThan(500_000);
  });

  it('does not backtrack: what is slow for a regular expression is read as fast as anything', () => {
    const globs = Array.from({ length: 100 }, (_, i) => `${'*a'.repeat(400)}*${i}x`);
    const set = new GlobSet(globs);
    expect(set.matches('a'.repeat(1_000))).toBe(false);
    expect(set.effort).toBeLessThan(200_000);
  });

  it('gives up on globs and names that were made to be slow', () => {
    const set = new GlobSet(Array.from({ length: 200 }, (_, i) => `*a${'?'.repeat(400 + i)}b`));
    const text = Array.from({ length: 1_000 }, (_, i) => (i % 3 === 0 || i % 7 === 0 ? 'a' : 'c')).join('');
    expect(set.matches(text, 100_000)).toBeNull();
    expect(set.matching(text, 100_000)).toBeNull();
    expect(set.effort).toBeLessThan(500_000);
  });
});
