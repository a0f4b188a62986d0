import { checkedByGitLab } from '../contract/gitlab-host';
import type { MergeRequest } from '../support/gitlab/state';
import { SIGNING_KEY } from '../support/gitlab/webhooks';
import { World } from '../support/world';

const TARGET = 'main';
const LABEL = 'sluice-merge-queue-submit';
const DEVELOPER = 30;

describe('the service on GitLab', () => {
  let world: World;
  let exchanges: ReturnType<typeof checkedByGitLab>;

  const begin = async (settings: object = {}): Promise<void> => {
    exchanges = checkedByGitLab();
    world = await World.create({ host: 'gitlab', onExchange: exchanges.onExchange });
    world.gitlabProject.members.set('grace', DEVELOPER);
    const usual = { requiredStatuses: ['test'], mergeMethod: 'merge_commit', concurrency: 4 };
    await world.createQueue({ ...usual, ...settings });
  };

  afterEach(async () => {
    await world.close();
    exchanges.assertFits();
  });

  const mergeRequest = (iid: number): MergeRequest => {
    const found = world.gitlabProject.mergeRequests.get(iid);
    if (found === undefined) throw new Error(`There is no merge request ${iid}`);
    return found;
  };

  const open = (iid: number): MergeRequest => {
    const { gitlabProject: project } = world;
    const sourceBranch = `change-${iid}`;
    const changes = { [`${iid}.txt`]: `${iid}\n` };
    const title = `Change ${iid}`;
    project.world.commitTo(`refs/heads/${sourceBranch}`, project.world.tip(TARGET), changes, { title });
    project.noticeBranches();
    const author = world.gitlab.state.accounts.of('ada');
    return project.open({ iid, author, sourceBranch, targetBranch: TARGET, title, description: '' });
  };

  const say = async (iid: number, body: string, by = 'grace'): Promise<void> => {
    world.gitlabProject.comment(mergeRequest(iid), body, world.gitlab.state.accounts.of(by));
    await world.settles();
  };

  const testingBranches = (): readonly string[] =>
    world.gitlabProject.world.branches().filter((branch) => branch.startsWith('sluice-merge/'));

  const testedCommit = (iid: number): string => {
    const branch = testingBranches().find((name) => name.startsWith(`sluice-merge/pr-${iid}/`));
    if (branch === undefined) throw new Error(`nothing tests !${iid}`);
    return world.gitlabProject.world.tip(branch);
  };

  const finish = async (iid: number, status: 'success' | 'failed', job = 'test'): Promise<void> => {
    world.gitlabProject.addPipeline(testedCommit(iid), status, { [job]: status });
    await world.settles();
  };

  const files = (): readonly string[] =>
    Object.keys(world.gitlabProject.world.files(world.gitlabProject.world.tip(TARGET))).sort();

  const isSubmitted = async (number: number): Promise<boolean> => {
    const asked = { repo: world.repo, targetBranch: TARGET, pr: { number } };
    return (await world.api.post('getSubmittedPullRequest', asked)).status !== 404;
  };

  it.each(['secret', 'signature'] as const)(
    'merges a merge request after a comment: it opens a draft for CI, shows the state in its own comment, and needs only webhooks (%s)',
    async (proof) => {
      await begin();
      if (proof === 'signature') world.gitlab.webhooks.signingKey = SIGNING_KEY;
      open(1);
      await say(1, '/sluice merge');
      expect(await world.stateOf(1)).toBe('testing');
      expect(mergeRequest(1).notes[0]?.emoji).toMatchObject([{ name: 'thumbsup' }]);
      const shown = (): string =>
        mergeRequest(1).notes.find(({ body }) => body.includes('<!-- sluice-merge-queue -->'))?.body ?? '';
      expect(shown()).toContain('### Testing');
      const drafts = [...world.gitlabProject.mergeRequests.values()].filter(({ iid }) => iid !== 1);
      expect(drafts).toMatchObject([
        { state: 'opened', targetBranch: TARGET, title: expect.stringMatching(/^Draft: /) as string },
      ]);
      await finish(1, 'success');
      expect(await world.record(1)).toMatchObject({ state: 'merged', stateReason: 'merge_graph_merge' });
      expect([mergeRequest(1).state, files(), testingBranches()]).toEqual(['merged', ['1.txt', 'README.md'], []]);
      expect(drafts).toMatchObject([{ state: expect.not.stringMatching('opened') as string }]);
      expect(shown()).toContain('merged');
      const answers = new Set(world.gitlab.webhooks.deliveries.map(({ statusCode }) => statusCode));
      expect([...answers]).toEqual([202]);
    },
  );

  it('obeys only people who may merge, and removes a label after obeying it', async () => {
    await begin();
    for (const iid of [1, 2]) open(iid);
    await say(1, '/sluice merge', 'mallory');
    expect(await isSubmitted(1)).toBe(false);
    world.gitlabProject.addLabel(mergeRequest(2), LABEL, world.gitlab.state.accounts.of('grace'));
    await world.settles();
    expect([await world.stateOf(2), mergeRequest(2).labels]).toEqual(['testing', []]);
  });

  it('trap 13: obeys none of its own comments, whatever they quote', async () => {
    await begin();
    open(1);
    await say(1, '<!-- sluice-answer 7 -->\n\nNobody knows the branch\n/sluice merge', world.gitlab.bot);
    await world.looksAtHost();
    expect(await isSubmitted(1)).toBe(false);
  });

  it('trap 2: counts only jobs in pipelines of the project itself, not external statuses or manual pipelines', async () => {
    await begin();
    open(1);
    await say(1, '/sluice merge');
    for (const source of ['external', 'api', 'web'])
      world.gitlabProject.addPipeline(testedCommit(1), 'success', { test: 'success' }, source);
    await world.settles();
    await world.looksAtHost();
    expect(await world.stateOf(1)).toBe('testing');
    await finish(1, 'failed');
    expect([await world.stateOf(1), files()]).toEqual(['failed', ['README.md']]);
  });

  it('trap 18: receives each of several deliveries with the same event id once, also if deliveries have no own id', async () => {
    await begin();
    world.gitlab.webhooks.sendsIds = false;
    world.gitlab.webhooks.fateOf = () => 'doubled';
    for (const iid of [1, 2]) open(iid);
    await say(1, '/sluice merge');
    await say(2, '/sluice merge');
    expect([await world.stateOf(1), await world.stateOf(2)]).toEqual(['testing', 'testing']);
    expect(mergeRequest(1).notes.filter(({ body }) => body === '/sluice merge')).toHaveLength(1);
    const answers = mergeRequest(1).notes.filter(({ author }) => author.login === world.gitlab.bot);
    expect(answers).toHaveLength(1);
  });

  it('learns every result by polling if webhooks do not arrive', async () => {
    await begin();
    world.gitlab.webhooks.deliverTo(null);
    open(1);
    await say(1, '/sluice merge');
    await world.looksAtHost();
    expect(await world.stateOf(1)).toBe('testing');
    await finish(1, 'success');
    expect(await world.stateOf(1)).toBe('testing');
    await world.looksAtHost();
    expect([await world.stateOf(1), mergeRequest(1).state]).toEqual(['merged', 'merged']);
  });

  it('waits for the approvals that the project requires, although GitLab does not check them for a push', async () => {
    await begin();
    const one = open(1);
    world.gitlabProject.change(one, { approvalsLeft: 1 });
    await say(1, '/sluice merge');
    expect(await world.stateOf(1)).toBe('not_ready');
    world.gitlabProject.change(one, { approvalsLeft: 0 });
    await world.settles();
    expect(await world.stateOf(1)).toBe('testing');
    world.gitlab.webhooks.deliverTo(null);
    one.approvalsLeft = 1;
    await finish(1, 'success');
    await world.looksAtHost();
    expect([await world.stateOf(1), files()]).toEqual([expect.not.stringMatching('merged'), ['README.md']]);
  });

  it('waits for the whole pipeline if the project requires a passed pipeline, and ignores external statuses', async () => {
    await begin({ requiredStatuses: [] });
    world.gitlabProject.demandsPipeline = true;
    open(1);
    await say(1, '/sluice merge');
    expect(await world.stateOf(1)).toBe('testing');
    await finish(1, 'success', 'build');
    expect(await world.stateOf(1)).toBe('merged');
    open(2);
    await say(2, '/sluice merge');
    world.gitlabProject.addPipeline(testedCommit(2), 'success', {});
    await world.settles();
    expect([await world.stateOf(2), files()]).toEqual(['failed', ['1.txt', 'README.md']]);
  });

  it("accepts deliveries with the webhook's secret, and refuses all other deliveries", async () => {
    await begin();
    const send = (headers: Record<string, string>, host = 'gitlab.example'): Promise<number> =>
      fetch(`${world.url}/webhooks/gitlab/${host}`, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json', ...headers },
      }).then(({ status }) => status);
    const signed = { 'webhook-id': 'a', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' };
    expect(await send({})).toBe(401);
    expect(await send({ 'x-gitlab-token': 'another' })).toBe(401);
    expect(await send({ ...signed, 'x-gitlab-token': 'a secret of tests' })).toBe(401);
    expect(await send({ 'x-gitlab-token': 'a secret of tests' }, 'other.example')).toBe(404);
    expect(await send({ 'x-gitlab-token': 'a secret of tests' })).toBe(202);
  });

  it('merges a pull request after an outage during which its tests passed', async () => {
    await begin();
    open(1);
    await say(1, '/sluice merge');
    world.gitlab.faults.goDown();
    await finish(1, 'success');
    expect(await world.stateOf(1)).not.toBe('merged');
    world.gitlab.faults.recover();
    for (let minutes = 0; minutes < 10 && (await world.stateOf(1)) !== 'merged'; minutes++) await world.advance(1);
    await world.looksAtHost();
    expect([await world.stateOf(1), mergeRequest(1).state]).toEqual(['merged', 'merged']);
  });
});
