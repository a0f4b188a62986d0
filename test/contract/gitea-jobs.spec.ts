import type { CodeHost } from '../../src/domain/code-host.port';
import type { GiteaDouble } from '../support/gitea/gitea-double';
import type { GiteaRepositoryDouble } from '../support/gitea/repository-double';
import { GITEA_WIDGETS as repository, startGitea } from './gitea-host';

const NAME = 'tests.yml / unit (pull_request)';

/** Gitea Actions report each job as a status of the commit, under a name that other jobs may have, too. */
describe.each([
  ['Gitea', false],
  ['Forgejo', true],
])('jobs of %s', (_, isForgejo) => {
  let double: GiteaDouble;
  let place: GiteaRepositoryDouble;
  let host: CodeHost;
  let sha: string;
  let close: () => Promise<void>;

  beforeEach(async () => {
    ({ double, place, host, close } = await startGitea({ isForgejo }));
    sha = place.openPullRequest({ '1.txt': '1\n' }, { number: 1 }).head.sha;
  });
  afterEach(() => close());

  const states = async (): Promise<Record<string, string>> =>
    Object.fromEntries((await host.readStatuses(repository, sha)).map(({ name, state }) => [name, state]));
  const start = (file = 'tests.yml', options: { event?: string; name?: string } = {}) =>
    place.startWorkflow(sha, file, options);

  it('all count if several of one workflow have the same name, whichever ends first', async () => {
    const run = start();
    run.addJob('unit', 'failure');
    const slow = run.addJob('unit', 'in_progress');
    expect(await states()).toEqual({ [NAME]: 'failure' });
    run.changeJob(slow, 'success');
    expect(place.status(sha, NAME)?.status).toBe('success');
    expect(await states()).toEqual({ [NAME]: 'failure' });
  });

  it('count although they are only queued, if another job of the same name passed', async () => {
    const run = start();
    run.addJob('unit', 'success');
    const second = run.addJob('unit');
    run.changeJob(run.addJob('lint'), 'success');
    expect(await states()).toMatchObject({ [NAME]: 'pending' });
    run.changeJob(second, 'success');
    expect(await states()).toMatchObject({ [NAME]: 'success' });
  });

  it('all count if two workflow files have the same name', async () => {
    start('code.yml', { name: 'tests.yml' }).addJob('unit', 'failure');
    start('docs.yml', { name: 'tests.yml' }).addJob('unit', 'success');
    expect(await states()).toEqual({ [NAME]: 'failure' });
  });

  it('count by the newest run for each workflow file and event', async () => {
    start().addJob('unit', 'failure');
    start().addJob('unit', 'success');
    expect(await states()).toEqual({ [NAME]: 'success' });
    start().addJob('unit', 'in_progress');
    expect(await states()).toEqual({ [NAME]: 'pending' });
  });

  it('count by their newest attempt, or by their earlier result if a restart did not run them again', async () => {
    const run = start();
    run.addJob('unit', 'failure');
    run.addJob('lint', 'success');
    const [again] = run.restartFailed();
    expect(await states()).toEqual({ [NAME]: 'pending', 'tests.yml / lint (pull_request)': 'success' });
    run.changeJob(again!, 'success');
    expect(await states()).toEqual({ [NAME]: 'success', 'tests.yml / lint (pull_request)': 'success' });
  });

  it('are cancelled if somebody stopped them, although the server reports a failure', async () => {
    start().addJob('unit', 'cancelled');
    expect(place.status(sha, NAME)?.status).toBe('failure');
    expect(await states()).toEqual({ [NAME]: 'cancelled' });
  });

  it('are failed if they were stopped because another job of their run failed', async () => {
    const run = start();
    const first = run.addJob('unit', 'in_progress');
    run.addJob('lint', 'failure');
    run.changeJob(first, 'cancelled');
    expect(await states()).toMatchObject({ [NAME]: 'failure' });
  });

  it('do not count if they were cancelled and their workflow file has a newer run', async () => {
    const pushed = start('tests.yml', { event: 'push' });
    const cancelled = pushed.addJob('unit', 'in_progress');
    start().addJob('unit', 'success');
    pushed.changeJob(cancelled, 'cancelled');
    expect(await states()).toMatchObject({ [NAME]: 'success' });
  });

  it('have no result if no runner took them', async () => {
    const run = start();
    run.loseRunner(run.addJob('unit'), null);
    expect(await states()).toEqual({ [NAME]: 'runner_lost' });
  });

  it('have a result if the end of their log shows that the runner finished', async () => {
    start().addJob('unit', 'failure');
    expect(await states()).toEqual({ [NAME]: 'failure' });
  });

  it('alone decide the state of their status name: no other status does, with any link', async () => {
    const run = start();
    const job = run.addJob('unit', 'failure');
    for (const url of ['', run.addressOf(job)]) place.forgeStatus(sha, NAME, 'success', url);
    expect(await states()).toEqual({ [NAME]: 'failure' });
  });

  it('are identified by their URLs if the server does not list them', async () => {
    double.state.listsWorkflowRuns = false;
    const run = start();
    run.addJob('unit', 'failure');
    run.addJob('unit', 'success');
    expect(await states()).toEqual({ [NAME]: 'failure' });
  });

  it('are requested only after one of them has ended', async () => {
    const run = start();
    const job = run.addJob('unit', 'in_progress');
    place.setStatus(sha, 'jenkins', 'success');
    expect(await states()).toEqual({ [NAME]: 'pending', jenkins: 'success' });
    expect(double.requests.count('getWorkflowRuns')).toBe(0);
    run.changeJob(job, 'success');
    expect(await states()).toEqual({ [NAME]: 'success', jenkins: 'success' });
  });
});

describe('the log of a job of Gitea', () => {
  it('is requested once; if the log is cut off, the job has lost its runner', async () => {
    const { double, place, host, close } = await startGitea();
    const { sha } = place.openPullRequest({ '1.txt': '1\n' }, { number: 1 }).head;
    const run = place.startWorkflow(sha, 'tests.yml');
    run.loseRunner(run.addJob('unit', 'in_progress'), `${'Run make\n'.repeat(2_000)}`);
    for (let times = 0; times < 2; times++)
      expect(await host.readStatuses(repository, sha)).toMatchObject([{ state: 'runner_lost' }]);
    expect(double.requests.count('downloadActionsRunJobLogs')).toBe(1);
    await close();
  });
});
