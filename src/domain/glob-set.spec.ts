import * as fc from 'fast-check';
import type { GlobDialect } from './glob-dialects';
import { GlobSet, matchesGlob } from './glob-set';

const name = fc.string({ unit: fc.constantFrom('a', 'b', '/', '😀'), maxLength: 12 });
const glob = fc.string({ unit: fc.constantFrom('a', 'b', '/', '😀', '*', '?'), maxLength: 8 });

/** Matches names by regular expressions, which may backtrack, to compare with `GlobSet`. */
function matchesByRegExp(globs: readonly string[], text: string): boolean {
  return globs.some((one) => {
    const pattern = one.replace(/\*+/g, '*').replaceAll('*', '.*').replaceAll('?', '.');
    return new RegExp(`^${pattern}$`, 'su').test(text);
  });
}

describe('A set of globs', () => {
  it('matches the same names as regular expressions', () => {
    fc.assert(
      fc.property(fc.array(glob, { maxLength: 5 }), fc.array(name, { maxLength: 20 }), (globs, names) => {
        const set = new GlobSet(globs);
        expect(names.map((one) => set.matches(one))).toEqual(names.map((one) => matchesByRegExp(globs, one)));
      }),
    );
  });

  it('returns the globs that match a name', () => {
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
  ])('with %s matches %s: %s', (one, text, expected) => {
    expect(new GlobSet(['//never', one]).matches(text)).toBe(expected);
  });

  it('reads each of 200,000 names once, however many globs there are', () => {
    const globs = Array.from({ length: 1_000 }, (_, i) => [`//never/${i}/*`, `*-${i}-never`, `*never?${i}*`][i % 3]!);
    const set = new GlobSet(globs);
    for (let i = 0; i < 200_000; i++) {
      if (set.matches(`//services/team-${i % 300}/package-${i}:lib`)) throw new Error(`${i} matches`);
    }
    // A comparison of every glob with every name would take 200,000,000 steps.
    expect(set.effort).toBeLessThan(500_000);
  });

  it('does not backtrack: globs that are slow as regular expressions are as fast as any', () => {
    const globs = Array.from({ length: 100 }, (_, i) => `${'*a'.repeat(400)}*${i}x`);
    const set = new GlobSet(globs);
    expect(set.matches('a'.repeat(1_000))).toBe(false);
    expect(set.effort).toBeLessThan(200_000);
  });

  it('returns null for globs and names that need more than the permitted effort', () => {
    const set = new GlobSet(Array.from({ length: 200 }, (_, i) => `*a${'?'.repeat(400 + i)}b`));
    const text = Array.from({ length: 1_000 }, (_, i) => (i % 3 === 0 || i % 7 === 0 ? 'a' : 'c')).join('');
    expect(set.matches(text, 100_000)).toBeNull();
    expect(set.matching(text, 100_000)).toBeNull();
    expect(set.effort).toBeLessThan(500_000);
  });
});

