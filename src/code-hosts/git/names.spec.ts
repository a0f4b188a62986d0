import { isGitBranchName, isPlainRepository, pullRequestRef } from './names';

const BRANCHES = ['main', 'a/b', 'a.b', 'ünï', '日本', 'a-', 'x@y', '@x', '{', 'a{b', 'release/1.0', 'a'.repeat(200)];
const NO_BRANCHES = [
  '',
  '@',
  '-x',
  'a b',
  'a..b',
  '.a',
  'a/.b',
  'a.lock',
  'a.lock/b',
  'a/',
  '/a',
  'a//b',
  'a.',
  'a~',
  'a^',
];
const STRANGE = ['a:b', 'a?', 'a*', 'a[', 'a\\b', 'a@{b', 'a\nb', 'a\tb', 'a\u007fb', 'HEAD'];

describe('Names in git', () => {
  it.each(BRANCHES)('accepts the branch name %j, as git does', (name) => {
    expect(isGitBranchName(name)).toBe(true);
  });

  it.each([...NO_BRANCHES, ...STRANGE])('refuses the branch name %j, as git does', (name) => {
    expect(isGitBranchName(name)).toBe(false);
  });

  it.each(['widgets', 'a.b', '_x', 'A-1', '0'])('accepts %j as owner or name of a repository', (name) => {
    expect(isPlainRepository({ owner: 'acme', name })).toBe(true);
    expect(isPlainRepository({ owner: name, name: 'widgets' })).toBe(true);
  });

  it.each(['', '.', '..', '.git', '-x', 'a b', 'ä', 'a\n', '$(x)', 'x\0', 'a.lock'])(
    'refuses %j as an owner, as a part of an owner, and as the name of a repository',
    (name) => {
      expect(isPlainRepository({ owner: 'acme', name })).toBe(false);
      expect(isPlainRepository({ owner: name, name: 'widgets' })).toBe(false);
      expect(isPlainRepository({ owner: `acme/${name}`, name: 'widgets' })).toBe(false);
    },
  );

  it('accepts slashes in owners, but not in names', () => {
    expect(isPlainRepository({ owner: 'group/sub', name: 'widgets' })).toBe(true);
    expect(isPlainRepository({ owner: 'group', name: 'sub/widgets' })).toBe(false);
  });

  it('finds the head of a pull request by the scheme of the host', () => {
    expect(pullRequestRef({ pullRequestRefs: 'refs/pull/*/head' }, 7)).toBe('refs/pull/7/head');
    expect(pullRequestRef({ pullRequestRefs: 'refs/merge-requests/*/head' }, 7)).toBe('refs/merge-requests/7/head');
  });
});
