import { testingPullRequestOf } from './testing-pull-request';

const QUEUE = { brand: 'sluice', targetBranch: 'main' };

describe('the pull request for a testing branch', () => {
  it('names the tested entries and their base', () => {
    const { title, body } = testingPullRequestOf({ ...QUEUE, own: [3], builtOn: [1, 2] });
    expect(title).toBe('[Sluice] Test of 3 for main');
    expect(body).toContain('tests `#3` here, on top of `#1`, `#2`, as it would be on `main`.');
  });

  it('says that it tests the target itself if there are no entries', () => {
    const { title, body } = testingPullRequestOf({ ...QUEUE, own: [], builtOn: [] });
    expect(title).toBe('[Sluice] Test main as it is');
    expect(body).toContain('tests `main` here, as it is');
  });
});
