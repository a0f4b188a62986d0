import { createHash } from 'node:crypto';
import { decide } from '../../src/engine/decide';
import type { Decided } from '../../src/engine/decision';
import type { QueueEvent } from '../../src/engine/events';
import type { QueueSnapshot } from '../../src/engine/model';
import type { PullRequestObservation } from '../../src/code-hosts/code-host.port';
import { factsOf } from '../../src/outbox/outcomes';
import { QueueProcessor } from '../../src/processing/queue-processor';
import { lockQueue } from '../../src/processing/queue-lock';
import { loadForDecision, loadSnapshot } from '../../src/processing/store/load-snapshot';
import { saveObservations } from '../../src/processing/store/observations';
import { saveDecision } from '../../src/processing/store/save-decision';
import { runIdOf } from '../../src/processing/store/write-rows';
import { newId } from '../../src/platform/ids';
import { World } from '../../src/testing/world';

const LIMITS = { runsInFlight: 200, batchSize: 100, treeReuseHours: 24 };
const NUMBERS = [1, 2, 3, 4];

describe('the store', () => {
  let world: World;
  let queueId: string;

  beforeAll(async () => {
    world = await World.create({ host: 'memory' });
  });
  afterAll(() => world.close());

  beforeEach(async () => {
    await world.prisma.queue.updateMany({ data: { liveBranch: null, deletedAt: world.clock.now() } });
    await world.createQueue({ requiredStatuses: ['tests'], concurrency: 4 });
    queueId = (await world.prisma.queue.findFirstOrThrow({ where: { deletedAt: null } })).id;
  });

  /** One decision, as the door makes it, with the snapshot that it leaves. */
  async function decideOn(event: QueueEvent, observed: PullRequestObservation[] = []): Promise<Decided> {
    const now = world.clock.now();
    return world.prisma.$transaction(async (tx) => {
      const lock = (await lockQueue(tx, queueId))!;
      await saveObservations(lock, observed);
      const before = await loadForDecision(lock, event, LIMITS, now);
      const decision = decide(before, event, now.getTime());
      if (decision.type === 'refused') throw new Error(decision.refusal.message);
      await saveDecision(lock, before, decision, now);
      return decision;
    });
  }

  async function loaded(): Promise<QueueSnapshot> {
    const now = world.clock.now();
    return world.prisma.$transaction(async (tx) => {
      const lock = (await lockQueue(tx, queueId))!;
      return loadSnapshot(tx, lock.row, { numbers: NUMBERS, commits: [] }, LIMITS, now);
    });
  }

  async function seen(number: number): Promise<PullRequestObservation> {
    const repository = { id: '', ...world.repo };
    return (await world.memoryHost.readPullRequest(repository, number, 'main'))!;
  }

  async function submit(number: number): Promise<Decided> {
    world.memory.openPullRequest(number);
    const observation = await seen(number);
    const facts = factsOf(observation);
    const by = { via: 'api', actor: 'ci' } as const;
    const event = { type: 'pullRequestSubmitted', newEntryId: newId(), facts, hasTargets: false, ...by } as const;
    return decideOn(event, [observation]);
  }

  function pushed(run: number): QueueEvent {
    const at = world.clock.now().getTime();
    const commit = createHash('sha1').update(`${queueId}/${run}`).digest('hex');
    const tree = String(run).padStart(40, 'd');
    const made = { branch: `sluice-merge/${run}`, commit, tree, requiredStatuses: ['tests'], at, seen: [] };
    return { type: 'runPushed', run, source: 'merge_instance', ...made };
  }

  /** What was decided is what is loaded, but for what is known only by asking the database again. */
  function expectSame(stored: QueueSnapshot, decided: QueueSnapshot): void {
    const comparable = (queue: QueueSnapshot) => {
      const { entries, runs, landed, reports, ...others } = queue;
      const rest = { ...others, nextDeadlineOutside: null, moreToLoad: null };
      const oldestBase = Math.min(...runs.map((run) => run.base.landedSeq));
      return {
        ...rest,
        // All entries are asked for here, the decision knew only those that it may need.
        entries: entries
          .filter(({ id }) => decided.entries.some((entry) => entry.id === id))
          .sort((a, b) => a.number - b.number),
        runs: [...runs].sort((a, b) => a.number - b.number),
        reports: reports.filter((report) => runs.some((run) => run.commit === report.commit)),
        landed: landed.filter((change) => change.seq > oldestBase),
      };
    };
    expect(comparable(stored)).toEqual(comparable(decided));
  }

  it('loads what was decided, decision after decision', async () => {
    const step = async (event: QueueEvent): Promise<Decided> => {
      world.clock.advance(61_000);
      const decided = await decideOn(event);
      expectSame(await loaded(), decided.after);
      return decided;
    };
    expect(await loaded()).toMatchObject({ entries: [], runs: [] });
    for (const number of NUMBERS) {
      const { after } = await submit(number);
      expectSame(await loaded(), after);
    }
    await step(pushed(1));
    await step(pushed(2));
    await step({ type: 'restartRequested', number: 2, via: 'api', actor: 'ci' });
    await step({ type: 'cancelRequested', number: 4, via: 'user', actor: 'ada' });
    await step({ type: 'settingsChanged', settings: { concurrency: 2, requiredStatuses: ['a', 'b'] }, actor: 'admin' });
    await step({ type: 'settingsChanged', settings: {}, state: 'paused', actor: 'admin' });
    await step({ type: 'settingsChanged', settings: {}, state: 'running', mode: 'parallel', actor: 'admin' });
    await step({ type: 'settingsChanged', settings: { bisectionConcurrency: 3 }, mode: 'single', actor: null });
    const tip = { commit: 'e'.repeat(40), tree: 'f'.repeat(40) };
    await step({ type: 'targetSeen', tip, seenAt: world.clock.now().getTime() });
    await step({ type: 'pullRequestGone', number: 3, seenAt: world.clock.now().getTime() });
  });

  it('keeps a landing, a red run and what landed', async () => {
    for (const number of [1, 2]) await submit(number);
    await decideOn(pushed(1));
    await decideOn(pushed(2));
    const [one, two] = (await loaded()).runs;
    const repositoryId = (await world.prisma.queue.findUniqueOrThrow({ where: { id: queueId } })).repositoryId;
    const report = async (sha: string, state: string): Promise<Decided> => {
      const reported = { hostTime: world.clock.now(), hostId: '1', receivedAt: world.clock.now() };
      await world.prisma.commitStatus.create({
        data: { repositoryId, sha, kind: 'status', name: 'tests', state, ...reported },
      });
      const decided = await decideOn({ type: 'statusReported', commit: sha });
      expectSame(await loaded(), decided.after);
      return decided;
    };
    await report(two!.commit!, 'failure');
    expect((await loaded()).runs).toContainEqual(
      expect.objectContaining({ number: two!.number, phase: 'failed', failure: { type: 'status', names: ['tests'] } }),
    );
    const { commands } = await report(one!.commit!, 'success');
    expect(commands).toMatchObject([{ type: 'landRun', landing: 1, testedTree: one!.tree }]);
    expect((await loaded()).landing).toMatchObject({ number: 1, runs: [one!.number] });
    const landed = await decideOn({
      type: 'landed',
      landing: 1,
      tip: { commit: one!.commit!, tree: one!.tree! },
      commits: [{ number: 1, commit: one!.commit!, tree: one!.tree! }],
      at: world.clock.now().getTime(),
    });
    expectSame(await loaded(), landed.after);
    const rows = await world.prisma.landedChange.findMany({ where: { queueId } });
    expect(rows).toMatchObject([{ seq: 1n, epoch: 1, number: 1, commit: one!.commit, tree: one!.tree }]);
    const ended = await world.prisma.testRun.findUniqueOrThrow({ where: { id: runIdOf(queueId, one!.number) } });
    expect(ended).toMatchObject({ live: false, phase: 'ended', endedBecause: 'landed', result: 'succeeded' });
  });

  it('writes a line of the log for every change, with the columns that timelines and metrics read', async () => {
    await submit(1);
    await decideOn(pushed(1));
    const lines = await world.prisma.queueLog.findMany({ where: { queueId }, orderBy: { seq: 'asc' } });
    expect(lines.map((line) => line.seq)).toEqual(lines.map((_, i) => BigInt(i + 1)));
    const entryId = (await world.prisma.entry.findFirstOrThrow({ where: { queueId } })).id;
    const moves = lines.filter((line) => line.toState !== null);
    expect(moves).toMatchObject([
      { entryId, attempt: 1, fromState: null, toState: 'not_ready', reason: 'api_requested', actor: 'ci' },
      { entryId, attempt: 1, fromState: 'not_ready', toState: 'pending', reason: 'merge_item_now_ready', actor: null },
      { entryId, attempt: 1, fromState: 'pending', toState: 'testing', reason: null, runId: runIdOf(queueId, 1) },
    ]);
    expect(new Set(lines.map((line) => line.queueType))).toEqual(new Set(['main']));
    const next = (await world.prisma.queue.findUniqueOrThrow({ where: { id: queueId } })).nextLog;
    expect(next).toBe(BigInt(lines.length + 1));
  });

  it('keeps only the newest observation of a pull request', async () => {
    await submit(1);
    const old = { ...(await seen(1)), title: 'old', observedAt: new Date(world.clock.now().getTime() - 1) };
    await decideOn({ type: 'clockTicked' }, [old]);
    const row = await world.prisma.pullRequest.findFirstOrThrow({ where: { number: 1 } });
    expect(row.title).toBe('Change 1');
    world.clock.advance(1);
    await decideOn({ type: 'clockTicked' }, [{ ...old, title: 'new', observedAt: world.clock.now() }]);
    expect(await world.prisma.pullRequest.findFirstOrThrow({ where: { number: 1 } })).toMatchObject({ title: 'new' });
  });

  it('leaves nothing behind when an event is refused', async () => {
    world.memory.openPullRequest(9);
    const observed = [await seen(9)];
    const event = { type: 'cancelRequested', number: 9, via: 'api', actor: 'ci' } as const;
    const handled = await world.app.get(QueueProcessor).handle(queueId, { event, observed });
    expect(handled).toMatchObject({ type: 'refused', refusal: { code: 'PR_NOT_FOUND' } });
    expect(await world.prisma.pullRequest.count({ where: { number: 9 } })).toBe(0);
    expect(await world.prisma.queue.findUniqueOrThrow({ where: { id: queueId } })).toMatchObject({ version: 0n });
  });
});
