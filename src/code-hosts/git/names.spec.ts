import { isGitBranchName, isRepositoryName } from './names';

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
  it.each(BRANCHES)('takes the branch name %j, as git does', (name) => {
    expect(isGitBranchName(name)).toBe(true);
  });

  it.each([...NO_BRANCHES, ...STRANGE])('refuses the branch name %j, as git does', (name) => {
    expect(isGitBranchName(name)).toBe(false);
  });

  it.each(['widgets', 'a.b', '_x', 'A-1', '0'])('takes the repository name %j', (name) => {
    expect(isRepositoryName(name)).toBe(true);
  });

  it.each(['', '.', '..', '.git', '-x', 'a/b', 'a b', 'ä', 'a\n', '$(x)', 'x\0'])('refuses the name %j', (name) => {
    expect(isRepositoryName(name)).toBe(false);
  });
});
