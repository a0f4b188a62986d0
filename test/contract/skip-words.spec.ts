import { type CodeHost, type HostRepository, MERGE_METHODS } from '../../src/domain/code-host.port';
import { landToTheEnd } from '../../src/testing/contract/land-to-the-end';
import { BareRepository } from '../support/bare-repository';
import { GiteaDouble } from '../support/gitea/gitea-double';
import { GitHubDouble } from '../support/github/github-double';
import { GitLabDouble } from '../support/gitlab/gitlab-double';
import { GITEA_WIDGETS, connectToGitea } from './gitea-host';
import { GITHUB_WIDGETS, connectTo } from './github-host';
import { connectToGitLab, GITLAB_WIDGETS } from './gitlab-host';
import { makeGitHost, WIDGETS } from './hosts';

interface Place {
  readonly host: CodeHost;
  readonly repository: HostRepository;
  readonly world: BareRepository;
  /** Opens pull request 1 with one commit, which has the title of the pull request. Returns its head. */
  readonly open: (title: string) => string;
  readonly close: () => Promise<void> | void;
}

const CHANGE = { 'shop.txt': 'open\n' };

function onDisk(): Place {
  const world = BareRepository.create();
  const open = (title: string): string => world.openPullRequest(1, CHANGE, { title });
  return { host: makeGitHost(world), repository: WIDGETS, world, open, close: () => world.close() };
}

async function onGitHub(): Promise<Place> {
  const double = await GitHubDouble.start();
  const place = double.createRepository('acme', 'widgets');
  const { host, release } = connectTo(double);
  const open = (title: string): string => place.openPullRequest(CHANGE, { number: 1, title }).head.sha;
  const close = (): Promise<void> => double.close().then(release);
  return { host, repository: GITHUB_WIDGETS, world: place.record.world, open, close };
}

async function onGitea(): Promise<Place> {
  const double = await GiteaDouble.start();
  const place = double.createRepository('acme', 'widgets');
  const { host, release } = connectToGitea(double);
  const open = (title: string): string => place.openPullRequest(CHANGE, { number: 1, title }).head.sha;
  const close = (): Promise<void> => double.close().then(release);
  return { host, repository: GITEA_WIDGETS, world: place.record.world, open, close };
}

async function onGitLab(): Promise<Place> {
  const double = await GitLabDouble.start();
  const project = double.createProject(GITLAB_WIDGETS.owner, GITLAB_WIDGETS.name);
  const { host, release } = connectToGitLab(double, { settings: { closesWhatLanded: true } });
  const open = (title: string): string => {
    const head = project.world.commitTo('refs/heads/change', project.world.tip('main'), CHANGE, { title });
    project.noticeBranches();
    const facts = { sourceBranch: 'change', targetBranch: 'main', title, description: '' };
    project.open({ iid: 1, author: double.state.accounts.of('ada'), ...facts });
    return head;
  };
  const close = (): Promise<void> => double.close().then(release);
  return { host, repository: GITLAB_WIDGETS, world: project.world, open, close };
}

describe.each([
  ['git', onDisk],
  ['github', onGitHub],
  ['gitea', onGitea],
  ['gitlab', onGitLab],
])('trap 5: a title with words that skip CI, on %s', (kind, start) => {
  let place: Place;
  beforeEach(async () => {
    place = await start();
  });
  afterEach(() => place.close());

  it.each(MERGE_METHODS)(
    'is changed on the testing branch so that CI runs, and merges as it was tested (%s)',
    async (mergeMethod) => {
      const { host, repository, world } = place;
      const title = 'fix [skip ci]';
      const head = place.open(title);
      const body = 'Why: [no ci]\n\n\nskip-checks: true';
      const pullRequests = [{ number: 1, head, title, body, author: 'Ada', authorEmail: null, headBranch: null }];
      const targetTip = world.tip('main');
      const made = { repository, targetBranch: 'main', pullRequests, mergeMethod };
      const at = { onto: targetTip, targetTip, alreadyMerged: [], committedAt: new Date('2026-03-01T12:00:00Z') };
      const built = await host.buildCandidate({ ...made, ...at });
      if (built.type !== 'built') throw new Error(`not built: ${built.type}`);
      const branch = 'sluice-merge/pr-1/run';
      const pushed = { repository, branch, commit: built.commit, testRunId: 'run', requiredStatuses: ['ci'] };
      expect(await host.pushTestingBranch(pushed)).toEqual({ type: 'pushed' });

      const message = world.inBare('log', '-1', '--format=%B', branch);
      expect(message).toContain('fix (skip ci)');
      expect(message).not.toMatch(/\[(skip|no) ci\]|skip-checks/);
      const tested = { testedCommit: built.commit, testedTree: built.tree, expectedTip: targetTip };
      const landing = { ...made, ...at, ...tested, testingBranches: [branch] };
      expect(await landToTheEnd(host, landing)).toMatchObject({ type: 'landed', tip: { tree: built.tree } });
      // A rebase by GitHub itself keeps the messages of the commits.
      const landsAs = kind === 'github' && mergeMethod === 'rebase' ? 'fix [skip ci]' : 'fix (skip ci)';
      expect(world.inBare('log', '-1', '--format=%B', 'main')).toContain(landsAs);
    },
  );
});
