import { createHash, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Change } from '../../src/engine/changes';
import { decide } from '../../src/engine/decide';
import type { Decided } from '../../src/engine/decision';
import type { QueueEvent } from '../../src/engine/events';
import { evolve } from '../../src/engine/evolve';
import { type FlowStanding, JUST_WAITING } from '../../src/engine/flow-state';
import type { CulpritSearch, QueueSnapshot, TestRun } from '../../src/engine/model';
import { newRun } from '../../src/engine/policy/new-run';
import { URGENT } from '../../src/engine/vocabulary';
import type { PullRequestObservation } from '../../src/domain/code-host.port';
import { factsOf } from '../../src/domain/pull-request-facts';
import { QueueProcessor } from '../../src/processing/decisions/queue-processor';
import { lockQueue } from '../../src/processing/decisions/queue-lock';
import { saveDecision } from '../../src/processing/decisions/store/save-decision';
import { SnapshotLoader } from '../../src/processing/decisions/store/snapshot-loader';
import { runIdOf } from '../../src/processing/decisions/store/codecs/run.codec';
import { newId } from '../../src/platform/ids';
import { anyFlowRun, anyFlowState, anyStanding } from '../support/flow-values';
import { World } from '../support/world';

const NUMBERS = [1, 2, 3, 4];
const RED = { type: 'status', names: ['tests'], depth: 3, reused: false } as const;

const ACQUITTED_AT = Date.UTC(2026, 10, 20, 12, 34, 56, 789);

