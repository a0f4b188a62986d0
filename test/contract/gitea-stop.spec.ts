import type { CodeHost } from '../../src/domain/code-host.port';
import type { GiteaRepositoryDouble } from '../support/gitea/repository-double';
import { GITEA_WIDGETS as repository, startGitea } from './gitea-host';

const BRANCH = 'sluice-merge/pr-1/run';

describe.each([
  ['Forgejo', true],
  ['Gitea', false],
])('the workflow runs of a stopped test run, on %s', (name, isForgejo) => {
  let place: GiteaRepositoryDouble;
  let host: CodeHost;
  let close: () => Promise<void>;

  beforeEach(async () => {
    ({ place, host, close } = await startGitea({ isForgejo }));
  });
  afterEach(() => close());

  const statesOf = (...runs: readonly ReturnType<GiteaRepositoryDouble['startWorkflow']>[]): readonly string[] =>
    runs.flatMap(({ record }) => record.jobs.map(({ state }) => state));

  it(`are ${isForgejo ? 'cancelled' : `left alone, because ${name} has no call for it`}, and no other runs of the commit`, async () => {
    const commit = place.pushToBranch(BRANCH, { '1.txt': '1\n' });
    const pushed = place.startWorkflow(commit, 'push.yml', { event: 'push' });
    const asked = { branch: BRANCH, targetBranch: 'main', title: 'a test', body: '' };
    await host.conversation?.openTestingPullRequest(repository, asked);
    const opened = place.startWorkflow(commit, 'pull.yml');
    for (const run of [pushed, opened]) run.addJob('unit', 'in_progress');
    pushed.addJob('lint', 'success');
    for (let times = 0; times < 2; times++) await host.stopJobs?.(repository, { branch: BRANCH, commit });
    const stopped = isForgejo ? 'cancelled' : 'in_progress';
    expect(statesOf(pushed, opened)).toEqual([stopped, 'success', stopped]);
  });

  it('are never found by the commit alone, because that commit is the tip of the target after the merge', async () => {
    const commit = place.pushToBranch(BRANCH, { '1.txt': '1\n' });
    place.removeBranch(BRANCH);
    place.setBranch('main', commit);
    const published = place.startWorkflow(commit, 'release.yml', { event: 'push' });
    published.addJob('publish', 'in_progress');
    await host.stopJobs?.(repository, { branch: BRANCH, commit });
    expect(statesOf(published)).toEqual(['in_progress']);
  });
});
