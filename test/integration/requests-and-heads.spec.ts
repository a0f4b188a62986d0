import { HostInbox } from '../../src/domain/code-host.port';
import { MEMORY_LOGIN, type MemoryShown } from '../../src/code-hosts/memory/memory-conversation';
import { createRepository, removeRepository } from '../../src/platform/auth/repositories';
import { World } from '../support/world';

const SECOND = 1_000;
const LABEL = 'sluice-merge-queue-submit';

describe('attack 2: a request authorises the head that its author could see, and no other head', () => {
  let world: World;
  let shown: MemoryShown;
  let told = 0;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
    shown = world.memoryHost.openConversation().of(world.repo);
    shown.permissions.set('ada', 'write').set('eve', 'read');
    world.memory.openPullRequest(1, { author: 'eve', headBranch: 'eve:topic' });
    await world.createQueue({ requiredStatuses: ['tests'], commentsEnabled: false, statusCheckEnabled: false });
    world.clock.advance(60 * SECOND);
  });
  afterEach(() => world.close());

  const push = (by = 'eve') => world.memory.pushToPullRequest(1, { 'more.txt': `${world.clock.now().getTime()}` }, by);
  const later = (): void => world.clock.advance(10 * SECOND);
  const replies = () => (shown.comments.get(1) ?? []).map(({ body }) => body.split('\n\n').at(-1));
  const headOf = async (number = 1) => (await world.record(number)).prSha;
  const isQueued = async () => (await world.record(1)).isCurrentlySubmittedToQueue === true;
  const noPushesRecorded = (): void => void world.memory.pushes.splice(0);

  async function tell(event: object): Promise<void> {
    const { id: repositoryId, host } = await world.prisma.repository.findFirstOrThrow();
    const all = { repositoryId, number: 1, ...event } as never;
    await world.app.get(HostInbox).append(host, `delivery ${++told}`, all);
  }

  const writtenNow = (body = '/sluice merge') => ({
    ...{ type: 'comment_made', commentId: `c${++told}`, author: 'ada', isBot: false, body },
    writtenAt: world.clock.now().getTime(),
  });

  const tellHead = (sha: string, pushedBy: string | null) =>
    tell({ type: 'pull_request_changed', head: { sha, since: world.clock.now().getTime(), pushedBy } });

  const refusal = (head: string): string =>
    `Nothing was done: the head of this pull request is now \`${head.slice(0, 8)}\`, and may be newer than your request. Review the new head, and submit the pull request again to merge it.`;

  describe('a comment', () => {
    it('is obeyed for the head under which it was written', async () => {
      await tell(writtenNow());
      await world.settles();
      expect(await headOf()).toBe(world.memory.pullRequest(1).head);
      expect(replies()).toEqual([]);
    });

    it('is refused if somebody pushed before its delivery, and obeyed when it is repeated', async () => {
      const comment = writtenNow();
      later();
      const head = push();
      await tell(comment);
      await world.settles();
      expect(await isQueued()).toBe(false);
      expect(replies()).toEqual([refusal(head)]);
      later();
      await tell(writtenNow());
      await world.settles();
      expect(await headOf()).toBe(head);
    });

    it('whose delivery was lost is refused if it is found an hour later, when there is a newer head', async () => {
      const at = world.clock.now();
      const made = { id: 'c1', number: 1, author: 'ada', isBot: false, body: '/sluice merge' };
      shown.written.push({ ...made, writtenAt: at, changedAt: at });
      world.clock.advance(30 * 60 * SECOND);
      const head = push();
      world.clock.advance(30 * 60 * SECOND);
      await world.looksAtHost();
      expect(await isQueued()).toBe(false);
      expect(replies()).toEqual([refusal(head)]);
    });

    it('is refused if the host has no record of the push and no event came, and obeyed when it is repeated', async () => {
      noPushesRecorded();
      await tell(writtenNow());
      later();
      await world.settles();
      expect(replies()).toEqual([refusal(world.memory.pullRequest(1).head)]);
      later();
      await tell(writtenNow());
      await world.settles();
      expect(await isQueued()).toBe(true);
    });

    it('is obeyed for a head of an earlier host event, also if the host has no record', async () => {
      noPushesRecorded();
      await tellHead(world.memory.pullRequest(1).head, 'eve');
      later();
      await tell(writtenNow());
      await world.settles();
      expect(await isQueued()).toBe(true);
    });

    it('is refused for a commit that was the head earlier, and became the head again after the comment', async () => {
      const first = world.memory.pullRequest(1).head;
      await tellHead(first, 'eve');
      later();
      await tellHead(push(), 'eve');
      later();
      const comment = writtenNow();
      later();
      world.memory.pullRequest(1).head = first;
      world.memory.pushes.push({ number: 1, head: first, at: world.clock.now(), by: 'eve' });
      await tellHead(first, 'eve');
      await tell(comment);
      await world.settles();
      expect(await isQueued()).toBe(false);
      expect(replies()).toEqual([refusal(first)]);
    });

    it('that cancels a pull request is obeyed for any head', async () => {
      await world.submit(1);
      await world.settles();
      const comment = writtenNow('/sluice cancel');
      later();
      push('ada');
      await tell(comment);
      await world.settles();
      expect(await world.record(1)).toMatchObject({ state: 'cancelled', stateReason: 'user_requested' });
    });
  });

  it('a label is refused if somebody pushed after it was added, and is removed', async () => {
    const event = { id: '1', number: 1, type: 'set', label: LABEL, actor: 'ada', isBot: false } as const;
    shown.labelEvents.push({ ...event, at: world.clock.now() });
    later();
    const head = push();
    await tell({ type: 'label_set', label: LABEL });
    await world.settles();
    expect(await isQueued()).toBe(false);
    expect(replies()).toEqual([refusal(head)]);
    expect(shown.labelsRemoved.get(1)).toEqual([LABEL]);
  });

  it('a box is refused if somebody pushed after it was ticked, and is unticked', async () => {
    await world.updateQueue({ commentsEnabled: true });
    const openedAt = world.clock.now().getTime();
    await tell({ type: 'pull_request_opened', base: 'main', headBranch: 'eve:topic', openedAt });
    await world.settles();
    const sticky = shown.comments.get(1)![0]!;
    const before = sticky.body;
    sticky.body = before.replace('- [ ]', '- [x]');
    const who = { commentId: 'c1', author: MEMORY_LOGIN, editor: 'ada', isBot: false };
    const edit = { before, body: sticky.body, editedAt: world.clock.now().getTime() };
    later();
    const head = push();
    await tell({ type: 'comment_edited', ...who, ...edit });
    await world.settles();
    expect(await isQueued()).toBe(false);
    expect(sticky.body).toContain('- [ ]');
    expect(replies().at(-1)).toBe(refusal(head));
  });

  it('stored heads do not prevent an organization from giving up a repository', async () => {
    const { prisma, clock } = world;
    const wanted = { organizationSlug: 'acme', host: world.repo.host, owner: 'acme', name: 'gadgets' };
    const { id: repositoryId } = await createRepository(prisma, wanted, clock.now(), []);
    await tell({
      type: 'pull_request_changed',
      repositoryId,
      head: { sha: 'f'.repeat(40), since: 0, pushedBy: 'ada' },
    });
    expect(await prisma.pullRequestHead.count({ where: { repositoryId } })).toBe(1);
    await removeRepository(prisma, wanted, clock.now(), []);
    expect(await prisma.repository.count({ where: { id: repositoryId } })).toBe(0);
  });

  describe('a push to a pull request that is not ready', () => {
    beforeEach(async () => {
      world.memory.pullRequest(1).draft = true;
      await world.submit(1);
      later();
    });

    async function ready(): Promise<void> {
      world.memory.pullRequest(1).draft = false;
      await tell({ type: 'pull_request_changed' });
      await world.settles();
    }

    it('by somebody who may write moves the request to the new head', async () => {
      const head = push('ada');
      await ready();
      expect(await world.record(1)).toMatchObject({ state: 'testing', prSha: head });
    });

    it('by somebody who may not write cancels the pull request', async () => {
      push('eve');
      await ready();
      expect(await world.record(1)).toMatchObject({ state: 'cancelled', stateReason: 'pr_pushed_to' });
    });

    it('cancels the pull request if the pusher is unknown', async () => {
      push('ada');
      noPushesRecorded();
      await ready();
      expect(await world.record(1)).toMatchObject({ state: 'cancelled', stateReason: 'pr_pushed_to' });
    });

    it('is accepted if a host event named the pusher, also if the host has no record', async () => {
      const head = push('ada');
      noPushesRecorded();
      await tellHead(head, 'ada');
      await ready();
      expect(await world.record(1)).toMatchObject({ state: 'testing', prSha: head });
    });

    it('by somebody who may not write cancels the pull request, although a later push by somebody who may follows', async () => {
      await tellHead(push('eve'), 'eve');
      later();
      await tellHead(push('ada'), 'ada');
      await ready();
      expect(await world.record(1)).toMatchObject({ state: 'cancelled', stateReason: 'pr_pushed_to' });
    });
  });
});
