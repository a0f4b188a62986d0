import { testingPullRequestOf } from './testing-pull-request';

const QUEUE = { brand: 'sluice', targetBranch: 'main' };

describe('The pull request for a testing branch', () => {
  it('says what is tested, and on what', () => {
    const { title, body } = testingPullRequestOf({ ...QUEUE, own: [3], builtOn: [1, 2] });
    expect(title).toBe('[Sluice] Test of 3 for main');
    expect(body).toContain('tests `#3` here, on top of `#1`, `#2`, as it would be on `main`.');
  });

  it('says when it is the target itself that is tested', () => {
    const { title, body } = testingPullRequestOf({ ...QUEUE, own: [], builtOn: [] });
    expect(title).toBe('[Sluice] Test main as it is');
    expect(body).toContain('tests `main` here, as it is');
  });
});
