import * as fc from 'fast-check';
import { factsOf } from '../../src/domain/pull-request-facts';
import { decide } from '../../src/engine/decide';
import type { QueueEvent } from '../../src/engine/events';
import type { QueueSnapshot } from '../../src/engine/model';
import { Sql } from '../../src/platform/database/sql';
import { newId } from '../../src/platform/ids';
import { lockQueue } from '../../src/processing/decisions/queue-lock';
import { saveDecision } from '../../src/processing/decisions/store/save-decision';
import { SnapshotLoader } from '../../src/processing/decisions/store/snapshot-loader';
import { EngineStore } from '../../src/processing/replay/engine-store';
import type { PullRequestObservation } from '../../src/domain/code-host.port';
import { World } from '../support/world';

type Step =
  | { readonly type: 'submit'; readonly needs: boolean }
  | { readonly type: 'push' | 'cancel'; readonly at: number }
  | { readonly type: 'concurrency'; readonly slots: number }
  | { readonly type: 'batch'; readonly size: number | null };

const SUBMIT = fc.record({ type: fc.constant('submit' as const), needs: fc.nat(9).map((n) => n === 0) });
const STEP: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: SUBMIT, weight: 4 },
  { arbitrary: fc.record({ type: fc.constantFrom('push' as const, 'cancel' as const), at: fc.nat() }), weight: 2 },
  {
    arbitrary: fc.record({ type: fc.constant('concurrency' as const), slots: fc.integer({ min: 1, max: 6 }) }),
    weight: 1,
  },
  { arbitrary: fc.record({ type: fc.constant('batch' as const), size: fc.constantFrom(null, 2, 4) }), weight: 1 },
);
const DAY = {
  scheduled: fc.constantFrom(
    { mode: 'single', scheduling: 'in_order' },
    { mode: 'single', scheduling: 'flow', canOptimisticallyMerge: true },
    { mode: 'parallel', scheduling: 'in_order' },
  ),
  slots: fc.integer({ min: 1, max: 4 }),
  waiting: fc.constantFrom(20, 90),
  steps: fc.array(STEP, { minLength: 20, maxLength: 40 }),
};

