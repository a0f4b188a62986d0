import { checkedByGitea } from '../contract/gitea-host';
import { World } from '../support/world';

const TARGET = 'main';
const LABEL = 'sluice-merge-queue-submit';

describe('the service on Gitea and Forgejo', () => {
  let world: World;
  let exchanges: ReturnType<typeof checkedByGitea>;

  const begin = async (host: 'gitea' | 'forgejo' = 'gitea', settings: object = {}): Promise<void> => {
    exchanges = checkedByGitea();
    world = await World.create({ host, onExchange: exchanges.onExchange });
    world.giteaRepository.changePermission('grace', 'write');
    await world.createQueue({ requiredStatuses: ['tests'], concurrency: 4, ...settings });
  };

  afterEach(async () => {
    await world.close();
    exchanges.assertFits();
  });

  const open = (number: number): string =>
    world.giteaRepository.openPullRequest({ [`${number}.txt`]: `${number}\n` }, { number, by: 'ada' }).head.sha;

  const say = async (number: number, body: string, by = 'grace'): Promise<void> => {
    world.giteaRepository.comment(number, body, by);
    await world.settles();
  };

  const testingBranches = (): readonly string[] =>
    world.giteaRepository.branches().filter((branch) => branch.startsWith('sluice-merge/'));

  const report = (number: number, state: 'success' | 'failure', context = 'tests'): void => {
    const branch = testingBranches().find((name) => name.startsWith(`sluice-merge/pr-${number}/`));
    if (branch === undefined) throw new Error(`nothing tests #${number}`);
    world.giteaRepository.setStatus(world.giteaRepository.tip(branch), context, state);
  };

  const finish = async (number: number, state: 'success' | 'failure', context?: string): Promise<void> => {
    report(number, state, context);
    await world.settles();
  };

  const files = (): readonly string[] =>
    Object.keys(world.giteaRepository.files(world.giteaRepository.tip(TARGET))).sort();

  it.each(['merge_commit', 'squash', 'rebase'] as const)(
    'merges a pull request after a comment, with a draft for CI, a comment and a status (%s)',
    async (mergeMethod) => {
      await begin('gitea', { mergeMethod });
      const { giteaRepository: repository } = world;
      const head = open(1);
      await say(1, '/sluice merge');
      expect(await world.stateOf(1)).toBe('testing');
      expect(repository.comments(1)[0]?.reactions).toMatchObject([{ content: '+1' }]);
      const shown = (): string =>
        repository.comments(1).find(({ body }) => body.includes('<!-- sluice-merge-queue -->'))?.body ?? '';
      expect(shown()).toContain('### Testing');
      expect(repository.status(head, 'Sluice Merge Queue (main)')).toMatchObject({ status: 'pending' });
      const drafts = [...repository.record.pulls.values()].filter(({ number }) => number !== 1);
      expect(drafts).toMatchObject([{ state: 'open', base: TARGET, title: expect.stringMatching(/^WIP: /) as string }]);
      await finish(1, 'success');
      expect(await world.record(1)).toMatchObject({ state: 'merged', stateReason: 'merge_graph_merge' });
      expect([repository.isMerged(1), files(), testingBranches()]).toEqual([true, ['1.txt', 'README.md'], []]);
      expect(repository.status(head, 'Sluice Merge Queue (main)')).toMatchObject({ status: 'success' });
      expect(drafts).toMatchObject([{ state: 'closed' }]);
      expect(shown()).toContain('merged');
    },
  );

  it('does not wait if the server cannot mark a pull request as merged, and closes it half a minute later', async () => {
    await begin();
    world.giteaRepository.record.allowsManualMerge = false;
    for (const number of [1, 2]) {
      open(number);
      await say(number, '/sluice merge');
      await finish(number, 'success');
      expect(await world.record(number)).toMatchObject({ state: 'merged', stateReason: 'merge_graph_merge' });
      expect(world.giteaRepository.pullRequest(number).state).toBe('open');
    }
    await world.advance(1);
    await world.settles();
    for (const number of [1, 2]) {
      expect(world.giteaRepository.pullRequest(number)).toMatchObject({ state: 'closed', merged: null });
      const bodies = world.giteaRepository.comments(number).map(({ body }) => body);
      expect(bodies).toContainEqual(expect.stringContaining('manually-merged is not allowed'));
    }
  });

  it('obeys only people who may write, and removes a label after obeying it', async () => {
    await begin();
    for (const number of [1, 2]) open(number);
    await say(1, '/sluice merge', 'mallory');
    const asked = { repo: world.repo, targetBranch: TARGET, pr: { number: 1 } };
    expect((await world.api.post('getSubmittedPullRequest', asked)).status).toBe(404);
    world.giteaRepository.addLabel(2, LABEL, 'grace');
    await world.settles();
    expect(await world.stateOf(2)).toBe('testing');
    expect(world.giteaRepository.labels(2)).toEqual([]);
  });

  it('trap 13: obeys none of its own comments, whatever they quote, and its own status is no test result', async () => {
    await begin();
    const head = open(1);
    await say(1, '<!-- sluice-answer 7 -->\n\nNobody knows the branch\n/sluice merge', world.gitea.bot);
    await world.looksAtHost();
    const asked = { repo: world.repo, targetBranch: TARGET, pr: { number: 1 } };
    expect((await world.api.post('getSubmittedPullRequest', asked)).status).toBe(404);
    await say(1, '/sluice merge');
    const [branch = ''] = testingBranches();
    for (const sha of [head, world.giteaRepository.tip(branch)]) {
      world.giteaRepository.setStatus(sha, 'Sluice Merge Queue (main)', 'failure');
    }
    await world.settles();
    await world.looksAtHost();
    expect(await world.stateOf(1)).toBe('testing');
    await finish(1, 'success');
    expect(await world.stateOf(1)).toBe('merged');
  });

  it('learns every result by polling: Forgejo sends no statuses, and webhooks to private addresses do not arrive', async () => {
    await begin('forgejo');
    open(1);
    await say(1, '/sluice merge');
    await finish(1, 'success');
    expect(await world.stateOf(1)).toBe('testing');
    await world.looksAtHost();
    expect(await world.stateOf(1)).toBe('merged');
    world.gitea.webhooks.deliverTo(null);
    open(2);
    await say(2, '/sluice merge');
    await world.looksAtHost();
    expect(await world.stateOf(2)).toBe('testing');
    report(2, 'success');
    await world.looksAtHost();
    expect(await world.stateOf(2)).toBe('merged');
  });

  it('waits for the approvals that the branch rule requires, although the host does not check them for a push', async () => {
    await begin();
    world.giteaRepository.protect(TARGET, { approvals: 1, pushers: [world.gitea.bot] });
    open(1);
    await say(1, '/sluice merge');
    expect(await world.stateOf(1)).toBe('not_ready');
    world.giteaRepository.review(1, 'APPROVED', 'grace');
    await world.settles();
    expect(await world.stateOf(1)).toBe('testing');
    world.giteaRepository.review(1, 'REQUEST_CHANGES', 'grace');
    report(1, 'success');
    await world.settles();
    expect([await world.stateOf(1), files()]).toEqual([expect.not.stringMatching('merged'), ['README.md']]);
  });

  it('waits for the statuses that the branch rule requires, also with an event in their name or as a pattern', async () => {
    await begin('gitea', { requiredStatuses: [] });
    const contexts = ['ci / test (pull_request)', 'lint / *'];
    world.giteaRepository.protect(TARGET, { contexts, pushers: [world.gitea.bot] });
    open(1);
    await say(1, '/sluice merge');
    await finish(1, 'success', 'ci / test (pull_request)');
    report(1, 'failure', 'lint / go (push)');
    report(1, 'success', 'lint / ts (push)');
    await world.looksAtHost();
    expect(await world.stateOf(1)).not.toBe('merged');
    open(2);
    await say(2, '/sluice merge');
    await finish(2, 'success', 'ci / test (pull_request)');
    await finish(2, 'success', 'lint / go (push)');
    await world.looksAtHost();
    expect(await world.stateOf(2)).toBe('merged');
  });

  it('accepts signed deliveries and refuses all other deliveries', async () => {
    await begin();
    const url = `${world.url}/webhooks/gitea`;
    const send = (to: string, headers: Record<string, string>): Promise<number> =>
      fetch(to, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json', ...headers } }).then(
        ({ status }) => status,
      );
    const unsigned = { 'x-gitea-delivery': 'a', 'x-gitea-signature': '0'.repeat(64) };
    expect(await send(`${url}/gitea.example`, unsigned)).toBe(401);
    expect(await send(`${url}/gitea.example`, { 'x-gitea-delivery': 'a' })).toBe(401);
    expect(await send(`${url}/other.example`, unsigned)).toBe(404);
    open(1);
    await world.settles();
    const answers = new Set(world.gitea.webhooks.deliveries.map(({ statusCode }) => statusCode));
    expect([...answers].every((status) => status !== null && status >= 200 && status < 300)).toBe(true);
  });

  it('trap 19: tries a revoked token less and less often, reports it, and continues when the token is accepted again', async () => {
    await begin();
    open(1);
    await say(1, '/sluice merge');
    const giveBack = world.gitea.revokeTokens();
    report(1, 'success');
    world.gitea.requests.clear();
    const minutes = 30;
    for (let minute = 0; minute < minutes; minute++) {
      await world.advance(1);
      await world.looksAtHost();
    }
    const refused = world.gitea.requests.all.filter(({ status }) => status === 401);
    expect(refused.length).toBeGreaterThanOrEqual(3);
    // The service tries after 0, 1, 3, 7, 15 and 25 minutes, and counts requests by git. The service asks the host
    // twice before it trusts an answer.
    expect(refused.length).toBeLessThanOrEqual(12);
    expect((await world.record(1)).waitingFor).toContain('gitea.example does not take the token');
    giveBack();
    for (let minute = 0; minute < 20 && (await world.stateOf(1)) !== 'merged'; minute++) {
      await world.advance(1);
      await world.looksAtHost();
    }
    expect([await world.stateOf(1), world.giteaRepository.isMerged(1)]).toEqual(['merged', true]);
  });
});
