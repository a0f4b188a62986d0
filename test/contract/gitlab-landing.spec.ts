import type { CodeHost, LandRequest } from '../../src/domain/code-host.port';
import { withoutQuickActions } from '../../src/code-hosts/gitlab/conversation/gitlab-conversation';
import { GitLabDouble } from '../support/gitlab/gitlab-double';
import type { Project } from '../support/gitlab/state';
import { ManualClock } from '../support/manual-clock';
import { connectToGitLab, GITLAB_WIDGETS } from './gitlab-host';

describe('a merge on GitLab', () => {
  let double: GitLabDouble;
  let project: Project;
  let host: CodeHost;
  let release: () => void;
  const clock = new ManualClock(new Date('2026-11-23T12:00:00Z'));

  beforeEach(async () => {
    double = await GitLabDouble.start({ now: () => clock.now() });
    project = double.createProject(GITLAB_WIDGETS.owner, 'widgets');
    ({ host, release } = connectToGitLab(double, { clock }));
  });

  afterEach(async () => {
    await double.close();
    release();
  });

  function open(iid: number): void {
    const sourceBranch = `change-${iid}`;
    project.world.commitTo(`refs/heads/${sourceBranch}`, project.world.tip('main'), { [`${iid}.txt`]: 'x\n' }, {});
    project.noticeBranches();
    const author = double.state.accounts.of('ada');
    project.open({ iid, author, sourceBranch, targetBranch: 'main', title: `Change ${iid}`, description: '' });
  }

  async function requestFor(
    iid: number,
    mergeMethod: LandRequest['mergeMethod'] = 'merge_commit',
  ): Promise<LandRequest> {
    const seen = await host.readPullRequest(GITLAB_WIDGETS, iid, 'main');
    if (seen === null) throw new Error(`There is no merge request ${iid}`);
    return {
      repository: GITLAB_WIDGETS,
      targetBranch: 'main',
      ...{ mergeMethod, pullRequests: [seen], committedAt: clock.now(), expectedTip: project.world.tip('main') },
      ...{ testedCommit: null, testedTree: null, testingBranches: [] },
    } as unknown as LandRequest;
  }

  it('does not wait for GitLab, and is shown as merged once GitLab has noticed the push', async () => {
    open(1);
    project.noticeMerges('later');
    const request = await requestFor(1);
    const landed = await host.land(request);
    const tip = project.world.tip('main');
    expect(landed).toMatchObject({ type: 'landed', tip: { commit: tip } });
    expect(await host.land(request)).toMatchObject({ type: 'landed', tip: { commit: tip } });
    const { head } = request.pullRequests[0]!;
    const shown = { number: 1, head, commit: tip, targetBranch: 'main', landedAt: clock.now() };
    await expect(host.showMerged?.(GITLAB_WIDGETS, shown)).rejects.toThrow('does not show !1 as merged yet');
    project.noticeMerges('now');
    await host.showMerged?.(GITLAB_WIDGETS, shown);
    expect(project.mergeRequests.get(1)?.state).toBe('merged');
  });

  it('is refused if an approval was withdrawn after the submission, before anything is pushed', async () => {
    open(1);
    const request = await requestFor(1);
    const approvals = project.mergeRequests.get(1)!;
    approvals.approvedBy = ['grace'];
    expect(await host.readPullRequest(GITLAB_WIDGETS, 1, 'main')).toMatchObject({ approvedBy: ['grace'] });
    approvals.approvedBy = [];
    approvals.approvalsLeft = 1;
    const before = project.world.tip('main');
    expect(await host.land(request)).toMatchObject({
      type: 'pull_request_changed',
      seen: { unmet: [{ words: '1 more approval' }] },
    });
    expect(project.world.tip('main')).toBe(before);
  });

  it('is refused for squash, because GitLab does not mark a squashed merge request as merged', async () => {
    open(1);
    expect(await host.land(await requestFor(1, 'squash'))).toMatchObject({ type: 'refused', byRule: true });
    expect(await host.readPullRequest(GITLAB_WIDGETS, 1, 'main', 'squash')).toMatchObject({
      mergeability: 'not_mergeable',
    });
  });

  it('counts only jobs in pipelines of GitLab itself (traps 1 and 2)', async () => {
    open(1);
    const { sha } = project.mergeRequests.get(1)!;
    project.addPipeline(sha, 'success', { test: 'failed', lint: 'skipped' });
    project.addPipeline(sha, 'success', { test: 'success' }, 'external');
    const reports = await host.readStatuses(GITLAB_WIDGETS, sha);
    const states = Object.fromEntries(reports.map(({ name, state }) => [name, state]));
    expect(states).toEqual({ test: 'failure', lint: 'failure', pipeline: 'failure' });
  });

  it('does not accept a pipeline that passes only because of an external status (trap 1)', async () => {
    open(1);
    const { sha } = project.mergeRequests.get(1)!;
    const whole = async (status: string, jobs: Record<string, string>, optional: string[] = []): Promise<unknown> => {
      project.addPipeline(sha, status, jobs, 'push', optional);
      const reports = await host.readStatuses(GITLAB_WIDGETS, sha);
      return reports.find(({ name }) => name === 'pipeline')?.state;
    };
    expect(await whole('success', {})).toBe('failure');
    expect(await whole('success', { test: 'success', deploy: 'manual' })).toBe('pending');
    expect(await whole('success', { test: 'canceled' })).toBe('cancelled');
    expect(await whole('success', { test: 'success', cleanup: 'skipped' })).toBe('success');
    expect(await whole('success', { test: 'success', lint: 'failed', deploy: 'manual' }, ['lint', 'deploy'])).toBe(
      'success',
    );
    expect(await whole('running', { test: 'success' })).toBe('pending');
  });

  it('reports jobs without a result: canceled jobs, and jobs whose runner failed', async () => {
    open(1);
    const { sha } = project.mergeRequests.get(1)!;
    const states = async (status: string, jobs: Record<string, string>, lost: string[] = []): Promise<unknown> => {
      const pipeline = project.addPipeline(sha, status, jobs);
      for (const job of pipeline.jobs) if (lost.includes(job.name)) job.failureReason = 'runner_system_failure';
      const reports = await host.readStatuses(GITLAB_WIDGETS, sha);
      return Object.fromEntries(reports.map(({ name, state }) => [name, state]));
    };
    const canceled = { test: 'cancelled', deploy: 'cancelled', pipeline: 'cancelled' };
    expect(await states('canceled', { test: 'canceled', deploy: 'skipped' })).toEqual(canceled);
    const stopped = { test: 'failure', lint: 'failure', pipeline: 'failure' };
    expect(await states('canceled', { test: 'canceled', lint: 'failed' })).toEqual(stopped);
    expect(await states('failed', { test: 'failed' }, ['test'])).toEqual({
      test: 'runner_lost',
      pipeline: 'runner_lost',
    });
    const both = { test: 'runner_lost', lint: 'failure', pipeline: 'failure' };
    expect(await states('failed', { test: 'failed', lint: 'failed' }, ['test'])).toEqual(both);
  });

  it('reads the newest merge request pipeline of the tested commit only (traps 3, 4 and 24)', async () => {
    open(1);
    open(2);
    const [tested, other] = [1, 2].map((iid) => project.mergeRequests.get(iid)!.sha) as [string, string];
    const states = async (): Promise<Record<string, string>> =>
      Object.fromEntries((await host.readStatuses(GITLAB_WIDGETS, tested)).map(({ name, state }) => [name, state]));
    // Pipelines of merged results, and pipelines of forks, run for commits other than the head.
    project.addPipeline(other, 'success', { test: 'success' }, 'merge_request_event');
    expect(await states()).toEqual({});
    project.addPipeline(tested, 'created', {}, 'merge_request_event');
    project.addPipeline(tested, 'success', { test: 'success' });
    expect(await states()).toEqual({ pipeline: 'pending' });
    project.addPipeline(tested, 'failed', { test: 'failed' }, 'merge_request_event');
    expect(await states()).toEqual({ test: 'failure', pipeline: 'failure' });
  });

  it('posts no status (trap 1), and writes nothing that GitLab would run as a quick action (trap 23)', async () => {
    open(1);
    double.requests.clear();
    const shown = { name: 'sluice', state: 'success', description: 'x', url: null } as const;
    await host.conversation?.showStatus(GITLAB_WIDGETS, project.mergeRequests.get(1)!.sha, shown);
    expect(double.requests.all).toEqual([]);
    await host.conversation?.ensureComment(GITLAB_WIDGETS, 1, '<!-- m -->', '/close\n/merge\n<!-- m -->');
    expect(project.mergeRequests.get(1)).toMatchObject({
      state: 'opened',
      notes: [{ body: '\\/close\n\\/merge\n<!-- m -->' }],
    });
    expect(withoutQuickActions('a\n  /assign @me')).toBe('a\n  \\/assign @me');
  });

  it('cancels the pipelines of a testing branch and of its merge request, but no other pipeline of the commit', async () => {
    open(1);
    open(2);
    const branch = 'change-1';
    const commit = project.mergeRequests.get(1)!.sha;
    const refs = ['main', branch, branch, 'refs/merge-requests/1/head', 'refs/merge-requests/2/head'];
    const made = refs.map((ref, i) => {
      return project.addPipeline(commit, i === 2 ? 'success' : 'running', {}, 'push', [], ref);
    });
    for (let times = 0; times < 2; times++) await host.stopJobs?.(GITLAB_WIDGETS, { branch, commit });
    expect(made.map(({ status }) => status)).toEqual(['running', 'canceled', 'success', 'canceled', 'running']);
    double.faults.badGateway('listPipelines');
    await expect(host.stopJobs?.(GITLAB_WIDGETS, { branch, commit })).rejects.toMatchObject({
      name: 'HostUnavailable',
    });
  });

  it('19: a refused token is not tried for a minute, and a rate limit is obeyed until the time in its answer', async () => {
    open(1);
    const { sha } = project.mergeRequests.get(1)!;
    await host.readPullRequest(GITLAB_WIDGETS, 1, 'main');
    const giveBack = double.revokeTokens();
    double.requests.clear();
    const refusals = async (): Promise<number> => {
      const asked = [
        host.readPullRequest(GITLAB_WIDGETS, 1, 'main'),
        host.readStatuses(GITLAB_WIDGETS, sha),
        host.readBranch(GITLAB_WIDGETS, 'main'),
      ];
      for (const result of await Promise.allSettled(asked)) expect(result.status).toBe('rejected');
      return double.requests.all.filter(({ status }) => status === 401).length;
    };
    const first = await refusals();
    clock.advance(59_000);
    expect(await refusals()).toBe(first);
    clock.advance(1_000);
    expect(await refusals()).toBe(first + 1);
    giveBack();
    clock.advance(120_000);
    expect(await host.readPullRequest(GITLAB_WIDGETS, 1, 'main')).toMatchObject({ number: 1 });

    double.faults.answer('getMergeRequest', 429, 'slow down', { headers: { 'retry-after': '30' } });
    const limited = { kind: 'rate_limited', retryAt: new Date(clock.now().getTime() + 30_000) };
    await expect(host.readPullRequest(GITLAB_WIDGETS, 1, 'main')).rejects.toMatchObject(limited);
    await expect(host.readPullRequest(GITLAB_WIDGETS, 1, 'main')).rejects.toMatchObject(limited);
    clock.advance(30_000);
    expect(await host.readPullRequest(GITLAB_WIDGETS, 1, 'main')).toMatchObject({ number: 1 });
  });

  it('reads notes and labels only of merge requests that changed since the last read', async () => {
    const ask = async (): Promise<readonly [string, number]> => {
      double.requests.clear();
      const since = new Date(clock.now().getTime() - 24 * 60 * 60_000);
      const people = host.conversation?.people;
      const [comments, labels] = [
        await people?.commentsSince(GITLAB_WIDGETS, since),
        await people?.labelEventsSince(GITLAB_WIDGETS, since),
      ];
      const found = [...(comments ?? []).map(({ body }) => body), ...(labels ?? []).map(({ label }) => label)];
      return [found.join(), double.requests.count('listNotes') + double.requests.count('listLabelEvents')];
    };
    for (const iid of [1, 2]) open(iid);
    project.comment(project.mergeRequests.get(1)!, 'hello', double.state.accounts.of('ada'));
    expect(await ask()).toEqual(['hello', 4]);
    clock.advance(20_000);
    expect(await ask()).toEqual(['hello', 4]);
    clock.advance(20_000);
    expect(await ask()).toEqual(['hello', 0]);
    project.addLabel(project.mergeRequests.get(2)!, 'merge', double.state.accounts.of('ada'));
    expect(await ask()).toEqual(['hello,merge', 2]);
  });

  it('lets developers give commands only if every protected branch lets developers merge', async () => {
    project.members.set('ada', 30);
    double.state.accounts.of('ada');
    const asked = () => host.conversation?.people.permissionOf(GITLAB_WIDGETS, 'ada');
    expect(await asked()).toBe('write');
    project.protectedBranches.set('main', 40);
    expect(await asked()).toBe('read');
    project.protectedBranches.clear();
    for (let number = 0; number < 100; number++) project.protectedBranches.set(`release/${number}`, 30);
    expect(await asked()).toBe('write');
    project.protectedBranches.set('on the second page', 40);
    expect(await asked()).toBe('read');
    project.protectedBranches.clear();
    double.faults.answer('listProtectedBranches', 403, 'Forbidden');
    expect(await asked()).toBe('read');
  });
});
