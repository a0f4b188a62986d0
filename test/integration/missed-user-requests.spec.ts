import { HostInbox, HostUnavailable, type LabelEvent, type WrittenComment } from '../../src/domain/code-host.port';
import { MEMORY_LOGIN, type MemoryShown } from '../../src/code-hosts/memory/memory-conversation';
import { World } from '../support/world';

const LABEL = 'sluice-merge-queue-submit';

describe('a user request without a host event', () => {
  let world: World;
  let shown: MemoryShown;
  let done: number;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
    shown = world.memoryHost.openConversation().of(world.repo);
    shown.permissions.set('ada', 'write').set('eve', 'read');
    for (const number of [1, 2]) world.memory.openPullRequest(number);
    done = 0;
  });
  afterEach(() => world.close());

  const createQueue = (settings: object = {}) =>
    world.createQueue({ requiredStatuses: ['tests'], commentsEnabled: false, statusCheckEnabled: false, ...settings });

  function write(body: string, more: Partial<WrittenComment> = {}): WrittenComment {
    const at = world.clock.now();
    const made = { id: `c${++done}`, number: 1, author: 'ada', isBot: false, body, writtenAt: at, changedAt: at };
    shown.written.push({ ...made, ...more });
    return { ...made, ...more };
  }

  function label(more: Partial<LabelEvent> = {}): void {
    const at = world.clock.now();
    const event = { id: `${++done}`, number: 1, type: 'set', label: LABEL, actor: 'ada', isBot: false, at } as const;
    shown.labelEvents.push({ ...event, ...more });
  }

  const isQueued = async (number = 1): Promise<boolean> =>
    (await world.record(number)).isCurrentlySubmittedToQueue === true;
  const replies = () => (shown.comments.get(1) ?? []).map(({ body }) => body.split('\n\n').at(-1));

  it('is found by polling, also while the queue is idle, and is carried out once', async () => {
    await createQueue();
    const { id } = write('/sluice merge');
    await world.looksAtHost();
    expect(await world.stateOf(1)).toBe('testing');
    expect(shown.reactions.get(id)).toEqual(['+1']);
    await world.cancel(1);
    await world.advance(1);
    await world.looksAtHost();
    expect(await world.stateOf(1)).toBe('cancelled');
  });

  it('is carried out once, also if a host event reports it before or afterwards', async () => {
    await createQueue();
    const { id: repositoryId, host } = await world.prisma.repository.findFirstOrThrow();
    const { id: commentId, writtenAt, ...comment } = write('/sluice merge');
    const made = { ...comment, writtenAt: writtenAt.getTime() };
    const event = { type: 'comment_made', repositoryId, commentId, ...made } as const;
    await world.app.get(HostInbox).append(host, 'first', event);
    await world.settles();
    await world.cancel(1);
    await world.looksAtHost();
    await world.app.get(HostInbox).append(host, 'again', event);
    await world.settles();
    expect(await world.stateOf(1)).toBe('cancelled');
    const told = await world.prisma.inboxDelivery.findMany({ where: { type: 'comment_made' }, orderBy: { id: 'asc' } });
    expect(told.map(({ deliveryId }) => deliveryId)).toEqual(['first', 'again']);
  });

  it('is found up to an hour later, and after a start, but not on another day', async () => {
    await createQueue();
    await world.looksAtHost();
    world.clock.advance(60_000);
    write('/sluice merge');
    write('/sluice marge', { number: 2, author: 'ada' });
    world.clock.advance(60 * 60_000);
    const other = await world.join();
    try {
      await other.looksAtHost();
    } finally {
      await other.close();
    }
    expect(await isQueued()).toBe(true);
    expect((shown.comments.get(2) ?? []).length).toBe(1);
    const { id } = write('/sluice cancel');
    world.clock.advance(25 * 60 * 60_000);
    await world.looksAtHost();
    expect(shown.reactions.get(id)).toBeUndefined();
  });

  it('is not searched in the history of a new repository, nor in a time in which no queue existed', async () => {
    write('/sluice merge');
    label();
    world.clock.advance(60_000);
    await createQueue();
    await world.looksAtHost();
    expect(await isQueued()).toBe(false);
    await world.updateQueue({ commandsEnabled: false, labelCommandsEnabled: false });
    write('/sluice merge');
    label();
    await world.looksAtHost();
    world.clock.advance(60_000);
    await world.looksAtHost();
    await world.updateQueue({ commandsEnabled: true, labelCommandsEnabled: true });
    await world.looksAtHost();
    expect(await isQueued()).toBe(false);
    write('/sluice merge');
    await world.looksAtHost();
    expect(await isQueued()).toBe(true);
  });

  it('may be a label, which is then removed', async () => {
    await createQueue({ commandsEnabled: false });
    label({ label: 'bug', number: 2 });
    label();
    await world.looksAtHost();
    expect(await world.stateOf(1)).toBe('testing');
    expect(shown.labelsRemoved.get(1)).toEqual([LABEL]);
    await world.cancel(1);
    await world.looksAtHost();
    expect(await world.stateOf(1)).toBe('cancelled');
    label({ type: 'removed', actor: MEMORY_LOGIN });
    label();
    await world.looksAtHost();
    expect(await world.stateOf(1)).toBe('testing');
  });

  it('may be a box ticked by an unknown person, which is unticked with a comment after a while', async () => {
    await createQueue({ commentsEnabled: true });
    const { id: repositoryId, host } = await world.prisma.repository.findFirstOrThrow();
    const opened = { number: 1, base: 'main', headBranch: 'topic', openedAt: world.clock.now().getTime() };
    await world.app.get(HostInbox).append(host, 'opened', { type: 'pull_request_opened', repositoryId, ...opened });
    await world.settles();
    const sticky = shown.comments.get(1)![0]!;
    sticky.body = sticky.body.replace('- [ ]', '- [x]');
    write(sticky.body, { author: MEMORY_LOGIN });
    await world.looksAtHost();
    expect(sticky.body).toContain('- [x]');
    world.clock.advance(60_000);
    for (let look = 0; look < 2; look++) await world.looksAtHost();
    expect(sticky.body).toContain('- [ ]');
    expect(replies().slice(1)).toEqual([
      'Nothing was done: it is unknown who checked the box. Comment `/sluice merge` instead.',
    ]);
    expect(await isQueued()).toBe(false);
  });

  it('is searched with the same query until there is much to read, so that the host can answer "not modified"', async () => {
    await createQueue();
    const asked: string[] = [];
    const pages = world.memoryHost.openConversation();
    const answer = pages.commentsSince.bind(pages);
    pages.commentsSince = (repository, since) => {
      asked.push(since.toISOString().slice(11, 16));
      return answer(repository, since);
    };
    write('hello');
    for (const minutes of [1, 1, 70]) {
      await world.looksAtHost();
      world.clock.advance(minutes * 60_000);
    }
    write('good evening');
    await world.looksAtHost();
    await world.looksAtHost();
    for (const minutes of [30 * 60, 1]) {
      world.clock.advance(minutes * 60_000);
      await world.looksAtHost();
    }
    expect(asked).toEqual(['12:00', '12:00', '12:00', '12:00', '13:12', '19:00', '19:00']);
  });

  it('does not stop the queue if the host refuses to answer', async () => {
    await createQueue({ testingTimeoutMinutes: 5 });
    await world.submit(1);
    await world.settles();
    await world.report(1, 'pending');
    const unavailable = new HostUnavailable('memory.example', 'no_answer', 'Resource not accessible');
    for (const call of ['commentsSince', 'labelEventsSince'] as const)
      world.memoryHost.faults.failNext(call, unavailable);
    await world.looksAtHost();
    await world.advance(6);
    // One time-out alone does not fail a pull request, so its second test run times out, too.
    await world.report(1, 'pending');
    await world.advance(6);
    expect(await world.record(1)).toMatchObject({ state: 'failed', stateReason: 'test_run_timeout' });
  });
});
