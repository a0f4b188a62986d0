import { AttestationKeeper } from '../../src/modules/attestations/attestation-keeper';
import { GitHubTeam } from './github-team';

jest.setTimeout(120_000);

const LINT = 'lint';

describe("GitHub's conditions for merging pull requests in a queue", () => {
  let team: GitHubTeam;

  beforeEach(async () => {
    team = await GitHubTeam.start({ mergeMethod: 'squash' });
  });
  afterEach(() => team.close());

  const begin = async (settings: object = {}): Promise<number> => {
    await team.world.updateQueue(settings);
    return team.open();
  };

  const head = (number: number): string => team.world.githubRepository.pullRequest(number).head.sha;

  const submit = async (number: number): Promise<void> => {
    await team.world.submit(number);
    await team.world.settles();
  };

  const standing = async (number: number): Promise<unknown[]> => {
    const { state, stateReason } = await team.world.record(number);
    return [state, stateReason];
  };

  /** The approvals in the signed statements of all merges. */
  const statedApprovals = async (): Promise<unknown[]> => {
    const { app, prisma } = team.world;
    await app.get(AttestationKeeper).sign();
    const stated = await prisma.attestation.findMany({ orderBy: { number: 'asc' } });
    return stated.map(({ payload }) => {
      const { predicate } = JSON.parse(payload) as { predicate: { approvedBy: unknown } };
      return predicate.approvedBy;
    });
  };

  const course = async (number: number): Promise<unknown[]> => {
    const { timeline } = await team.world.record(number);
    return (timeline as { state: string }[]).map(({ state }) => state).reverse();
  };

  it.each(['squash', 'merge_commit'])(
    'attack 3: an approval that is withdrawn during the test stops the merge if the app may bypass the rule (%s)',
    async (mergeMethod) => {
      const number = await begin({ mergeMethod });
      const { githubRepository, github } = team.world;
      githubRepository.protect('main', { kind: 'ruleset', requiredApprovals: 1, bypass: [github.bot] });
      githubRepository.review(number, 'APPROVED', 'grace');
      await submit(number);
      githubRepository.review(number, 'DISMISSED', 'grace');
      await team.world.settles();
      await team.finish(number);
      expect(await standing(number)).toEqual(['not_ready', 'readiness_lost']);
      expect(await team.waitingFor(number)).toContain('Missing: 1 more approval by people who may write');
      expect(team.filesOnTarget()).toEqual(['README.md']);
      githubRepository.review(number, 'APPROVED', 'grace');
      await team.world.settles();
      const tested = ['not_ready', 'pending', 'testing', 'not_ready', 'tests_passed', 'merged'];
      expect(await course(number)).toEqual(tested);
      expect(team.filesOnTarget()).toEqual(['1.txt', 'README.md']);
      expect(await statedApprovals()).toEqual([['grace']]);
    },
  );

  it('attack 3: a withdrawn approval stops the merge, although no delivery reported the withdrawal', async () => {
    const number = await begin();
    const { githubRepository, github } = team.world;
    githubRepository.protect('main', { kind: 'ruleset', requiredApprovals: 1, bypass: [github.bot] });
    githubRepository.review(number, 'APPROVED', 'grace');
    await submit(number);
    github.webhooks.fateOf = ({ event }) => (event === 'pull_request_review' ? 'dropped' : 'delivered');
    githubRepository.review(number, 'DISMISSED', 'grace');
    await team.finish(number);
    expect([await standing(number), team.filesOnTarget()]).toEqual([['not_ready', 'readiness_lost'], ['README.md']]);
    githubRepository.review(number, 'APPROVED', 'grace');
    await team.pass(10);
    expect(await course(number)).toEqual([
      ...['not_ready', 'pending', 'testing', 'tests_passed', 'not_ready', 'tests_passed', 'merged'],
    ]);
  });

  it('attack 3: the last pusher to a fork cannot approve, whether or not GitHub reported who pushed', async () => {
    const { githubRepository, github } = team.world;
    for (const login of ['linus', 'ada']) githubRepository.changePermission(login, 'write');
    githubRepository.protect('main', { kind: 'ruleset', requiredApprovals: 1, lastPush: true, bypass: [github.bot] });
    const fork = github.fork(githubRepository, 'ada');
    const { number, head: first } = githubRepository.openPullRequest({ '1.txt': 'new\n' }, { fork, by: 'ada' });
    const bring = async (by: string): Promise<void> => {
      const from = head(number);
      const commit = fork.pushToBranch('side', { [`${by}.txt`]: 'x\n' }, { by: 'linus', from });
      fork.setBranch(first.ref, commit, by);
      await team.world.settles();
    };
    await submit(number);
    await bring('grace');
    const approve = async (by: string): Promise<void> => {
      githubRepository.review(number, 'APPROVED', by);
      await team.world.settles();
    };
    await approve('grace');
    const missing = 'Missing: an approval of its last push by a person other than the author of the push';
    expect(await team.waitingFor(number)).toContain(missing);
    github.webhooks.fateOf = ({ action }) => (action === 'synchronize' ? 'dropped' : 'delivered');
    await bring('ada');
    await approve('linus');
    // The pull request left the queue, because no answer said whether the pusher may write.
    await submit(number);
    expect(await team.waitingFor(number)).toContain(missing);
    await approve('grace');
    expect(await team.world.stateOf(number)).toBe('testing');
  });

  it('attack 3: the last pusher cannot approve a pull request that another person opened', async () => {
    const { githubRepository, github } = team.world;
    githubRepository.changePermission('linus', 'write');
    githubRepository.protect('main', { kind: 'ruleset', requiredApprovals: 1, lastPush: true, bypass: [github.bot] });
    const { number } = githubRepository.openPullRequest({ '1.txt': 'new\n' }, { by: 'ada', pushedBy: 'grace' });
    githubRepository.review(number, 'APPROVED', 'grace');
    await submit(number);
    const missing = 'Missing: an approval of its last push by a person other than the author of the push';
    expect(await team.waitingFor(number)).toContain(missing);
    githubRepository.review(number, 'APPROVED', 'linus');
    await team.world.settles();
    expect(await team.world.stateOf(number)).toBe('testing');
  });

  it('open conversations delay the test, and the queue receives when they are resolved or reopened', async () => {
    const number = await begin();
    const { githubRepository, github } = team.world;
    githubRepository.protect('main', { kind: 'ruleset', conversations: true, bypass: [github.bot] });
    githubRepository.discuss(number);
    await submit(number);
    expect(await team.waitingFor(number)).toContain('Missing: 1 conversation to be resolved');
    githubRepository.resolveConversations(number);
    await team.world.settles();
    expect(await team.world.stateOf(number)).toBe('testing');
    githubRepository.reopenConversations(number);
    await team.world.settles();
    expect(await standing(number)).toEqual(['not_ready', 'readiness_lost']);
  });

  it('attack 4: a check that the app may bypass must pass on the tested commit, also if a result is reused', async () => {
    const optimizationMode = 'bisection_skip_redundant_tests';
    const number = await begin({ mergeMethod: 'merge_commit', optimizationMode });
    const { githubRepository, github } = team.world;
    githubRepository.protect('main', { kind: 'ruleset', requiredContexts: [LINT], bypass: [github.bot] });
    githubRepository.setCheckRun(head(number), LINT, 'success');
    await submit(number);
    const tested = githubRepository.tip(team.testingBranchOf(number) ?? '');
    githubRepository.setCheckRun(tested, LINT, 'in_progress');
    await team.finish(number);
    expect(await team.waitingFor(number)).toContain(
      `"${LINT}" on the tested commit ${tested.slice(0, 7)} (still running)`,
    );
    await team.world.cancel(number);
    await team.world.settles();
    githubRepository.setCheckRun(tested, LINT, 'failure');
    await submit(number);
    expect(await standing(number)).toEqual(['failed', 'host_branch_protection_unmet']);
    expect(team.filesOnTarget()).toEqual(['README.md']);
  });

  it('attack 4: a pull request merges as soon as a check that the app may bypass has passed on the tested commit', async () => {
    const number = await begin({ mergeMethod: 'merge_commit' });
    const { githubRepository, github } = team.world;
    githubRepository.protect('main', { kind: 'ruleset', requiredContexts: [LINT], bypass: [github.bot] });
    await submit(number);
    const tested = githubRepository.tip(team.testingBranchOf(number) ?? '');
    githubRepository.setCheckRun(tested, LINT, 'in_progress');
    await team.finish(number);
    expect(await standing(number)).toEqual(['tests_passed', 'test_run_passed']);
    githubRepository.setCheckRun(tested, LINT, 'success');
    await team.world.settles();
    expect(await team.world.stateOf(number)).toBe('merged');
  });

  it('attack 4: a pull request waits for a required check on its head, named in the reason, before it is tested', async () => {
    const number = await begin();
    const { githubRepository } = team.world;
    githubRepository.protect('main', { requiredContexts: [LINT] });
    await submit(number);
    const what = `the check "${LINT}" on its head ${head(number).slice(0, 7)}`;
    expect(await team.waitingFor(number)).toContain(`${what} (not reported yet)`);
    githubRepository.setCheckRun(head(number), LINT, 'failure');
    await team.world.settles();
    expect(await team.waitingFor(number)).toContain(`${what} (failed)`);
    expect([await standing(number), team.testingBranchOf(number)]).toEqual([['not_ready', 'api_requested'], undefined]);
    githubRepository.setCheckRun(head(number), LINT, 'success');
    await team.world.settles();
    await team.finish(number);
    expect(await standing(number)).toEqual(['merged', 'merge_graph_merge']);
  });

  it('attack 4: no pull request of a batch merges while a check of one of them runs again', async () => {
    const first = await begin({ batch: true, batchingMinSize: 2 });
    const second = team.open();
    const { githubRepository } = team.world;
    githubRepository.protect('main', { requiredContexts: [LINT] });
    for (const number of [first, second]) githubRepository.setCheckRun(head(number), LINT, 'success');
    for (const number of [first, second]) await submit(number);
    githubRepository.setCheckRun(head(second), LINT, 'in_progress');
    await team.finish(first);
    expect([await standing(first), await standing(second)]).toEqual(Array(2).fill(['tests_passed', 'test_run_passed']));
    expect(await team.waitingFor(first)).toContain(`"${LINT}" on its head ${head(second).slice(0, 7)} (still running)`);
    expect(team.filesOnTarget()).toEqual(['README.md']);
    await team.world.advance(3);
    expect(team.shown(second)).toContain('does not merge this pull request yet');
    githubRepository.setCheckRun(head(second), LINT, 'success');
    await team.world.settles();
    expect([await team.world.stateOf(first), await team.world.stateOf(second)]).toEqual(['merged', 'merged']);
  });

  it('attack 4: a refusal with "is expected" delays the merge, and a refusal by a rule fails the pull request', async () => {
    const number = await begin();
    const { github, githubRepository } = team.world;
    const refuse = (words: string): void => {
      githubRepository.failNextMerge(words);
      github.faults.answer('pulls/merge', 405, words);
    };
    // GitHub sends no delivery about a failed merge.
    const looksAgain = (): Promise<void> => {
      team.world.clock.advance(1_000);
      return team.world.settles();
    };
    await submit(number);
    refuse('Required status check "x" is expected.');
    await team.finish(number);
    await looksAgain();
    expect(await standing(number)).toEqual(['tests_passed', 'test_run_passed']);
    expect(await team.waitingFor(number)).toContain(
      'does not merge this pull request yet: Required status check "x" is expected.',
    );
    refuse('At least 1 approving review is required by reviewers with write access.');
    await team.pass(10);
    await looksAgain();
    expect(await standing(number)).toEqual(['failed', 'host_branch_protection_unmet']);
    expect(team.shown(number)).toContain('a branch rule of `main` forbids the merge');
  });
});
