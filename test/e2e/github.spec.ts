import { World } from '../support/world';

const TARGET = 'main';
const LABEL = 'sluice-merge-queue-submit';

describe('the service on GitHub', () => {
  let world: World;

  const begin = async (settings: object = {}): Promise<void> => {
    world = await World.create({ host: 'github' });
    world.githubRepository.answerUnknown(0);
    world.githubRepository.changePermission('grace', 'write');
    await world.createQueue({ requiredStatuses: ['tests'], concurrency: 4, ...settings });
  };

  afterEach(() => world.close());

  const open = (number: number, files: Record<string, string> = { [`${number}.txt`]: `${number}\n` }): string =>
    world.githubRepository.openPullRequest(files, { number, by: 'ada' }).head.sha;

  const say = async (number: number, body: string, by = 'grace'): Promise<void> => {
    world.githubRepository.comment(number, body, by);
    await world.settles();
  };

  const bodies = (number: number): readonly string[] => world.githubRepository.comments(number).map(({ body }) => body);
  const shown = (number: number): string =>
    bodies(number).find((body) => body.includes('<!-- sluice-merge-queue -->')) ?? '';
  const check = (sha: string) => world.githubRepository.status(sha, 'Sluice Merge Queue (main)');
  const testingBranches = (): readonly string[] =>
    world.githubRepository.branches().filter((branch) => branch.startsWith('sluice-merge/'));

  /** CI reports this state for the tests of this pull request. */
  const finish = async (number: number, state: 'success' | 'failure'): Promise<void> => {
    const branch = testingBranches().find((name) => name.startsWith(`sluice-merge/pr-${number}/`));
    if (branch === undefined) throw new Error(`nothing tests #${number}`);
    world.githubRepository.setStatus(world.githubRepository.tip(branch), 'tests', state);
    await world.settles();
  };

  const files = (): readonly string[] =>
    Object.keys(world.githubRepository.files(world.githubRepository.tip(TARGET))).sort();

  it('merges no pull request before it has the approvals of a ruleset, even if the app may push anyway', async () => {
    await begin({ mergeMethod: 'merge_commit' });
    const { githubRepository, github } = world;
    githubRepository.protect(TARGET, { kind: 'ruleset', requiredApprovals: 1, bypass: [github.bot] });
    open(1);
    await say(1, '/sluice merge');
    expect(await world.record(1)).toMatchObject({
      state: 'not_ready',
      readiness: { hostMergeability: 'not_mergeable' },
    });
    githubRepository.review(1, 'APPROVED', 'grace');
    await world.settles();
    expect(await world.stateOf(1)).toBe('testing');
    await finish(1, 'success');
    expect(await world.stateOf(1)).toBe('merged');
  });

  it.each(['merge_commit', 'squash', 'rebase'] as const)(
    'merges a pull request after a comment, with a draft for CI, a comment and a check (%s)',
    async (mergeMethod) => {
      await begin({ mergeMethod });
      const head = open(1);
      await say(1, '/sluice merge');
      expect(await world.stateOf(1)).toBe('testing');
      expect(world.githubRepository.record.comments[0]?.reactions).toMatchObject([{ content: '+1' }]);
      expect(shown(1)).toContain('### Testing');
      expect(check(head)).toMatchObject({ state: 'pending' });
      const drafts = [...world.githubRepository.record.pulls.values()].filter(({ number }) => number !== 1);
      expect(drafts).toMatchObject([{ state: 'open', draft: true, base: { ref: TARGET } }]);
      await finish(1, 'success');
      expect(await world.record(1)).toMatchObject({ state: 'merged', stateReason: 'merge_graph_merge' });
      expect(world.githubRepository.pullRequest(1).merged).not.toBeNull();
      expect([files(), testingBranches()]).toEqual([['1.txt', 'README.md'], []]);
      expect(shown(1)).toContain('merged');
      expect(check(head)).toMatchObject({ state: 'success' });
      expect(drafts).toMatchObject([{ state: 'closed' }]);
      expect(bodies(1)).toHaveLength(2);
    },
  );

  it('closes a draft by deleting its branch, or by a request of its own if the branch cannot be deleted', async () => {
    await begin();
    const drafts = (): readonly string[] =>
      [...world.githubRepository.record.pulls.values()].filter((pull) => pull.draft).map(({ state }) => state);
    for (const number of [1, 2]) {
      open(number);
      await say(number, '/sluice merge');
    }
    world.github.requests.clear();
    await world.cancel(1);
    await world.settles();
    expect([drafts(), world.github.requests.count('pulls/update')]).toEqual([['closed', 'open'], 0]);
    world.github.faults.badGateway('git-http/receive-pack', { times: Infinity });
    await world.cancel(2);
    await world.settles();
    expect(testingBranches()).toHaveLength(1);
    expect([drafts(), world.github.requests.count('pulls/update')]).toEqual([['closed', 'closed'], 1]);
    world.github.faults.recover();
    await world.advance(10);
    expect(testingBranches()).toEqual([]);
  });

  it('refuses commands of people who may not write, and suggests the right command for a misspelt command', async () => {
    await begin();
    open(1);
    await say(1, '/sluice merge', 'mallory');
    await say(1, '/sluice marge');
    expect(
      (await world.api.post('getSubmittedPullRequest', { repo: world.repo, targetBranch: TARGET, pr: { number: 1 } }))
        .status,
    ).toBe(404);
    expect(bodies(1)).toHaveLength(5);
    expect(bodies(1).at(-1)).toContain('/sluice merge');
  });

  it('cancels a pull request by a comment, and by a push during its test', async () => {
    await begin();
    for (const number of [1, 2]) open(number);
    for (const number of [1, 2]) await say(number, '/sluice merge');
    await say(1, '/sluice cancel');
    world.githubRepository.push(2, { '2.txt': 'more\n' });
    await world.settles();
    expect([await world.record(1), await world.record(2)]).toMatchObject([
      { state: 'cancelled', stateReason: 'user_requested' },
      { state: 'cancelled', stateReason: 'pr_pushed_to' },
    ]);
    expect(testingBranches()).toEqual([]);
  });

  it('tests a pull request again after somebody force-pushed the target', async () => {
    await begin();
    open(1);
    await say(1, '/sluice merge');
    const [before] = testingBranches();
    world.githubRepository.pushToBranch(TARGET, { 'outside.txt': 'x\n' });
    await world.settles();
    expect(testingBranches()).toHaveLength(1);
    expect(testingBranches()).not.toEqual([before]);
    await finish(1, 'success');
    expect(files()).toEqual(['1.txt', 'README.md', 'outside.txt']);
  });

  it('learns every result by polling if no webhook ever arrives', async () => {
    await begin();
    world.github.webhooks.deliverTo(null);
    open(1);
    await world.submit(1);
    await world.settles();
    const [branch] = testingBranches();
    world.githubRepository.setStatus(world.githubRepository.tip(branch!), 'tests', 'success');
    await world.looksAtHost();
    await world.seesBackgroundMerge();
    expect(await world.stateOf(1)).toBe('merged');
  });

  it('obeys a comment and a label that no webhook reported', async () => {
    await begin();
    world.github.webhooks.deliverTo(null);
    for (const number of [1, 2]) open(number);
    await say(1, '/sluice merge');
    world.githubRepository.addLabel(2, LABEL, 'grace');
    await world.looksAtHost();
    for (const number of [1, 2]) {
      expect(await world.stateOf(number)).toBe('testing');
      const branch = testingBranches().find((name) => name.includes(`/pr-${number}/`));
      world.githubRepository.setStatus(world.githubRepository.tip(branch!), 'tests', 'success');
      await world.looksAtHost();
      await world.seesBackgroundMerge();
    }
    expect([await world.stateOf(1), await world.stateOf(2)]).toEqual(['merged', 'merged']);
    expect(world.githubRepository.record.comments[0]?.reactions).toMatchObject([{ content: '+1' }]);
    expect(world.githubRepository.labels(2)).toEqual([]);
  });

  it('submits by a label of people who may write, removes the label, and answers all other people', async () => {
    await begin({ commandsEnabled: false });
    open(1);
    world.githubRepository.addLabel(1, 'bug', 'grace');
    world.githubRepository.addLabel(1, LABEL, 'mallory');
    await world.settles();
    expect(world.githubRepository.labels(1)).toEqual(['bug']);
    expect(bodies(1).filter((body) => body.includes('`mallory` has no write access'))).toHaveLength(1);
    world.github.webhooks.fateOf = () => 'held';
    world.githubRepository.addLabel(1, LABEL, 'grace');
    world.github.webhooks.release((held) => [...held.toReversed(), ...held]);
    world.github.webhooks.fateOf = () => 'doubled';
    await world.settles();
    expect(await world.stateOf(1)).toBe('testing');
    expect(world.githubRepository.labels(1)).toEqual(['bug']);
    await finish(1, 'failure');
    expect(await world.stateOf(1)).toBe('failed');
    world.githubRepository.addLabel(1, LABEL, 'grace');
    await world.settles();
    expect(await world.stateOf(1)).toBe('testing');
    expect(bodies(1)).toHaveLength(2);
  });

  it('submits a pull request by the box in its comment, and unticks the box for people who may not write', async () => {
    await begin();
    open(1);
    await world.settles();
    const sticky = () => world.githubRepository.comments(1).find(({ author }) => author.login === world.github.bot)!;
    const tick = async (by: string): Promise<void> => {
      world.clock.advance(1_000);
      world.githubRepository.editComment(sticky(), sticky().body.replace('- [ ]', '- [x]'), by);
      await world.settles();
    };
    expect(bodies(1)).toEqual([expect.stringContaining('- [ ] <!-- sluice-submit -->Check this box')]);
    await tick('mallory');
    expect(sticky().body).toContain('- [ ] <!-- sluice-submit -->');
    expect(bodies(1)).toEqual([sticky().body, expect.stringContaining('`mallory` has no write access')]);
    await tick('grace');
    expect(await world.stateOf(1)).toBe('testing');
    expect(sticky().body).toContain('### Testing');
    await finish(1, 'success');
    expect(await world.stateOf(1)).toBe('merged');
    expect(sticky().body).toContain('merged');
    expect(bodies(1)).toHaveLength(2);
    const drafts = [...world.githubRepository.record.pulls.values()].filter(({ number }) => number !== 1);
    for (const { number } of drafts) expect(bodies(number)).toEqual([]);
  });

  it('neither tests nor merges a pull request that conflicts with the target, and comments on it', async () => {
    await begin();
    open(1, { 'README.md': 'mine\n' });
    world.githubRepository.pushToBranch(TARGET, { 'README.md': 'theirs\n' });
    await say(1, '/sluice merge');
    await world.advance(5);
    expect(['not_ready', 'failed']).toContain(await world.stateOf(1));
    expect(shown(1)).not.toBe('');
  });
});
