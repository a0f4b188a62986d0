import type { CodeHost, HostRepository } from '../../src/domain/code-host.port';
import { GitHubDouble } from '../support/github/github-double';
import { GitLabDouble } from '../support/gitlab/gitlab-double';
import { connectTo, GITHUB_WIDGETS } from './github-host';
import { GITEA_WIDGETS, startGitea } from './gitea-host';
import { connectToGitLab, GITLAB_WIDGETS } from './gitlab-host';

interface Place {
  readonly host: CodeHost;
  readonly repository: HostRepository;
  readonly sha: string;
  /** Lets CI begin a run with one job. Returns a function that ends the run. */
  readonly begin: () => () => void;
  /** Revokes the service's permission to read CI, or makes the server hide CI from the service. */
  readonly hide: () => void;
  readonly close: () => Promise<void>;
}

async function atGitea(isForgejo: boolean): Promise<Place> {
  const { double, place, host, close } = await startGitea({ isForgejo });
  const { sha } = place.openPullRequest({ '1.txt': '1\n' }, { number: 1 }).head;
  const begin = () => {
    const run = place.startWorkflow(sha, 'tests.yml', {});
    const job = run.addJob('unit (1)', 'in_progress');
    return () => run.changeJob(job, 'failure');
  };
  const hide = () => (double.state.listsWorkflowRuns = false);
  return { host, repository: GITEA_WIDGETS, sha, begin, hide, close };
}

async function atGitHub(): Promise<Place> {
  const double = await GitHubDouble.start();
  const place = double.createRepository('acme', 'widgets');
  const { host, release } = connectTo(double);
  const sha = place.tip('main');
  const begin = () => {
    const run = place.startWorkflow(sha, '.github/workflows/tests.yml');
    const job = run.addJob('unit (1)', 'in_progress');
    return () => run.changeJob(job, 'failure');
  };
  const hide = () => double.setPermission('acme', 'actions', 'none');
  const close = async () => {
    await double.close();
    release();
  };
  return { host, repository: GITHUB_WIDGETS, sha, begin, hide, close };
}

async function atGitLab(): Promise<Place> {
  const double = await GitLabDouble.start();
  const project = double.createProject(GITLAB_WIDGETS.owner, 'widgets');
  const { host, release } = connectToGitLab(double);
  const sha = project.world.tip('main');
  const begin = () => {
    const pipeline = project.addPipeline(sha, 'running', { 'unit 1/2': 'running' });
    return () => (pipeline.status = 'failed');
  };
  const hide = () => double.faults.answer('listPipelines', 404, '404 Not found', { times: Infinity });
  const close = async () => {
    await double.close();
    release();
  };
  return { host, repository: GITLAB_WIDGETS, sha, begin, hide, close };
}

describe.each([
  ['Gitea', () => atGitea(false), 'tests.yml / unit (pull_request)'],
  ['Forgejo', () => atGitea(true), 'tests.yml / unit (pull_request)'],
  ['GitHub', atGitHub, null],
  ['GitLab', atGitLab, 'pipeline'],
] as const)('the progress of CI for a commit, at %s,', (_, start, nameOfJob) => {
  let place: Place;

  beforeEach(async () => void (place = await start()));
  afterEach(() => place.close());

  const names = [nameOfJob ?? 'unit', 'jenkins'];
  const namesOfJobs = nameOfJob === null ? [] : [nameOfJob];
  const progress = () => place.host.readCiProgress?.(place.repository, place.sha, names);

  it('counts as done while CI has started no job for the commit', async () => {
    expect(await progress()).toEqual({ isDone: true, runs: 0, namesOfJobs });
  });

  it('is done when everything that CI started has ended, with any result', async () => {
    const ends = [place.begin(), place.begin()];
    expect(await progress()).toEqual({ isDone: false, runs: 2, namesOfJobs });
    ends[0]!();
    expect(await progress()).toMatchObject({ isDone: false });
    ends[1]!();
    expect(await progress()).toEqual({ isDone: true, runs: 2, namesOfJobs });
  });

  it('is unknown if the host does not show its jobs', async () => {
    place.hide();
    expect(await progress()).toBeNull();
  });
});
