import { HostInbox, HostUnavailable, type LabelEvent, type HostEvent } from '../../src/domain/code-host.port';
import { MEMORY_LOGIN, type MemoryShown } from '../../src/code-hosts/memory/memory-conversation';
import { dieOnceAt } from '../support/die-at';
import { storeSettings } from '../support/stored-settings';
import { World } from '../support/world';

const MARKER = '<!-- sluice-merge-queue -->';
const LABEL = 'sluice-merge-queue-submit';
const EVERYTHING_ON = {
  ...{ commentsEnabled: true, commandsEnabled: true, labelCommandsEnabled: true, statusCheckEnabled: false },
};

describe('requests on the page of a pull request', () => {
  let world: World;
  let shown: MemoryShown;
  let repositoryId: string;
  let told = 0;
  /** The number of the pull request of the current test. */
  let number = 0;

  beforeAll(async () => {
    world = await World.create({ host: 'memory' });
    shown = world.memoryHost.openConversation().of(world.repo);
    shown.permissions.set('ada', 'write').set('eve', 'read');
    await world.createQueue({ requiredStatuses: ['tests'], ...EVERYTHING_ON });
    ({ id: repositoryId } = await world.prisma.repository.findFirstOrThrow());
  });
  afterAll(() => world.close());

  beforeEach(() => {
    world.memory.openPullRequest(++number);
  });
  afterEach(async () => {
    await world.cancel(number);
    await world.updateQueue(EVERYTHING_ON);
    await world.advance(1);
  });

  /** Appends a copy of the event with a new id, which makes it a new event of the host. */
  async function tell(event: HostEvent): Promise<void> {
    await world.app.get(HostInbox).append(world.repo.host, `delivery ${++told}`, event);
  }

  const comment = () => shown.comment(number, MARKER);
  const body = (): string => comment()?.body ?? '';
  const replies = () =>
    (shown.comments.get(number) ?? []).filter((one) => !one.body.includes(MARKER)).map((one) => one.body);
  const seconds = (): number => world.clock.now().getTime();
  const isQueued = async (): Promise<boolean> => (await world.record(number)).isCurrentlySubmittedToQueue === true;

  describe('the label', () => {
    let events = 0;

    function note(type: LabelEvent['type'], more: Partial<LabelEvent> = {}): LabelEvent {
      const at = world.clock.now();
      const event = { id: `${++events}`, number, type, label: LABEL, actor: 'ada', isBot: false, at, ...more };
      shown.labelEvents.push(event);
      return event;
    }

    const deliver = ({ label }: LabelEvent) => tell({ type: 'label_set', repositoryId, number, label });

    async function set(more: Partial<LabelEvent> = {}): Promise<void> {
      await deliver(note('set', more));
      await world.settles();
    }

    it('submits the pull request in the name of the person who added it, and is removed', async () => {
      await set({ label: LABEL.toUpperCase() });
      expect(await world.stateOf(number)).toBe('testing');
      const [newest] = ((await world.record(number)).timeline as { reason: string; actor: string }[]).slice(-1);
      expect(newest).toMatchObject({ reason: 'user_requested', actor: 'ada' });
      expect(shown.labelsRemoved.get(number)).toEqual([LABEL.toUpperCase()]);
      expect(replies()).toEqual([]);
    });

    it('of somebody who may not write is refused with a comment, once, and is removed', async () => {
      const event = note('set', { actor: 'eve' });
      await deliver(event);
      await deliver(event);
      await world.settles();
      await deliver(event);
      await world.settles();
      expect(await isQueued()).toBe(false);
      expect(replies()).toEqual([
        `<!-- sluice-answer label-${event.id} -->\n\nNothing was done: only people with write access to this repository may use its merge queue, and \`eve\` has no write access.`,
      ]);
      expect(shown.labelsRemoved.get(number)).toEqual([LABEL]);
    });

    it('is answered with the reason why the queue refuses', async () => {
      world.memory.pullRequest(number).state = 'closed';
      await set();
      expect(replies()[0]).toContain('is closed: only an open pull request can be submitted.');
    });

    it('submits again if it is added again after the pull request left the queue, but not if the event is repeated', async () => {
      await set();
      await world.report(number, 'failure');
      expect(await world.stateOf(number)).toBe('failed');
      await deliver(shown.labelEvents.at(-1)!);
      await world.settles();
      expect(await world.stateOf(number)).toBe('failed');
      note('removed', { actor: MEMORY_LOGIN });
      await set();
      expect(await world.stateOf(number)).toBe('testing');
    });

    it.each([
      ['also if the service removed an earlier label afterwards', MEMORY_LOGIN, true],
      ['no more once a person removed it', 'ada', false],
    ])('counts %s', async (_, actor, counts) => {
      const event = note('set');
      note('removed', { actor });
      await deliver(event);
      await world.settles();
      expect(await isQueued()).toBe(counts);
      expect(replies()).toEqual([]);
    });

    it('does not cancel the pull request when it is removed', async () => {
      await set();
      note('removed');
      await deliver(shown.labelEvents.at(-1)!);
      await world.settles();
      expect(await world.stateOf(number)).toBe('testing');
    });

    it('counts from a bot that may write, or from a bot that the queue names', async () => {
      const bot = { actor: 'renovate[bot]', isBot: true };
      await set(bot);
      expect(await isQueued()).toBe(false);
      expect([replies(), shown.labelsRemoved.get(number)]).toEqual([[], undefined]);
      await storeSettings(world.prisma, { allowedBotSubmitters: ['renovate'] });
      await set(bot);
      expect(await isQueued()).toBe(true);
    });

    it.each([
      ['another label', {}, { label: 'bug' }],
      ['labels switched off', { labelCommandsEnabled: false }, {}],
      ['one that was set before there was a queue', {}, { at: new Date(0) }],
    ])('has no effect with %s', async (_, settings, event) => {
      if (Object.keys(settings).length > 0) await world.updateQueue(settings);
      await set(event);
      expect(await isQueued()).toBe(false);
      expect([replies(), shown.labelsRemoved.get(number)]).toEqual([[], undefined]);
    });

    it('works also if commands in comments are switched off', async () => {
      await world.updateQueue({ commandsEnabled: false, commentsEnabled: false });
      await set();
      expect(await isQueued()).toBe(true);
    });
  });

  describe('the box', () => {
    const open = (more: object = {}) => {
      const opened = { base: 'main', headBranch: 'topic', openedAt: seconds() };
      return tell({ type: 'pull_request_opened', repositoryId, number, ...opened, ...more });
    };

    async function isOffered(): Promise<void> {
      await open();
      await world.settles();
    }

    /** Ticks the box like a click on the host's page, which changes the comment and sends an event. */
    async function tick(
      more: { editor?: string; isBot?: boolean; author?: string; before?: string } = {},
    ): Promise<void> {
      const there = comment()!;
      const before = more.before ?? there.body;
      there.body = there.body.replace('- [ ]', '- [x]');
      const who = { author: MEMORY_LOGIN, editor: 'ada', isBot: false, ...more };
      const edit = { commentId: 'c1', before, body: there.body, editedAt: seconds() };
      await tell({ type: 'comment_edited', repositoryId, number, ...who, ...edit });
      await world.settles();
    }

    it('is offered once when the pull request is opened, and afterwards that comment shows the state', async () => {
      await isOffered();
      expect(body()).toContain('- [ ] <!-- sluice-submit -->Check this box, or comment `/sluice merge`, to put this');
      await open();
      await world.settles();
      expect(comment()?.writes).toBe(1);
      await tick();
      expect(await world.stateOf(number)).toBe('testing');
      expect(body()).toContain('### Testing');
      expect(body()).not.toContain('- [');
      const [newest] = ((await world.record(number)).timeline as { reason: string; actor: string }[]).slice(-1);
      expect(newest).toMatchObject({ reason: 'user_requested', actor: 'ada' });
      expect(shown.comments.get(number)).toHaveLength(1);
    });

    it('is not offered to a closed pull request until it is reopened, because its branch may be gone', async () => {
      await world.submit(number);
      await world.settles();
      world.memory.pullRequest(number).state = 'closed';
      await tell({ type: 'pull_request_changed', repositoryId, number });
      await world.settles();
      expect(body()).toContain('It was closed.');
      expect(body()).not.toContain('sluice-submit');
      world.memory.pullRequest(number).state = 'open';
      world.clock.advance(1_000);
      await isOffered();
      expect(body()).toContain('- [ ] <!-- sluice-submit -->');
      await tick({ editor: 'eve' });
      expect(body()).toContain('- [ ] <!-- sluice-submit -->');
      world.clock.advance(1_000);
      await tick();
      expect(await world.stateOf(number)).toBe('testing');
    });

    it('is offered again to a pull request that was removed from the queue', async () => {
      await world.submit(number);
      await world.settles();
      await world.cancel(number);
      await world.settles();
      expect(body()).toContain('- [ ] <!-- sluice-submit -->');
      await tick();
      expect(await world.stateOf(number)).toBe('testing');
      expect(body()).toContain('### Testing');
    });

    it.each([
      ['by somebody who may not write', { editor: 'eve' }, '`eve` has no write access.'],
      ['when the queue refuses', {}, 'is closed: only an open pull request can be submitted.'],
    ])('is unticked and answered %s, each time', async (_, more, answer) => {
      await isOffered();
      if (Object.keys(more).length === 0) world.memory.pullRequest(number).state = 'closed';
      await tick(more);
      expect(await isQueued()).toBe(false);
      expect(body()).toContain('- [ ] <!-- sluice-submit -->');
      world.clock.advance(1_000);
      await tick(more);
      expect(body()).toContain('- [ ] <!-- sluice-submit -->');
      expect(replies()).toEqual([expect.stringContaining(answer), expect.stringContaining(answer)]);
    });

    it('is one request, however often its event is delivered, and although the process died after deciding', async () => {
      await isOffered();
      dieOnceAt(world, 'command decided');
      const before = comment()!.body;
      const ticked = before.replace('- [ ]', '- [x]');
      const who = { number, author: MEMORY_LOGIN, editor: 'ada', isBot: false } as const;
      const edit = { commentId: 'c1', before, body: ticked, editedAt: seconds() };
      await tell({ type: 'comment_edited', repositoryId, ...who, ...edit });
      expect((await world.settlesWithErrors()).join()).toContain('died at command decided');
      await world.cancel(number);
      await tell({ type: 'comment_edited', repositoryId, ...who, ...edit });
      await world.advance(1);
      expect(await world.stateOf(number)).toBe('cancelled');
    });

    it('counts only if it changed from empty to ticked, in a comment of the service', async () => {
      await isOffered();
      await tick({ before: body().replace('- [ ]', '- [x]') });
      await tick({ author: 'ada' });
      expect(await isQueued()).toBe(false);
      expect(replies()).toEqual([]);
    });

    it('is not offered if comments are off, on pull requests by the service, or for branches without a queue', async () => {
      await open({ headBranch: 'sluice-merge/pr-7/run' });
      await open({ base: 'other' });
      await world.settles();
      await world.updateQueue({ commentsEnabled: false });
      await isOffered();
      expect(shown.comments.get(number)).toBeUndefined();
    });

    it('is for the queue of the last base branch, in any order of the events', async () => {
      world.memory.branches.set('next', world.memory.tip('main').commit);
      await world.createQueue({ requiredStatuses: ['tests'] }, 'next');
      const at = (minutes: number) => ({ openedAt: seconds() + minutes * 60_000 });
      await open({ base: 'next', ...at(1) });
      await world.settles();
      await open({ base: 'main', ...at(0) });
      await world.settles();
      expect(body()).toContain('the queue of `next`');
      await open({ base: 'main', ...at(2) });
      await world.settles();
      expect(body()).toContain('the queue of `main`');
      await open({ base: 'next', ...at(3) });
      await world.settles();
      expect(body()).toContain('the queue of `next`');
      expect(shown.comments.get(number)).toHaveLength(1);
    });

    it('is in one comment although the answer to the first attempt was lost', async () => {
      const unavailable = new HostUnavailable('memory.example', 'no_answer', 'connection refused');
      world.memoryHost.faults.loseAnswerOfNext('ensureComment', unavailable);
      await isOffered();
      await world.advance(1);
      expect(shown.comments.get(number)).toHaveLength(1);
    });
  });
});
