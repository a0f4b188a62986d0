import type { RepositoryDouble } from '../support/github/repository-double';
import { GitHubTeam } from './github-team';

const MINUTE = 60_000;

describe('attack 16: a repository of GitHub is identified by its id, whatever its name', () => {
  let team: GitHubTeam;

  beforeEach(async () => {
    team = await GitHubTeam.start();
  });
  afterEach(() => team.close());

  const nameOf = async (): Promise<string> => {
    const { owner, name } = await team.world.prisma.repository.findFirstOrThrow({ where: { hostId: { not: null } } });
    return `${owner}/${name}`;
  };
  const stateIn = async (owner: string, name: string, number: number): Promise<unknown> => {
    const request = { repo: { ...team.world.repo, owner, name }, targetBranch: 'main', pr: { number } };
    return (await team.world.api.post('getSubmittedPullRequest', request)).body.state;
  };
  const pass = (minutes: number): void => team.world.clock.advance(minutes * MINUTE);

  it.each([
    ['renamed', 'acme', 'gadgets'],
    ['transferred', 'umbrella', 'widgets'],
  ])('a %s repository is followed by its id, and its queue continues', async (how, owner, name) => {
    const { github, githubRepository: repository } = team.world;
    const number = team.open();
    await team.world.settles();
    pass(1);
    await team.say(number, '/sluice merge');
    expect(await team.world.stateOf(number)).toBe('testing');
    if (how === 'renamed') repository.renameTo(name);
    else {
      github.install(owner);
      repository.transferTo(owner);
    }
    pass(2);
    await team.finish(number);
    expect(await nameOf()).toBe(`${owner}/${name}`);
    expect(await stateIn(owner, name, number)).toBe('merged');
    expect(team.filesOnTarget()).toContain(`${number}.txt`);
    const renamed = await team.world.prisma.auditEvent.findMany({ where: { action: 'repository.renamed' } });
    expect(renamed).toMatchObject([
      { actor: 'github.example', before: { name: 'acme/widgets' }, after: { name: `${owner}/${name}` } },
    ]);
  });

  it('its new name is found by polling when no delivery comes', async () => {
    team.world.github.webhooks.fateOf = () => 'dropped';
    await team.world.looksAtHost();
    team.world.githubRepository.renameTo('gadgets');
    pass(2);
    await team.world.looksAtHost();
    expect(await nameOf()).toBe('acme/gadgets');
  });

  it('a late or repeated delivery does not restore its old name', async () => {
    const { github, githubRepository: repository } = team.world;
    const number = team.open();
    await team.world.settles();
    const old = github.webhooks.deliveries.map(({ guid }) => guid);
    repository.renameTo('gadgets');
    await team.say(number, 'hello');
    expect(await nameOf()).toBe('acme/gadgets');
    for (const guid of old) github.webhooks.replay(guid);
    await team.world.settles();
    expect(await nameOf()).toBe('acme/gadgets');
    github.createRepository('acme', 'widgets');
    for (const guid of old) github.webhooks.replay(guid);
    await team.world.settles();
    expect(await nameOf()).toBe('acme/gadgets');
    expect(await team.world.prisma.auditEvent.count({ where: { action: 'repository.renamed' } })).toBe(1);
  });

  it('no delivery decides which repository has a name: the service asks GitHub', async () => {
    const { github, githubRepository: repository, prisma } = team.world;
    const theirs = github.createRepository('acme', 'gadgets');
    theirs.renameTo('tools');
    const row = await prisma.repository.findFirstOrThrow();
    await prisma.repository.update({ where: { id: row.id }, data: { hostId: null } });
    const number = team.open();
    const [sent] = github.webhooks.deliveries.filter(({ event }) => event === 'pull_request');
    const body = sent!.body.replaceAll(`"id":${repository.record.id}`, `"id":${theirs.record.id}`);
    github.webhooks.send({ ...sent!, payload: () => JSON.parse(body) as unknown });
    await team.world.settles();
    pass(2);
    await team.say(number, '/sluice merge');
    const { hostId } = await prisma.repository.findFirstOrThrow();
    expect(hostId).toBe(String(repository.record.id));
  });

  describe('another repository that gets the old name', () => {
    it('is not obeyed when it sends deliveries', async () => {
      const { world } = team;
      const number = team.open();
      await world.settles();
      world.githubRepository.renameTo('gadgets');
      const other = world.github.createRepository('acme', 'widgets');
      other.changePermission('mallory', 'admin');
      const theirs = other.openPullRequest({ 'evil.txt': 'evil\n' }, { by: 'mallory', number });
      await world.settles();
      pass(1);
      other.comment(theirs.number, '/sluice merge', 'mallory');
      await world.settles();
      expect(await world.prisma.entry.count()).toBe(0);
      expect(other.comments(theirs.number)).toHaveLength(1);
    });

    it('is not trusted about a pull request, however recently the service compared the names', async () => {
      const { world } = team;
      const number = team.open();
      await world.settles();
      await team.say(number, '/sluice merge');
      world.github.webhooks.fateOf = ({ event }) => (event === 'status' ? 'delivered' : 'dropped');
      const taken: RepositoryDouble[] = [];
      world.github.faults.before('pulls/get', () => {
        world.githubRepository.renameTo('gadgets');
        const other = world.github.createRepository('acme', 'widgets');
        other.openPullRequest({ 'evil.txt': 'evil\n' }, { by: 'mallory', number });
        taken.push(other);
      });
      await team.finish(number);
      const [other] = taken;
      expect(other?.branches()).toEqual([`change-${number}`, 'main']);
      expect(await world.stateOf(number)).toBe('tests_passed');
      expect(await world.prisma.outboxTask.findFirst({ where: { type: 'landRun' } })).toMatchObject({
        lastProblem: expect.stringContaining('is not the registered repository') as string,
      });
    });

    it('is reported as the wrong repository, to callers and in waiting pull requests, until a delivery brings the new name of the registered one', async () => {
      const { world } = team;
      const number = team.open();
      await world.settles();
      await team.say(number, '/sluice merge');
      world.github.webhooks.fateOf = () => 'dropped';
      world.githubRepository.renameTo('gadgets');
      world.github.createRepository('acme', 'widgets');
      pass(2);
      await world.looksAtHost();
      await world.advance(3);
      const another =
        'github.example: acme/widgets is not the registered repository, which was renamed, moved or deleted. ' +
        'Push to the registered repository, so that the service learns its new name, or rename it back';
      expect((await world.submit(number)).body).toMatchObject({
        error: { message: `${another}. Nothing was changed.` },
      });
      expect(await world.settlesWithErrors()).toHaveLength(1);
      expect(await team.waitingFor(number)).toContain(
        `The service has been unable to work with github.example for 3 minutes: ${another}. Nothing times out meanwhile`,
      );
      world.github.webhooks.fateOf = () => 'delivered';
      world.githubRepository.pushToBranch('feature', { 'feature.txt': 'new\n' });
      await world.settles();
      expect(await nameOf()).toBe('acme/gadgets');
      await team.finish(number);
      expect(await stateIn('acme', 'gadgets', number)).toBe('merged');
    });

    it('is neither read nor commented on nor pushed to', async () => {
      const { world } = team;
      world.githubRepository.renameTo('gadgets');
      world.github.webhooks.fateOf = () => 'dropped';
      const other = world.github.createRepository('acme', 'widgets');
      other.changePermission('mallory', 'admin');
      const { number } = other.openPullRequest({ 'evil.txt': 'evil\n' }, { by: 'mallory' });
      pass(2);
      other.comment(number, '/sluice merge', 'mallory');
      pass(2);
      await world.looksAtHost();
      expect(await world.prisma.entry.count()).toBe(0);
      expect((await world.submit(number)).status).toBe(502);
      expect((await world.settlesWithErrors()).join()).toContain('UPSTREAM_ERROR');
      expect(other.branches()).toEqual(['change-1', 'main']);
      expect(other.comments(number)).toHaveLength(1);
    });
  });
});
