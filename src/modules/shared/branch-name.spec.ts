import { isBranchName } from './branch-name';

describe('A branch name', () => {
  it.each(['main', 'release/1.2', 'feature/ünïcode', 'a@b', 'dependabot/npm_and_yarn/left-pad-1.3.0', '#1', 'refs'])(
    'may be %s, as in git',
    (name) => expect(isBranchName(name)).toBe(true),
  );

  it.each([
    'refs/heads/main',
    '',
    '-x',
    '/main',
    'main/',
    'a//b',
    'a..b',
    'a b',
    'a~b',
    'a^b',
    'a:b',
    'a?b',
    'a*b',
    'a[b',
    'a\\b',
    'a@{b',
    '@',
    'HEAD',
    '.a',
    'a/.b',
    'a.lock',
    'a.lock/b',
    'a.',
    'a\u0000b',
    'a\u007fb',
    'x'.repeat(245),
    7,
    null,
    ['main'],
  ])('may not be %j', (name) => expect(isBranchName(name)).toBe(false));
});
