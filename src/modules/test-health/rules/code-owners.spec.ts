import { CodeOwners, SlowCodeOwners } from './code-owners';
import { slowOwners } from '../../../../test/support/slow-owners';
import { matchesGlob } from '../../../domain/glob-set';

describe('A pattern of CODEOWNERS', () => {
  it.each([
    ['*', ['a.ts', 'docs/deep/a.md'], []],
    ['*.js', ['a.js', 'src/deep/a.js'], ['a.jsx', 'js']],
    ['/build/logs/', ['build/logs/a', 'build/logs/deep/a'], ['x/build/logs/a', 'build/logs']],
    ['docs/*', ['docs/start.md'], ['docs/app/trouble.md', 'x/docs/start.md']],
    ['apps/', ['apps/a', 'x/apps/deep/a'], ['apps']],
    ['/docs/', ['docs/a'], ['x/docs/a']],
    ['**/logs', ['logs', 'build/logs/a', 'deep/er/logs/a'], ['logsx/a', 'xlogs/a']],
    ['/apps/**/test?.ts', ['apps/test1.ts', 'apps/a/b/test2.ts'], ['apps/test.ts', 'test1.ts']],
    ['/src/a\\ b.ts', ['src/a b.ts'], ['src/a', 'src/a\\ b.ts']],
    ['src/app', ['src/app', 'src/app/a.ts'], ['src/apps/a.ts', 'x/src/app/a.ts']],
    ['*/', ['a/b', 'x/a/b'], ['a']],
    ['**', ['a', 'a/b'], []],
    ['**/', ['a/b'], ['a']],
    ['docs/*/', ['docs/a/b'], ['docs/a', 'docs']],
    ['docs/**', ['docs/a', 'docs/a/b'], ['docs', 'x/docs/a']],
    ['a\\*b', ['a*b', 'x/a*b/c'], ['axb']],
    ['', [], ['', 'a', 'a/b']],
    ['/', [], ['', 'a', 'a/b']],
    ['a*b*c', ['abc', 'a1b2b3c', 'x/a-b-c/y'], ['acb', 'ab']],
  ])('matches its files on GitHub: %s', (pattern, owned, others) => {
    const owns = (path: string) => matchesGlob(pattern, path, 'github-owners');
    expect({ owned: owned.filter(owns), others: others.filter(owns) }).toEqual({ owned, others: [] });
  });

  it.each([
    ['*', ['a.ts', 'docs/deep/a.md'], []],
    ['*.js', ['a.js', 'src/deep/a.js'], ['a.jsx', 'js']],
    ['src/app/', ['src/app/a.ts', 'x/src/app/deep/a.ts'], ['src/app', 'src/apps/a.ts']],
    ['lib/', ['lib/a', 'x/lib/deep/a'], ['lib', 'xlib/a']],
    ['/config/', ['config/a/b'], ['x/config/a']],
    ['internal/README.md', ['internal/README.md', 'x/internal/README.md'], ['README.md', 'internal/README.md/a']],
    ['docs', ['docs', 'x/docs'], ['docs/a']],
    ['docs/*', ['docs/a', 'x/docs/a'], ['docs/a/b']],
    ['/docs/**/*.md', ['docs/a.md', 'docs/a/b.md'], ['x/docs/a.md']],
    ['/docs/**', ['docs/a', 'docs/a/b'], ['x/docs/a']],
    ['\\#hash', ['#hash', 'x/#hash'], []],
  ])('matches its files on GitLab: %s', (pattern, owned, others) => {
    const owns = (path: string) => matchesGlob(pattern, path, 'gitlab-owners');
    expect({ owned: owned.filter(owns), others: others.filter(owns) }).toEqual({ owned, others: [] });
  });
});

describe('The owners of a file', () => {
  it('come from the last matching rule', () => {
    const owners = new CodeOwners('# all\n*  @all\n/src/ @core me@example.com # why\n/src/free.ts\n');
    expect(['a.ts', './src/a.ts', 'src\\b.ts', 'src/free.ts', ''].map((file) => owners.of(file))).toEqual([
      ['@all'],
      ['@core', 'me@example.com'],
      ['@core', 'me@example.com'],
      [],
      [],
    ]);
  });

  it('come from every section; a rule without owners has the owners of its section', () => {
    const owners = new CodeOwners('* @all\n[Docs][2] @writers\n*.md\n^[Core]\n/src/ @core @all\n');
    expect([owners.of('src/a.md'), owners.of('a.ts')]).toEqual([['@all', '@writers', '@core'], ['@all']]);
  });

  it('are empty in a GitLab section with a rule that excludes the file; GitHub ignores such a rule', () => {
    const text = '!*.rb\n* @all\n[Ruby] @ruby\n*.rb\n!/config/\n/config/a.rb @late\n';
    const [gitlab, github] = [new CodeOwners(text, 'gitlab'), new CodeOwners(text)];
    const of = (owners: CodeOwners) =>
      ['a.ts', 'a.rb', 'config/a.rb', 'x/config/a.rb'].map((file) => owners.of(file).join(' '));
    expect(of(gitlab)).toEqual(['@all', '@ruby', '', '@ruby']);
    expect(of(github)).toEqual(['@all', '@all @ruby', '@all @late', '@all @ruby']);
  });

  it('are empty for a text without rules', () => {
    expect(new CodeOwners('# all\n[Docs] @writers\n').isEmpty).toBe(true);
    expect(new CodeOwners('[Docs] @writers\n*.md\n').isEmpty).toBe(false);
  });

  it('are empty for a path that is longer than a file system allows', () => {
    const everything = new CodeOwners('* @all');
    expect([4_096, 4_097].map((length) => everything.of('a'.repeat(length)))).toEqual([['@all'], []]);
  });

  it('are found in few steps, however many stars and folders a pattern has', () => {
    const stars = new CodeOwners(`${'a*'.repeat(40)}b @all`);
    const folders = new CodeOwners(`${'**/a*/'.repeat(40)}b @all`);
    expect([stars.of(`${'a'.repeat(4_000)}c`), folders.of(`${'aa/'.repeat(1_000)}c`)]).toEqual([[], []]);
    expect([stars.effort, folders.effort].map((effort) => effort < 20_000)).toEqual([true, true]);
  });

  it('cause an error if the rules take too many steps', () => {
    const { text, file } = slowOwners();
    expect(() => new CodeOwners(text).of(file)).toThrow(SlowCodeOwners);
  });
});