describe('the store of the queue state', () => {
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

  /** Makes one decision as the queue processor does. Returns the decision with the snapshot after it. */
  async function decideOn(event: QueueEvent, observed: PullRequestObservation[] = []): Promise<Decided> {
    const now = world.clock.now();
    return world.sql.transaction(async (tx) => {
      const lock = (await lockQueue(tx, queueId, observed))!;
      const before = await world.app.get(SnapshotLoader).loadForDecision(lock, event, now);
      const decision = decide(before, event, now.getTime());
      if (decision.type === 'refused') throw new Error(decision.refusal.message);
      await saveDecision(lock, before, event, decision, now);
      return decision;
    });
  }

  /** Stores these changes as if the engine's rules had made them. */
  function write(...changes: Change[]): Promise<QueueSnapshot> {
    return saved(changes, (queue) => queue);
  }

  /** Stores these changes as if the engine's rules had made them and left the queue as `finish` does. */
  async function saved(changes: Change[], finish: (queue: QueueSnapshot) => QueueSnapshot): Promise<QueueSnapshot> {
    return world.sql.transaction(async (tx) => {
      const lock = (await lockQueue(tx, queueId))!;
      const before = await world.app.get(SnapshotLoader).load(tx, lock.row, { numbers: NUMBERS, commits: [] }, now());
      const after = finish(changes.reduce(evolve, before));
      const decided = { type: 'decided', after, changes, commands: [], wakeAt: null } as const;
      await saveDecision(lock, before, { type: 'clockTicked' }, decided, now());
      return after;
    });
  }

  const now = () => world.clock.now();

  async function loaded(numbers: readonly number[] = NUMBERS): Promise<QueueSnapshot> {
    const now = world.clock.now();
    return world.sql.transaction(async (tx) => {
      const lock = (await lockQueue(tx, queueId))!;
      return world.app.get(SnapshotLoader).load(tx, lock.row, { numbers, commits: [] }, now);
    });
  }

  async function seen(number: number): Promise<PullRequestObservation> {
    const repository = { id: '', ...world.repo };
    return (await world.memoryHost.readPullRequest(repository, number, 'main'))!;
  }

  async function submit(number: number, wishes: { readonly priority?: number } = {}): Promise<Decided> {
    world.memory.openPullRequest(number);
    const observation = await seen(number);
    const facts = factsOf(observation);
    const by = { ...wishes, via: 'api', actor: 'ci' } as const;
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

  /** Expects that the loaded queue equals the decided queue, except for facts that need another query. */
  function expectSame(stored: QueueSnapshot, decided: QueueSnapshot): void {
    const comparable = (queue: QueueSnapshot) => {
      const { entries, runs, landed, reports, ...others } = queue;
      // Recent merges are read only if merges are limited.
      const rest = { ...others, mergedLately: null, nextDeadlineOutside: null, moreToLoad: null };
      const oldestBase = Math.min(...[...runs, ...queue.searches].map(({ base }) => base.landedSeq));
      return {
        ...rest,
        // This load reads all entries, but the decision had only read the entries that it might need.
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

  it('does not wait for a process that stores references to a pull request or a test run', async () => {
    await submit(1);
    await world.prisma.$transaction(async (other) => {
      await other.$executeRaw`SELECT FROM "Entry" FOR KEY SHARE`;
      await other.$executeRaw`SELECT FROM "TestRun" FOR KEY SHARE`;
      const { changes } = await decideOn(pushed(1));
      const { after } = await decideOn({ type: 'cancelRequested', number: 1, via: 'user', actor: 'ada' });
      expect([changes.length > 0, after.entries.map(({ state }) => state)]).toEqual([true, ['cancelled']]);
    });
  });

  it('loads exactly the state that the engine decided, decision after decision', async () => {
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
    expect(await loaded()).toMatchObject({ state: 'switching_modes', mode: 'single', requestedMode: 'parallel' });
    await step({ type: 'settingsChanged', settings: { bisectionConcurrency: 3 }, state: 'draining', actor: null });
    const tip = { commit: 'e'.repeat(40), tree: 'f'.repeat(40) };
    await step({ type: 'targetSeen', tip, seenAt: world.clock.now().getTime() });
    await step({ type: 'pullRequestGone', number: 3, seenAt: world.clock.now().getTime() });
  });

  it('keeps a merge, a failed run and the merged pull requests', async () => {
    for (const number of [1, 2]) await submit(number);
    await decideOn(pushed(1));
    await decideOn(pushed(2));
    const [one, two] = (await loaded()).runs;
    const report = async (sha: string, state: 'success' | 'failure'): Promise<Decided> => {
      await reportOn(sha, state);
      const decided = await decideOn({ type: 'statusReported', commit: sha });
      expectSame(await loaded(), decided.after);
      return decided;
    };
    await report(two!.commit!, 'failure');
    expect((await loaded()).runs).toContainEqual(
      expect.objectContaining({
        number: two!.number,
        phase: 'failed',
        failure: {
          ...RED,
          depth: 0,
          moment: { result: 1, streak: 1, tested: { from: two!.pushedAt, until: two!.pushedAt } },
        },
      }),
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

  /** Lets three entries leave the sequence for a bisection, in which the first two are being tested as a prefix. */
  async function startSearch(): Promise<{ search: CulpritSearch; run: TestRun; after: QueueSnapshot }> {
    for (const number of [1, 2, 3]) await submit(number);
    const before = await loaded();
    const { tip, epoch, landedSeq, nextRun } = before;
    const members = [1, 2, 3].map((number) => {
      const { id, head } = before.entries.find((entry) => entry.number === number)!;
      return { entryId: id, number, head };
    });
    const base = { ...tip!, epoch, landedSeq };
    const search = {
      number: 1,
      stage: 'prefixes',
      base,
      members,
      results: [],
      failedSize: 3,
      culpritOrder: 0,
    } as const;
    const [line] = before.runs;
    const run = { ...line!, number: nextRun, kind: 'search', place: 0, search: 1, own: members.slice(0, 2) } as const;
    const after = await write(
      { type: 'runEnded', run: line!.number, because: 'blamed' },
      { type: 'searchStarted', search },
      { type: 'runStarted', run },
    );
    return { search, run, after };
  }

  it('keeps a bisection, its entries and its runs, for as long as it continues', async () => {
    const { search, run, after } = await startSearch();
    expect(after).toMatchObject({ nextSearch: 2, searches: [search], runs: [{ kind: 'search', search: 1 }] });
    expectSame(await loaded(), after);
    const failed = { length: 2, run: run.number, verdict: 'failed', failure: RED } as const;
    const advanced = {
      ...search,
      stage: 'culprit',
      members: search.members.slice(0, 1),
      results: [failed, { ...failed, length: 1, verdict: 'timed_out', failure: null }],
      culpritOrder: 17,
    } as const;
    const later = await write(
      { type: 'runFailed', run: run.number, kind: 'search', failure: RED, at: now().getTime() },
      { type: 'searchAdvanced', search: advanced },
    );
    const stillIn = later.entries.filter((entry) => entry.search !== null);
    expect(stillIn.map(({ number }) => number)).toEqual([1]);
    expectSame(await loaded(), later);
    const { runs, entries } = await write({ type: 'searchEnded', search: 1, because: 'culprit_found' });
    expect([runs.length, entries.filter((entry) => entry.search !== null)]).toEqual([1, []]);
    expect(await loaded()).toMatchObject({ searches: [], nextSearch: 2 });
    expect(await world.prisma.culpritSearch.count()).toBe(0);
  });

  it('finds startable entries among the waiting entries, not among the entries in a bisection', async () => {
    await startSearch();
    await decideOn({ type: 'settingsChanged', settings: { concurrency: 1 }, state: 'paused', actor: null });
    await submit(4, { priority: URGENT });
    for (const number of [5, 6]) await submit(number);
    await expectFirstFiveAndTwoAhead([2, 4, 6]);
  });

  /**
   * Three of six entries wait. The load reads as many waiting entries as there are free slots, which is two, so it
   * reads five entries. The last entry of `numbers` has two waiting entries ahead.
   */
  async function expectFirstFiveAndTwoAhead(numbers: readonly [number, number, number]): Promise<void> {
    const bounded = await world.sql.transaction(async (tx) => {
      const lock = (await lockQueue(tx, queueId))!;
      return world.app.get(SnapshotLoader).load(tx, lock.row, { numbers: [], commits: [] }, now());
    });
    expect(bounded.entries.map(({ number }) => number).sort()).toEqual([1, 2, 3, 4, 5]);
    expect(bounded.moreToLoad).toEqual({ unchecked: false, waiting: true, held: false });
    const { snapshot, asked } = await world.app.get(QueueProcessor).view(queueId, { numbers });
    const numberOf = (id: string) => snapshot.entries.find((entry) => entry.id === id)!.number;
    const ahead = asked.map(({ entryId, ahead }) => [numberOf(entryId), ahead]).sort(([a], [b]) => a! - b!);
    const [first, second, third] = numbers;
    expect(ahead).toEqual([
      [first, 0],
      [second, 0],
      [third, 2],
    ]);
  }

  it('loads the decided state during a bisection, until the last entry of the batch has concluded', async () => {
    const batch = { batch: true, batchingMinSize: 4, concurrency: 2, batchingMaxWaitTimeMinutes: 1 };
    await decideOn({ type: 'settingsChanged', settings: batch, actor: null });
    for (const number of NUMBERS) await submit(number);
    const kinds = new Set<string>();
    const outcomes = new Set<string>();
    let rounds = 0;
    for (let queue = await loaded(); queue.runs.length > 0; queue = await loaded()) {
      expect(++rounds).toBeLessThan(60);
      for (const { kind } of queue.runs) kinds.add(kind);
      const { after } = await decideOn(await nextEvent(queue));
      expectSame(await loaded(), after);
      for (const { number, state } of after.entries) outcomes.add(`${number} ${state}`);
      world.clock.advance(61_000);
      expectSame(await loaded(), (await decideOn({ type: 'clockTicked' })).after);
    }
    expect(kinds).toEqual(new Set(['line', 'search', 'verify']));
    expect([...outcomes]).toEqual(expect.arrayContaining(['1 merged', '2 failed', '3 merged', '4 merged']));
    expect(await loaded()).toMatchObject({ searches: [], nextSearch: 2 });
  });

  /** The next event from outside, in a history in which every test with pull request 2 fails. */
  async function nextEvent({ runs, landing }: QueueSnapshot): Promise<QueueEvent> {
    const building = runs.find(({ phase }) => phase === 'building');
    if (building) return pushed(building.number);
    const at = now().getTime();
    const run =
      runs.find(({ number }) => number === landing?.runs.at(-1)) ?? runs.find(({ phase }) => phase === 'testing');
    const { own, builtOn, commit, tree } = run!;
    const tip = { commit: commit!, tree: tree! };
    const commits = own.map(({ number }) => ({ ...tip, number }));
    if (landing) return { type: 'landed', landing: landing.number, tip, commits, at };
    await reportOn(commit!, [...builtOn, ...own].some(({ number }) => number === 2) ? 'failure' : 'success');
    return { type: 'statusReported', commit: commit! };
  }

  async function reportOn(sha: string, state: 'success' | 'failure'): Promise<void> {
    const { repositoryId } = await world.prisma.queue.findUniqueOrThrow({ where: { id: queueId } });
    const reported = { hostTime: now(), hostId: '1', receivedAt: now() };
    await world.prisma.commitStatus.create({
      data: { repositoryId, sha, kind: 'status', name: 'tests', state, ...reported },
    });
  }

  it('ends a bisection without a change to other entries, of this queue or of another queue', async () => {
    const { search } = await startSearch();
    const second = { ...search, number: 2, members: [] };
    await write({ type: 'searchStarted', search: second });
    const queue = await world.prisma.queue.findUniqueOrThrow({ where: { id: queueId } });
    const other = {
      ...queue,
      id: newId(),
      liveBranch: null,
      settings: queue.settings as object,
      landing: undefined,
      partialLanding: undefined,
      flow: undefined,
    };
    await world.prisma.queue.create({ data: other });
    await world.prisma.culpritSearch.create({ data: { queueId: other.id, number: 2, search: {} } });
    await write({ type: 'searchEnded', search: 2, because: 'member_left' });
    expect((await loaded()).searches).toEqual([search]);
    expect(await world.prisma.culpritSearch.count({ where: { queueId: other.id } })).toBe(1);
  });

  it('keeps in which order and batches entries continue after a bisection, and how often they are tested again', async () => {
    const { search } = await startSearch();
    const [one, two] = search.members.map(({ entryId }) => entryId);
    const returns = [
      { entryId: one!, order: 40, group: 40, batchAtMost: 2, greenRetests: 1 },
      { entryId: two!, order: 41, group: 40, batchAtMost: null, greenRetests: 0 },
    ];
    const after = await write(
      { type: 'searchEnded', search: 1, because: 'batch_passed' },
      { type: 'entriesReturned', returns },
      { type: 'entriesToTestAnew', entryIds: [two!] },
      { type: 'entryAcquitted', entryId: two!, at: ACQUITTED_AT },
    );
    const [first, second] = after.entries.toSorted((a, b) => a.number - b.number);
    expect(first).toMatchObject({ returnedOrder: 40, returnedGroup: 40, batchAtMost: 2, greenRetests: 1 });
    expect(second).toMatchObject({ returnedGroup: 40, batchAtMost: null, greenRetests: 0, testAnew: true });
    expect([first!.acquittedAt, second!.acquittedAt]).toEqual([null, ACQUITTED_AT]);
    expectSame(await loaded(), after);
    expect(after.nextOrder).toBe(42);
  });

  it('keeps all facts of flow scheduling about the queue, its entries and its runs', async () => {
    for (const number of NUMBERS) await submit(number);
    expect((await loaded()).flow).toBeUndefined();
    for (const [flow, runOfFlow] of fc.sample(fc.tuple(anyFlowState, anyFlowRun), 10)) {
      const known = await loaded();
      const entries = known.entries.map((entry, i) => {
        return { ...entry, generation: i + 1, flow: fc.sample(anyStanding, 1)[0] };
      });
      const own = entries.map(({ id: entryId, number, head, generation }) => ({ entryId, number, head, generation }));
      const base = { commit: 'a'.repeat(40), tree: 'b'.repeat(40), epoch: known.epoch, landedSeq: known.landedSeq };
      const particulars = { kind: 'line', place: 0, search: null, base, builtOn: own, own } as const;
      const run = { ...newRun(known, particulars, now().getTime()), flow: runOfFlow };
      const landed = { landing: 1, change: own[3]!, commit: 'c'.repeat(40), tree: 'd'.repeat(40), at: 0 };
      const changes: Change[] = [
        { type: 'runStarted', run },
        { type: 'changeLanded', ...landed },
      ];
      const decided = await saved(changes, (queue) => ({ ...queue, entries, flow }));
      expectSame(await loaded(), decided);
    }
  });

  it('loads entries in progress in flow scheduling, and finds startable entries among the other entries', async () => {
    await decideOn({ type: 'settingsChanged', settings: { concurrency: 1 }, state: 'paused', actor: null });
    for (const number of [...NUMBERS, 5, 6]) await submit(number);
    const inProgress = new Map<number, Partial<FlowStanding>>([
      [1, { at: 'suspect', set: 1 }],
      [2, { at: 'passed', passedAs: 1 }],
      [3, { run: 7 }],
      [4, { clashes: ['another'] }],
    ]);
    await saved([], (queue) => {
      const entries = queue.entries.map((entry) => {
        return { ...entry, flow: { ...JUST_WAITING, ...inProgress.get(entry.number) } };
      });
      return { ...queue, entries };
    });
    await expectFirstFiveAndTwoAhead([1, 3, 6]);
  });

  it('finds startable entries behind entries that wait after a failure in flow scheduling', async () => {
    await decideOn({ type: 'settingsChanged', settings: { concurrency: 1 }, state: 'paused', actor: null });
    for (const number of [...NUMBERS, 5, 6]) await submit(number);
    const until = [{ entryId: randomUUID(), number: 9, head: 'a'.repeat(40), generation: 0 }];
    const redOnAssumed = (numbers: readonly number[]) =>
      saved([], (queue) => {
        const entries = queue.entries.map((entry) =>
          numbers.includes(entry.number) ? { ...entry, flow: { ...JUST_WAITING, until } } : entry,
        );
        return { ...queue, entries };
      });
    await redOnAssumed([1, 2, 3]);
    const some = await loaded([]);
    expect(some.entries.map(({ number }) => number).sort()).toEqual([1, 2, 3, 4, 5]);
    expect(some.moreToLoad.waiting).toBe(true);
    await world.prisma.entry.updateMany({ where: { number: 6 }, data: { state: 'cancelled' } });
    expect((await loaded([])).moreToLoad.waiting).toBe(false);
  });

  it('keeps a reused result, and the depth under which a run failed', async () => {
    await submit(1);
    const { runs } = await loaded();
    const { number, kind } = runs[0]!;
    const made = {
      commit: 'c'.repeat(40),
      tree: 'd'.repeat(40),
      requiredStatuses: ['tests'],
      source: 'merge_instance',
      pins: [{ name: 'tests', app: '15368' }],
    };
    const failure = { ...RED, reused: true };
    const after = await write(
      { ...made, type: 'runResultReused', run: number, source: 'merge_instance' },
      { type: 'runFailed', run: number, kind, failure, at: now().getTime() },
    );
    expect(after.runs).toMatchObject([{ reused: true, branch: null, pushedAt: null, failure }]);
    expectSame(await loaded(), after);
  });

  it('keeps a direct merge, for which nothing is built', async () => {
    await submit(1);
    const { runs, nextRun } = await loaded();
    const after = await write(
      { type: 'runEnded', run: runs[0]!.number, because: 'start_refused' },
      { type: 'runStarted', run: { ...runs[0]!, number: nextRun, kind: 'direct', phase: 'passed' } },
    );
    expect(after.runs).toMatchObject([{ kind: 'direct', phase: 'passed', search: null }]);
    expectSame(await loaded(), after);
  });

  it('loads merges since the oldest base that a run or a bisection uses', async () => {
    const { search, run } = await startSearch();
    const change = search.members[2]!;
    const tip = { commit: 'e'.repeat(40), tree: 'f'.repeat(40) };
    await write(
      { type: 'runEnded', run: run.number, because: 'search_answered' },
      { type: 'changeLanded', landing: 1, change, ...tip, at: 0 },
    );
    expect((await loaded()).landed).toEqual([{ ...change, seq: 1, epoch: 1, landing: 1 }]);
    await write({ type: 'searchEnded', search: 1, because: 'member_left' });
    expect((await loaded()).landed).toEqual([]);
  });

  it('logs the steps of a bisection', async () => {
    const { search, run } = await startSearch();
    const { entryId } = search.members[0]!;
    const [at, actor] = [now().getTime(), null];
    const moved = { type: 'entryMoved', entryId, actor, at, details: null } as const;
    await write(
      { ...moved, from: 'pending', to: 'testing', because: null, run: run.number },
      { type: 'searchAdvanced', search: { ...search, stage: 'culprit' } },
    );
    await write(
      { type: 'runEnded', run: run.number, because: 'search_answered' },
      { type: 'searchEnded', search: 1, because: 'member_left' },
      { type: 'entriesReturned', returns: [{ entryId, order: 9, group: 9, batchAtMost: null, greenRetests: 0 }] },
      { ...moved, from: 'testing', to: 'pending', because: 'bisection_test_run_passed', run: null },
    );
    const lines = await world.prisma.queueLog.findMany({ where: { queueId }, orderBy: { seq: 'asc' } });
    const ofSearch = lines.slice(lines.findIndex(({ type }) => type === 'searchStarted'));
    expect(ofSearch.map(({ type, queueType }) => `${type}: ${queueType}`)).toEqual([
      'searchStarted: bisection',
      'runStarted: bisection',
      'entryMoved: bisection',
      'searchAdvanced: bisection',
      'runEnded: bisection',
      'searchEnded: bisection',
      'entriesReturned: bisection',
      'entryMoved: bisection',
    ]);
    expect(ofSearch[3]).toMatchObject({ entryId: null, runId: null, change: { search: { stage: 'culprit' } } });
    expect(ofSearch[2]).toMatchObject({ entryId, runId: runIdOf(queueId, run.number), toState: 'testing' });
  });

  it('writes a row of the log for every change, with the columns that timelines and metrics read', async () => {
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

  it('changes nothing if an event is refused', async () => {
    world.memory.openPullRequest(9);
    const observed = [await seen(9)];
    const event = { type: 'cancelRequested', number: 9, via: 'api', actor: 'ci' } as const;
    const handled = await world.app.get(QueueProcessor).processEvent(queueId, { event, observed });
    expect(handled).toMatchObject({ type: 'refused', refusal: { code: 'PR_NOT_FOUND' } });
    expect(await world.prisma.pullRequest.count({ where: { number: 9 } })).toBe(0);
    expect(await world.prisma.queue.findUniqueOrThrow({ where: { id: queueId } })).toMatchObject({ version: 0n });
  });
});
