import {
  branchesInWords,
  branchFilter,
  isTestingBranch,
  pullRequestOfTestingBranch,
  selectsRun,
  testRunOfTestingBranch,
} from './branches';

const matches = (pattern: string, branch: string) => selectsRun([pattern])({ branch, branchClass: 'stable' });

describe('The branches of a monitor', () => {
  it.each([
    ['main', ['main'], ['main-2', 'remain', 'Main', '']],
    ['release/*', ['release/1', 'release/1/fix', 'release/'], ['release', 'prerelease/1']],
    ['v?.?', ['v1.2'], ['v1x2.', 'v10.2', 'v1.']],
    ['a.b+(c)[d]|e$', ['a.b+(c)[d]|e$'], ['axb+(c)[d]|e$', 'a.b', 'e']],
    ['größe/*', ['größe/1'], ['große/1']],
    ['हिंदी-😀/#1', ['हिंदी-😀/#1'], ['हदी-😀/#1']],
    ['a{2}^\\\\', ['a{2}^\\\\'], ['aa^\\\\']],
    ['*', ['main', ''], []],
  ])('with the pattern %s include %j and not %j', (pattern, those, others) => {
    expect(those.filter((branch) => !matches(pattern, branch))).toEqual([]);
    expect(others.filter((branch) => matches(pattern, branch))).toEqual([]);
  });

  it('include all branches without a pattern', () => expect(branchFilter([])).toBeNull());

  it('include a branch that matches any of the patterns or classes', () => {
    const patterns = ['queue', 'main', 'stable', 'release/*'];
    expect(branchFilter(patterns)).toEqual({ classes: ['queue', 'stable'], names: ['main', 'release/%'] });
    const selects = selectsRun(patterns);
    const branches = ['main', 'release/1', 'queue', 'mainrelease/1', null];
    expect(branches.map((branch) => selects({ branch, branchClass: 'pull_request' }))).toEqual([
      ...[true, true, false, false, false],
    ]);
    expect(selects({ branch: null, branchClass: 'queue' })).toBe(true);
    expect(branchFilter(['pull_request'])).toEqual({ classes: ['pull_request'], names: [] });
  });

  it('are listed in a sentence', () => {
    expect(branchesInWords([])).toBe('');
    expect(branchesInWords(['main'])).toBe(' on main');
    expect(branchesInWords(['queue', 'pull_request', 'release/*'])).toBe(
      ' on testing branches, pull requests and release/*',
    );
  });
});

describe('A testing branch', () => {
  it.each([
    ['sluice-merge/pr-7/0b8c1a52', 7],
    ['sluice-merge/target/0b8c1a52', null],
    ['sluice-merge/pr-7', null],
    ['sluice-merge/pr-x/0b8c1a52', null],
    ['other-merge/pr-7/0b8c1a52', null],
    ['feature/sluice-merge/pr-7/0b8c1a52', null],
    ['', null],
  ])('named %j belongs to pull request %s', (branch, number) => {
    expect(pullRequestOfTestingBranch('sluice', branch)).toBe(number);
  });

  it('is recognized when it tests the target itself, too', () => {
    const branches = [
      'sluice-merge/target/1',
      'sluice-merge/pr-7/1',
      'other-merge/target/1',
      'sluice-merge/x/1',
      'main',
    ];
    expect(branches.map((branch) => isTestingBranch('sluice', branch))).toEqual([true, true, false, false, false]);
  });

  const RUN = '0f8fad5b-d9cb-469f-a165-70867728950e';

  it.each([
    [`sluice-merge/pr-7/${RUN}`, RUN],
    [`sluice-merge/pr-7/${RUN}-bisection`, RUN],
    [`sluice-merge/target/${RUN}`, RUN],
    [`of-another-brand-merge/pr-2147483647/${RUN}`, RUN],
    [`sluice-merge/pr-7/${RUN.toUpperCase()}`, null],
    [`sluice-merge/pr-7/${RUN}/more`, null],
    ['sluice-merge/pr-7/run', null],
    [RUN, null],
  ])('named %j belongs to test run %s', (branch, id) => {
    expect(testRunOfTestingBranch(branch)).toBe(id);
  });
});