describe("the tables and the simulation's store in memory", () => {
  let world: World;
  let queueId: string;
  let inMemory: EngineStore;
  let number: number;

  beforeAll(async () => {
    world = await World.create({ host: 'memory' });
  });
  afterAll(() => world.close());

  async function begin(settings: object): Promise<void> {
    await world.prisma.queue.updateMany({ data: { liveBranch: null, deletedAt: world.clock.now() } });
    await world.createQueue({ requiredStatuses: ['tests'], ...settings });
    queueId = (await world.prisma.queue.findFirstOrThrow({ where: { deletedAt: null } })).id;
    inMemory = new EngineStore(
      await world.app.get(Sql).transaction(async (tx) => {
        const { row } = (await lockQueue(tx, queueId))!;
        return world.app.get(SnapshotLoader).load(tx, row, { numbers: [], commits: [] }, world.clock.now());
      }),
    );
  }

  /**
   * Expects that both stores load the same entries for the event. The decision is made on the snapshot from the tables,
   * and both stores save the decision.
   */
  async function happen(event: QueueEvent, observed: readonly PullRequestObservation[] = []): Promise<void> {
    world.clock.advance(1_000);
    const now = world.clock.now();
    await world.app.get(Sql).transaction(async (tx) => {
      const lock = (await lockQueue(tx, queueId, observed))!;
      const before = await world.app.get(SnapshotLoader).loadForDecision(lock, event, now);
      expect(independent(inMemory.load(event, now.getTime()))).toEqual(independent(before));
      const decision = decide(before, event, now.getTime());
      if (decision.type === 'refused') return;
      await saveDecision(lock, before, event, decision, now);
      inMemory.save(decision);
    });
  }

  /**
   * The numbers of loaded entries without dependencies. Entries with dependencies in either direction are loaded by
   * another rule, and are not compared.
   */
  function independent({ entries }: QueueSnapshot): readonly number[] {
    const all = [...inMemory.all];
    const related = new Set(all.flatMap((entry) => (entry.needs ?? []).flatMap((need) => [entry.number, need.number])));
    return entries
      .map((entry) => entry.number)
      .filter((one) => !related.has(one))
      .sort((a, b) => a - b);
  }

  async function submit(needs: boolean, target = 1): Promise<void> {
    const dependsOn = needs && number % 100 > 1 ? [number] : [];
    world.memory.openPullRequest(++number);
    const observation = (await world.memoryHost.readPullRequest({ id: '', ...world.repo }, number, 'main'))!;
    const { id: repositoryId } = await world.prisma.repository.findFirstOrThrow();
    const sha = observation.head;
    const targets = { all: false, names: [`//${target}`], hashes: [BigInt(target)], targetCount: 1, version: 1 };
    await world.prisma.impactedTargets.create({
      data: { repositoryId, number, sha, ...targets, updatedAt: world.clock.now() },
    });
    inMemory.giveTargets(number, sha, new Set([`//${target}`]));
    const by = { via: 'api', actor: 'ci', hasTargets: true } as const;
    const event = {
      type: 'pullRequestSubmitted',
      newEntryId: newId(),
      facts: { ...factsOf(observation), dependsOn },
      ...by,
    } as const;
    await happen(event, [observation]);
  }

  async function take(step: Step): Promise<void> {
    if (step.type === 'submit') return submit(step.needs);
    if (step.type === 'concurrency') return change({ concurrency: step.slots });
    if (step.type === 'batch') return change({ batch: step.size !== null, batchingMinSize: step.size ?? 4 });
    if (step.type === 'cancel') {
      const open = [...inMemory.all].map((entry) => entry.number).sort((a, b) => a - b);
      return happen({ type: 'cancelRequested', number: open[step.at % open.length]!, via: 'api', actor: 'ci' });
    }
    const building = inMemory.everything(world.clock.now().getTime()).runs.filter(({ phase }) => phase === 'building');
    const run = building[step.at % Math.max(building.length, 1)]?.number;
    if (run === undefined) return happen({ type: 'clockTicked' });
    const [commit, tree] = ['c', 'd'].map((letter) => String(run).padStart(40, letter)) as [string, string];
    const made = { branch: `sluice-merge/${run}`, commit, tree, requiredStatuses: ['tests'], seen: [] };
    return happen({ type: 'runPushed', run, source: 'merge_instance', at: world.clock.now().getTime(), ...made });
  }

  function change(settings: object): Promise<void> {
    return happen({ type: 'settingsChanged', settings, actor: 'admin' });
  }

  it('load the same waiting entries for every decision of random days', async () => {
    number = 0;
    await fc.assert(
      fc.asyncProperty(fc.record(DAY), async ({ scheduled, slots, waiting, steps }) => {
        number = Math.ceil(number / 1_000) * 1_000;
        await begin({ ...scheduled, concurrency: slots });
        for (let i = 0; i < waiting; i++) await submit(i % 30 === 29);
        for (const step of steps) await take(step);
      }),
      { numRuns: 6, endOnFailure: true },
    );
  }, 300_000);

  it('load 35 of 150 waiting entries in parallel mode with 4 slots in use and 3 dependencies', async () => {
    number = 100_000;
    await begin({ mode: 'parallel', concurrency: 4 });
    for (let i = 0; i < 154; i++) await submit(i >= 60 && i < 63, 1 + (i % 4));
    for (let i = 0; i < 4; i++) await take({ type: 'push', at: 0 });
    const loaded = inMemory.load({ type: 'clockTicked' }, world.clock.now().getTime());
    const { runs } = loaded;
    expect([runs.length, independent(loaded).length - runs.length]).toEqual([4, 35]);
  }, 300_000);
});
