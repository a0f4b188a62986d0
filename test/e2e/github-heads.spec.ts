import { GitHubTeam } from './github-team';

const MINUTE = 60_000;

describe('attack 2: on GitHub, commits that nobody with write access submitted do not merge:', () => {
  let team: GitHubTeam;

  beforeEach(async () => {
    team = await GitHubTeam.start();
  });
  afterEach(() => team.close());

  const record = (number: number) => team.world.record(number);
  const pass = (minutes: number): void => team.world.clock.advance(minutes * MINUTE);
  /** Writes a comment, and lets the service receive the comment some time later. */
  const ask = async (number: number): Promise<void> => {
    team.world.githubRepository.comment(number, '/sluice merge', 'grace');
    pass(1);
    await team.world.settles();
  };
  const lastReply = (number: number): string => {
    const { bot } = team.world.github;
    const comments = team.world.githubRepository.comments(number);
    return comments.filter(({ author }) => author.login === bot).at(-1)?.body ?? '';
  };

  it('ten hours after a maintainer submitted a draft, its author pushes and marks it ready', async () => {
    const { world } = team;
    const repository = world.githubRepository;
    const { number } = repository.openPullRequest({ 'a.txt': 'good\n' }, { by: 'eve', draft: true });
    await world.settles();
    pass(1);
    await ask(number);
    expect(await record(number)).toMatchObject({ state: 'not_ready' });
    pass(600);
    repository.push(number, { 'a.txt': 'evil\n' }, { by: 'eve' });
    repository.markReady(number, 'eve');
    await world.settles();
    expect(await record(number)).toMatchObject({ state: 'cancelled', stateReason: 'pr_pushed_to' });
    expect(team.testingBranchOf(number)).toBeUndefined();
  });

  it('a draft continues with a push by somebody who may write', async () => {
    const repository = team.world.githubRepository;
    const { number } = repository.openPullRequest({ 'a.txt': 'good\n' }, { by: 'eve', draft: true });
    await team.world.settles();
    pass(1);
    await ask(number);
    pass(1);
    const head = repository.push(number, { 'a.txt': 'better\n' }, { by: 'grace' });
    repository.markReady(number, 'eve');
    await team.world.settles();
    expect(await record(number)).toMatchObject({ state: 'testing', prSha: head });
  });

  it.each([['reported by a delivery'], ['known to GitHub only']])(
    'the answer to a comment names the new head if somebody pushed before the comment was delivered (push %s)',
    async (how) => {
      const repository = team.world.githubRepository;
      const { number } = repository.openPullRequest({ 'a.txt': 'good\n' }, { by: 'eve' });
      await team.world.settles();
      pass(1);
      const { webhooks } = team.world.github;
      webhooks.fateOf = ({ event }) => {
        if (event === 'issue_comment') return 'held';
        return how === 'reported by a delivery' ? 'delivered' : 'dropped';
      };
      repository.comment(number, '/sluice merge', 'grace');
      pass(1);
      const head = repository.push(number, { 'a.txt': 'evil\n' }, { by: 'eve' });
      webhooks.fateOf = () => 'delivered';
      webhooks.release();
      await team.world.settles();
      expect(lastReply(number)).toContain(
        `Nothing was done: the head of this pull request is now \`${head.slice(0, 8)}\``,
      );
      pass(1);
      await ask(number);
      expect(await record(number)).toMatchObject({ state: 'testing', prSha: head });
    },
  );

  it('a comment is obeyed without a delivery about the head if GitHub dates the head before the comment', async () => {
    const repository = team.world.githubRepository;
    team.world.github.webhooks.fateOf = ({ event }) => (event === 'issue_comment' ? 'delivered' : 'dropped');
    const { number, head } = repository.openPullRequest({ 'a.txt': 'good\n' }, { by: 'eve' });
    pass(1);
    await ask(number);
    expect(await record(number)).toMatchObject({ state: 'testing', prSha: head.sha });
  });

  it('a pull request from a fork without deliveries needs a second comment', async () => {
    const { github, githubRepository: repository } = team.world;
    github.webhooks.fateOf = ({ event }) => (event === 'issue_comment' ? 'delivered' : 'dropped');
    const fork = github.fork(repository, 'eve');
    const { number, head } = repository.openPullRequest({ 'a.txt': 'good\n' }, { by: 'eve', fork });
    pass(1);
    await ask(number);
    expect(lastReply(number)).toContain('Review the new head, and submit the pull request again');
    pass(1);
    await ask(number);
    expect(await record(number)).toMatchObject({ state: 'testing', prSha: head.sha });
  });

  it('the dates of a commit prove nothing: a commit that was just pushed may have old dates', async () => {
    const repository = team.world.githubRepository;
    const { number } = repository.openPullRequest({ 'a.txt': 'good\n' }, { by: 'eve' });
    await team.world.settles();
    pass(1);
    const { webhooks } = team.world.github;
    webhooks.fateOf = () => 'held';
    repository.comment(number, '/sluice merge', 'grace');
    pass(1);
    // The mock gives people's commits a fixed date in the past.
    const head = repository.push(number, { 'a.txt': 'evil\n' }, { by: 'eve' });
    webhooks.fateOf = () => 'delivered';
    webhooks.release();
    await team.world.settles();
    expect(lastReply(number)).toContain(head.slice(0, 8));
    expect((await record(number)).isCurrentlySubmittedToQueue).not.toBe(true);
  });
});