describe('A glob', () => {
  it.each([
    ['stars', 'release/*', ['release/1', 'release/1/2'], ['release', 'prerelease/1']],
    ['stars', 'a?[b]{c}\\d', ['a?[b]{c}\\d'], ['axbc\\d']],
    ['gitea', 'ci/*', ['ci/unit', 'ci/unit/linux'], ['ci', 'xci/unit']],
    [
      'gitea',
      'ci / {unit,lint{-1,-2},} (push)',
      ['ci / unit (push)', 'ci / lint-2 (push)', 'ci /  (push)'],
      ['ci / lint'],
    ],
    ['gitea', '{ab,*c}{b*,d}', ['abd', 'xcb'], ['ab', 'bd']],
    ['gitea', 'node [1-3!][!0-4]', ['node 15', 'node !9'], ['node 14', 'node 45', 'node 1']],
    ['gitea', '\\*\\{a,b\\}', ['*{a,b}'], ['xa', 'a']],
    ['gitea', 'a},b[', ['a},b['], ['a', 'b[']],
    ['gitea', '[z-a]', [], ['a', 'z', '-']],
    ['gitea', 'a{b', [], ['a{b', 'ab']],
    ['gitea', '*{x,}*{y,z*}', ['y', 'xz', 'azb'], ['', 'x']],
    ['gitea-branch', 'release/*', ['release/1'], ['release/1/2', 'release']],
    ['gitea-branch', '**', ['main', 'release/1'], []],
    ['gitea-branch', 'v?.{0,1}', ['v1.0'], ['v/.0', 'v1.2']],
    ['gitea-branch', '{release,hotfix}/*-*', ['hotfix/a-b', 'release/a-b-c'], ['release/a/b-c']],
  ] as const)('of the dialect %s matches the names of its documentation: %s', (dialect, pattern, those, others) => {
    const matches = (text: string): boolean => matchesGlob(pattern, text, dialect);
    expect({ those: those.filter(matches), others: others.filter(matches) }).toEqual({ those, others: [] });
  });

  const PARTS = {
    gitea: ['a', 'b', '/', '*', '?', '[ab]', '[!a]', '{', ',', '}', '\\*'],
    'gitea-branch': ['a', 'b', '/', '*', '**', '?', '[!a]', '{', ',', '}'],
    'github-owners': ['a', 'b', '/', '*', '?', '/**/', '**/'],
    'gitlab-owners': ['a', 'b', '/', '*', '?', '/**/', '**/'],
  } as const;
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '/'), minLength: 1, maxLength: 10 });

  it.each(['gitea', 'gitea-branch'] as const)('of %s matches the same as a regular expression', (dialect) => {
    const part = fc.constantFrom(...PARTS[dialect]);
    const { pattern } = fc.letrec<{ pattern: string[]; braces: string[] }>((tie) => ({
      pattern: fc
        .array(
          fc.oneof(
            { maxDepth: 3 },
            part.map((one) => [one]),
            tie('braces'),
          ),
          { maxLength: 6 },
        )
        .map((all) => all.flat()),
      braces: fc
        .array(tie('pattern'), { minLength: 1, maxLength: 3 })
        .map((all) => ['{', ...all.flatMap((one, i) => (i === 0 ? one : [',', ...one])), '}']),
    }));
    fc.assert(
      fc.property(pattern, fc.array(text, { maxLength: 20 }), (parts, texts) => {
        const expected = expressionOfGitea(parts, dialect === 'gitea-branch');
        const matches = texts.map((one) => matchesGlob(parts.join(''), one, dialect));
        expect(matches).toEqual(texts.map((one) => expected?.test(one) ?? false));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(['github-owners', 'gitlab-owners'] as const)('of %s matches the same as a regular expression', (dialect) => {
    const pattern = fc.array(fc.constantFrom(...PARTS[dialect]), { maxLength: 8 }).map((parts) => parts.join(''));
    const path = text.filter((one) => one.split('/').every((part) => part !== ''));
    fc.assert(
      fc.property(pattern, fc.array(path, { maxLength: 20 }), (line, paths) => {
        const expected = expressionOfOwners(line, dialect === 'gitlab-owners');
        const set = new GlobSet([line], dialect);
        expect(paths.map((one) => set.matches(one))).toEqual(paths.map((one) => expected?.test(one) ?? false));
      }),
      { numRuns: 2_000 },
    );
  });

  const random = (characters: string, length: number): string =>
    Array.from({ length }, (_, i) => characters[((i * i) % 7919) % characters.length]).join('');

  it.each<readonly [dialect: GlobDialect, part: string, characters: string]>([
    ['text', '*a', 'a'],
    ['text', '?', 'ac'],
    ['text', '*a?', 'ac'],
    ['stars', '*', 'a'],
    ['stars', '*aac', 'aac'],
    ['gitea', '{a,*}', 'a'],
    ['gitea', '{,,,,}', 'a'],
    ['gitea', '{', 'a'],
    ['gitea', '*[a-y]', 'ac'],
    ['gitea', '[', 'a['],
    ['gitea-branch', '*a', 'a'],
    ['gitea-branch', '*a/**', 'a/'],
    ['github-owners', '**/a*/', 'aa/'],
    ['github-owners', '*a?', 'ac'],
    ['gitlab-owners', '*/', 'a/'],
  ])('of the dialect %s with %s repeated up to 4,000 characters takes linear time', (dialect, part, characters) => {
    const pattern = `*a${part.repeat((4_000 - 3) / part.length)}b`;
    const efforts = [50_000, 100_000].map((length) => {
      const set = new GlobSet([pattern], dialect);
      const most = 20_000 + 16 * (pattern.length + length);
      expect(set.matches(random(characters, length), most)).not.toBe(true);
      // The last step, which exceeds the bound, may still look at every position of the glob.
      expect(set.effort).toBeLessThan(most + 4 * pattern.length);
      return set.effort;
    });
    expect(efforts[1]!).toBeLessThanOrEqual(2.1 * efforts[0]!);
  });

  it('that takes too long matches nothing', () => {
    const slow = `*a${'?'.repeat(2_000)}*`;
    expect(matchesGlob(slow, `a${'c'.repeat(2_000)}`, 'text')).toBe(true);
    expect(matchesGlob(slow, `${random('ac', 8_000)}`, 'text')).toBe(false);
  });
});

/** The regular expression of a glob; null if its braces are not closed. */
function expressionOfGitea(parts: readonly string[], isBranch: boolean): RegExp | null {
  let depth = 0;
  const source = parts
    .join('')
    .match(/\\.|\*+|\[[^\]]+\]|./gs)
    ?.map((part) => {
      if (part === '{') depth++;
      if (part === '}' && depth > 0) {
        depth--;
        return ')';
      }
      if (part === ',' && depth > 0) return '|';
      const known: Readonly<Record<string, string>> = { '{': '(?:', '?': isBranch ? '[^/]' : '.', '}': '\\}' };
      if (part.startsWith('*')) return isBranch && part === '*' ? '[^/]*' : '.*';
      return known[part] ?? part.replace('[!', '[^');
    });
  return depth > 0 ? null : new RegExp(`^(?:${source?.join('') ?? ''})$`, 's');
}

/** The regular expression of a line of CODEOWNERS; null if the line matches nothing. */
function expressionOfOwners(line: string, isGitLab: boolean): RegExp | null {
  const parts = line.split('/').filter((part) => part !== '');
  if (parts.length === 0) return null;
  const isFolder = line.endsWith('/');
  const isRooted = line.startsWith('/') || (!isGitLab && parts.length > 1);
  const isNotBelow = isGitLab ? !isFolder : !isFolder && parts.length > 1 && parts.at(-1) === '*';
  const below = isFolder ? '/.*' : isNotBelow ? '' : '(/.*)?';
  const source = parts.map((part, i) => {
    if (part === '**') return i === parts.length - 1 ? '.*' : '(.*/)?';
    return part.replace(/\*+/g, '[^/]*').replaceAll('?', '[^/]') + (i === parts.length - 1 ? '' : '/');
  });
  return new RegExp(`^${isRooted ? '' : '(.*/)?'}${source.join('')}${below}$`, 's');
}
