import { CodeOwners, SlowCodeOwners } from './code-owners';
import { OwnerPattern } from './owner-pattern';
import { leastCpuMs } from '../../../../test/support/least-cpu';

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
    ['a*b*c', ['abc', 'a1b2b3c', 'x/a-b-c/y'], ['acb', 'ab']],
  ])('%s', (pattern, owned, others) => {
    const compiled = new OwnerPattern(pattern);
    expect({
      owned: owned.filter((path) => compiled.owns(path)),
      others: others.filter((path) => compiled.owns(path)),
    }).toEqual({ owned, others: [] });
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
  ])('%s on GitLab', (pattern, owned, others) => {
    const compiled = new OwnerPattern(pattern, 'gitlab');
    expect({
      owned: owned.filter((path) => compiled.owns(path)),
      others: others.filter((path) => compiled.owns(path)),
    }).toEqual({ owned, others: [] });
  });

  it('matches no path that is longer than a file system allows', () => {
    const everything = new OwnerPattern('*');
    expect([4_096, 4_097].map((length) => everything.owns('a'.repeat(length)))).toEqual([true, false]);
  });

  it('takes no longer for one that is made to', () => {
    const stars = (): boolean => new OwnerPattern('a*'.repeat(40) + 'b').owns(`${'a'.repeat(4_000)}c`);
    const folders = (): boolean => new OwnerPattern('**/a*/'.repeat(40) + 'b').owns('aa/'.repeat(1_000) + 'c');
    expect([stars(), folders()]).toEqual([false, false]);
    for (const owns of [stars, folders]) expect(leastCpuMs(owns, 1_000)).toBeLessThan(1_000);
  });
});

describe('The owners of a file', () => {
  it('are those of the last rule that fits', () => {
    const owners = new CodeOwners('# all\n*  @all\n/src/ @core me@example.com # why\n/src/free.ts\n');
    expect(['a.ts', './src/a.ts', 'src\\b.ts', 'src/free.ts', ''].map((file) => owners.of(file))).toEqual([
      ['@all'],
      ['@core', 'me@example.com'],
      ['@core', 'me@example.com'],
      [],
      [],
    ]);
  });

  it('are those of every section, whose rules without owners have those of the section', () => {
    const owners = new CodeOwners('* @all\n[Docs][2] @writers\n*.md\n^[Core]\n/src/ @core @all\n');
    expect([owners.of('src/a.md'), owners.of('a.ts')]).toEqual([['@all', '@writers', '@core'], ['@all']]);
  });

  it('are nobody of a section on GitLab that takes the file out, in whatever order; GitHub ignores such a line', () => {
    const text = '!*.rb\n* @all\n[Ruby] @ruby\n*.rb\n!/config/\n/config/a.rb @late\n';
    const [gitlab, github] = [new CodeOwners(text, 'gitlab'), new CodeOwners(text)];
    const of = (owners: CodeOwners) =>
      ['a.ts', 'a.rb', 'config/a.rb', 'x/config/a.rb'].map((file) => owners.of(file).join(' '));
    expect(of(gitlab)).toEqual(['@all', '@ruby', '', '@ruby']);
    expect(of(github)).toEqual(['@all', '@all @ruby', '@all @late', '@all @ruby']);
  });

  it('are nobody, in a text without rules', () => {
    expect(new CodeOwners('# all\n[Docs] @writers\n').isEmpty).toBe(true);
    expect(new CodeOwners('[Docs] @writers\n*.md\n').isEmpty).toBe(false);
  });

  it('are not looked for longer than the message says', () => {
    expect(new SlowCodeOwners().message).toContain('longer than 10 seconds');
  });
});
