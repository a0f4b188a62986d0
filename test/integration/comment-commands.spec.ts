import { HostInbox, HostUnavailable } from '../../src/domain/code-host.port';
import { MEMORY_LOGIN, type MemoryShown } from '../../src/code-hosts/memory/memory-conversation';
import { dieOnceAt } from '../support/die-at';
import { storeSettings } from '../support/stored-settings';
import { World } from '../support/world';

describe('a command in a comment', () => {
  let world: World;
  let shown: MemoryShown;
  let comments: number;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
    shown = world.memoryHost.openConversation().of(world.repo);
    shown.permissions.set('ada', 'write').set('root', 'admin').set('eve', 'read');
    for (const number of [1, 2]) world.memory.openPullRequest(number);
    await world.createQueue({ requiredStatuses: ['tests'], commentsEnabled: false, statusCheckEnabled: false });
    comments = 0;
  });
  afterEach(() => world.close());

  interface Said {
    readonly author?: string;
    readonly isBot?: boolean;
    readonly number?: number;
    readonly writtenAt?: Date;
  }

  /** Writes a comment. Returns its id. */
  async function write(body: string, said: Said = {}): Promise<string> {
    const { author = 'ada', isBot = false, number = 1, writtenAt = world.clock.now() } = said;
    const commentId = `c${++comments}`;
    const { id: repositoryId, host } = await world.prisma.repository.findFirstOrThrow();
    const told = { number, commentId, author, isBot, body, writtenAt: writtenAt.getTime() };
    const event = { type: 'comment_made', repositoryId, ...told } as const;
    await world.app.get(HostInbox).append(host, `delivery of ${commentId}`, event);
    return commentId;
  }

  async function say(body: string, said: Said = {}): Promise<string> {
    const commentId = await write(body, said);
    await world.settles();
    return commentId;
  }

  const reactions = (commentId: string) => shown.reactions.get(commentId) ?? [];
  const replies = (number = 1) => (shown.comments.get(number) ?? []).map(({ body }) => body.split('\n\n').at(-1));
  const isQueued = async (number = 1) =>
    ((await world.record(number)) as { isCurrentlySubmittedToQueue?: boolean }).isCurrentlySubmittedToQueue ?? false;

  it('submits a pull request, with its options, in the name of its author', async () => {
    const comment = await say('/sluice merge -p high --no-batch');
    expect(await world.record(1)).toMatchObject({ state: 'testing', priorityValue: 10, noBatch: true });
    const [newest] = ((await world.record(1)).timeline as { reason: string; actor: string }[]).slice(-1);
    expect(newest).toMatchObject({ reason: 'user_requested', actor: 'ada' });
    expect(reactions(comment)).toEqual(['+1']);
    expect(replies()).toEqual([]);
  });

  it('raises the priority of a queued pull request, and cancels it', async () => {
    await say('/sluice merge');
    await say('/sluice merge -p urgent', { author: 'root' });
    expect(await world.record(1)).toMatchObject({ priorityValue: 0 });
    const comment = await say('/sluice cancel');
    expect(await world.record(1)).toMatchObject({ state: 'cancelled', stateReason: 'user_requested' });
    expect(reactions(comment)).toEqual(['+1']);
  });

  it.each([
    ['eve', 'who may only read'],
    ['nobody', 'whom the host does not know'],
  ])('of %s, %s, is refused with an explanation', async (author) => {
    const comment = await say('/sluice merge', { author });
    expect(await isQueued()).toBe(false);
    expect(reactions(comment)).toEqual(['-1']);
    expect(replies()).toEqual([
      `Nothing was done: only people with write access to this repository may use its merge queue, and \`${author}\` has no write access.`,
    ]);
  });

  it('that is misspelt is answered with the command that was meant', async () => {
    const comment = await say('/sluice merge -p hgih');
    expect(await isQueued()).toBe(false);
    expect(reactions(comment)).toEqual(['-1']);
    expect(replies()).toEqual(['`hgih` is not a priority. Did you mean `high`?']);
  });

  it('that the queue refuses is answered with the reason', async () => {
    await say('/sluice cancel');
    expect(replies()).toEqual(['Pull request `#1` was never submitted to this queue.']);
    world.memory.pullRequest(2).state = 'closed';
    await say('/sluice merge', { number: 2 });
    expect(replies(2)).toEqual(['Pull request `#2` is closed: only an open pull request can be submitted.']);
  });

  it("is for the queue of the pull request's base branch", async () => {
    for (const branch of ['next', 'old']) world.memory.branches.set(branch, world.memory.tip('main').commit);
    await world.createQueue({ requiredStatuses: ['tests'] }, 'next');
    world.memory.pullRequest(1).base = 'next';
    await say('/sluice merge');
    const record = { repo: world.repo, targetBranch: 'next', pr: { number: 1 } };
    expect((await world.api.post('getSubmittedPullRequest', record)).body).toMatchObject({ state: 'testing' });
    expect((await world.record(1)).error).toMatchObject({ code: 'PR_NOT_FOUND' });
    world.memory.pullRequest(2).base = 'old';
    await say('/sluice merge', { number: 2 });
    expect(replies(2)).toEqual(['There is no merge queue for `old`, the base branch of this pull request.']);
  });

  it('is obeyed only if commands are switched on', async () => {
    await world.updateQueue({ commandsEnabled: false });
    const comment = await say('/sluice merge');
    expect(await isQueued()).toBe(false);
    expect([...reactions(comment), ...replies()]).toEqual([]);
  });

  it('is obeyed from every bot with write access, if the queue names no bots', async () => {
    const reader = await say('/sluice merge', { author: 'reviewer[bot]', isBot: true });
    shown.permissions.set('renovate[bot]', 'write');
    expect(await isQueued()).toBe(false);
    const writer = await say('/sluice merge', { author: 'renovate[bot]', isBot: true });
    expect(await isQueued()).toBe(true);
    expect([reactions(reader), reactions(writer), replies()]).toEqual([[], ['+1'], []]);
  });

  it.each([[[]], [['sluice']]])('is never obeyed from the service itself, if the queue names %j', async (named) => {
    shown.permissions.set(MEMORY_LOGIN, 'admin');
    await storeSettings(world.prisma, { allowedBotSubmitters: named });
    const own = await say('/sluice merge', { author: MEMORY_LOGIN, isBot: true });
    expect(await isQueued()).toBe(false);
    expect([...reactions(own), ...replies()]).toEqual([]);
  });

  it('is obeyed only from the bots that the queue names, and other bots get no answer', async () => {
    shown.permissions.set('renovate[bot]', 'write');
    await storeSettings(world.prisma, { allowedBotSubmitters: ['dependabot'] });
    const ignored = await say('/sluice merge', { author: 'renovate[bot]', isBot: true });
    expect(await isQueued()).toBe(false);
    expect([...reactions(ignored), ...replies()]).toEqual([]);
    await storeSettings(world.prisma, { allowedBotSubmitters: ['Renovate'] });
    const obeyed = await say('/sluice merge', { author: 'renovate[bot]', isBot: true });
    expect(await isQueued()).toBe(true);
    expect(reactions(obeyed)).toEqual(['+1']);
  });

  it('is ignored inside a sentence, and in a comment on a pull request that the host does not know', async () => {
    await say('I would write /sluice merge here');
    await say('/sluice merge', { number: 99 });
    expect(await isQueued()).toBe(false);
    expect([...shown.reactions.keys()]).toEqual([]);
  });

  describe('after a failure', () => {
    it('is carried out once, although the process died after deciding', async () => {
      dieOnceAt(world, 'command decided');
      const comment = await write('/sluice merge');
      expect((await world.settlesWithErrors()).join()).toContain('died at command decided');
      await world.cancel(1);
      await world.advance(1);
      expect(await world.stateOf(1)).toBe('cancelled');
      expect(reactions(comment)).toEqual(['+1']);
      const unread = await world.prisma.inboxDelivery.count({ where: { processedAt: null } });
      expect(unread).toBe(0);
    });

    it('waits while the host does not answer', async () => {
      const unavailable = new HostUnavailable('memory.example', 'no_answer', 'connection refused');
      world.memoryHost.faults.failNext('permissionOf', unavailable);
      world.memoryHost.faults.loseAnswerOfNext('react', unavailable);
      const comment = await say('/sluice merge');
      expect(await isQueued()).toBe(false);
      await world.advance(1);
      await world.advance(1);
      expect(await isQueued()).toBe(true);
      expect(reactions(comment)).toEqual(['+1']);
    });

    it('is refused with one reply, although the answer to the first attempt was lost', async () => {
      const unavailable = new HostUnavailable('memory.example', 'no_answer', 'connection refused');
      world.memoryHost.faults.loseAnswerOfNext('reply', unavailable);
      await say('/sluice merg');
      await world.advance(1);
      expect(replies()).toEqual(['`merg` is not a command. Did you mean `/sluice merge`?']);
      expect(await world.prisma.outboxTask.count({ where: { type: 'answerComment', state: 'done' } })).toBe(1);
    });

    it('is carried out once, however often its comment is delivered', async () => {
      const comment = await say('/sluice merge');
      await world.cancel(1);
      await world.prisma.inboxDelivery.updateMany({ data: { processedAt: null, notBefore: world.clock.now() } });
      await world.settles();
      expect(await world.stateOf(1)).toBe('cancelled');
      expect(reactions(comment)).toEqual(['+1']);
    });
  });
});
