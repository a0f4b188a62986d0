import { type HostEvent, HostInbox } from '../../src/domain/code-host.port';
import type { RepositoryDouble } from '../support/github/repository-double';
import { World } from '../support/world';

const WORKFLOW = '.github/workflows/tests.yml';
const CHANGED = { [WORKFLOW]: 'on: push\n' };

describe('A pull request of a fork that changes workflow files', () => {
  let world: World;
  let fork: RepositoryDouble;

  const begin = async (forkWorkflows?: string): Promise<void> => {
    world = await World.create({ host: 'github' });
    world.githubRepository.answerUnknown(0);
    world.githubRepository.changePermission('grace', 'write');
    world.githubRepository.changePermission('mallory', 'read');
    fork = world.github.fork(world.githubRepository, 'mallory');
    await world.createQueue({ requiredStatuses: ['tests'], ...(forkWorkflows && { forkWorkflows }) });
  };
  afterEach(() => world.close());

  const open = async (files: Readonly<Record<string, string>> = CHANGED, by = 'mallory'): Promise<number> => {
    const { number } = world.githubRepository.openPullRequest(files, { fork, branch: 'change', by });
    await world.settles();
    return number;
  };
  const submit = async (number: number) => {
    const { status, body } = await world.submit(number);
    await world.settles();
    return { status, said: String((body.error as { message?: string } | undefined)?.message) };
  };
  const ask = async (number: number): Promise<void> => {
    world.githubRepository.comment(number, '/sluice merge', 'grace');
    await world.settles();
  };
  const said = (number: number): string =>
    world.githubRepository
      .comments(number)
      .map(({ body }) => body)
      .join('\n');

  it('is tested, and the comment explains the risk', async () => {
    await begin();
    const number = await open();
    expect(await submit(number)).toMatchObject({ status: 200 });
    expect(await world.stateOf(number)).toBe('testing');
    expect(said(number)).toContain(
      `It comes from a fork, its author has no write access, and it changes \`${WORKFLOW}\`. The tests of the queue run with the repository secrets`,
    );
  });

  it('gets no warning when it changes other files, or when its author may write', async () => {
    await begin('refuse');
    const other = await open({ 'a.txt': 'a\n' });
    expect(await submit(other)).toMatchObject({ status: 200 });
    expect(said(other)).not.toContain('secrets');
    world.githubRepository.changePermission('mallory', 'write');
    world.githubRepository.closePullRequest(other);
    expect(await submit(await open())).toMatchObject({ status: 200 });
  });

  it('gets no warning when it is not from a fork', async () => {
    await begin('refuse');
    const { number } = world.githubRepository.openPullRequest(CHANGED, { by: 'mallory' });
    await world.settles();
    expect(await submit(number)).toMatchObject({ status: 200 });
  });

  it('is never accepted if the queue is set to refuse such pull requests', async () => {
    await begin('refuse');
    const number = await open();
    for (let time = 0; time < 2; time++) {
      const { status, said: why } = await submit(number);
      expect(status).toBe(409);
      expect(why).toContain(`it changes ${WORKFLOW}`);
      expect(why).toContain('this queue does not accept it');
    }
    expect(await world.prisma.entry.count()).toBe(0);
  });

  it('is accepted at the second submission if the queue is set to require a confirmation', async () => {
    await begin('confirm');
    const number = await open();
    const first = await submit(number);
    expect(first).toMatchObject({ status: 409, said: expect.stringContaining('submit it again to start') as string });
    expect(await submit(number)).toMatchObject({ status: 200 });
    expect(await world.stateOf(number)).toBe('testing');
  });

  it('is confirmed for one head only: another push needs another confirmation', async () => {
    await begin('confirm');
    const number = await open();
    await submit(number);
    world.githubRepository.push(number, { [WORKFLOW]: 'on: pull_request\n' });
    await world.settles();
    expect(await submit(number)).toMatchObject({ status: 409 });
    expect(await submit(number)).toMatchObject({ status: 200 });
  });

  it('is confirmed by a second comment, but not by a second delivery of the first comment', async () => {
    await begin('confirm');
    const number = await open();
    await ask(number);
    expect(said(number)).toContain('submit it again to start the tests');
    // The deletion makes the state in which the service would be after a crash between the warning and the answer to
    // the comment.
    await world.prisma.outboxTask.deleteMany({ where: { type: 'answerComment' } });
    const told = await world.prisma.inboxDelivery.findFirstOrThrow({ where: { type: 'comment_made' } });
    await world.app.get(HostInbox).append(world.repo.host, 'again', told.payload as unknown as HostEvent);
    await world.settles();
    expect(await world.prisma.entry.count()).toBe(0);
    await ask(number);
    expect(await world.stateOf(number)).toBe('testing');
  });
});
