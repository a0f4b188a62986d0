import { explain } from '../../src/engine/explain';
import { QueueProcessor } from '../../src/processing/decisions/queue-processor';
import { lockQueue } from '../../src/processing/decisions/queue-lock';
import { SnapshotLoader } from '../../src/processing/decisions/store/snapshot-loader';
import { World } from '../support/world';

interface Depths {
  readonly world: World;
  readonly queueId: string;
  readonly mode: 'single' | 'parallel';
}

/** Makes a queue with this many slots, and submits three pull requests, which take one slot each. */
async function open(mode: Depths['mode'], concurrency: number): Promise<Depths> {
  const world = await World.create({ host: 'memory' });
  await world.createQueue({ requiredStatuses: ['tests'], concurrency, mode });
  const { id: queueId } = await world.prisma.queue.findFirstOrThrow();
  for (const number of [1, 2, 3]) {
    world.memory.openPullRequest(number);
    const pr = { repo: world.repo, targetBranch: 'main', pr: { number } };
    await world.api.mustPost('setImpactedTargets', { ...pr, impactedTargets: [`//${number}`] });
    await world.submit(number);
    await world.settles();
  }
  return { world, queueId, mode };
}

/** Adds waiting entries, as if they had been submitted one after another. Every second entry is a draft. */
async function addWaiting({ world, queueId, mode }: Depths, from: number, to: number): Promise<void> {
  await world.prisma.$executeRaw`
    INSERT INTO "PullRequest" ("id", "repositoryId", "number", "title", "body", "author", "headSha", "baseBranch", "state",
      "draft", "mergeability", "observedAt")
    SELECT gen_random_uuid(), p."repositoryId", n, 'Change ' || n, '', p."author", p."headSha", p."baseBranch", p."state",
      n % 2 = 1, p."mergeability", p."observedAt"
    FROM "PullRequest" p, generate_series(${from}::int, ${to}::int) n WHERE p."number" = 1`;
  await world.prisma.$executeRaw`
    INSERT INTO "Entry" ("id", "queueId", "pullRequestId", "number", "attempt", "state", "stateChangedAt", "head",
      "priority", "usedDefaultPriority", "noBatch", "pendingRank", "returnedOrder", "submittedOrder", "placeIndex",
      "urgentInLine", "submittedAt", "evaluatedMode", "timesAsked", "notReadySince")
    SELECT gen_random_uuid(), ${queueId}::uuid, p."id", p."number", 1,
      CASE WHEN p."number" % 2 = 0 THEN 'pending' ELSE 'not_ready' END, now(), p."headSha", 100, true, false, 2, 0,
      p."number", 0, false, ${world.clock.now()}, ${mode}, 0,
      CASE WHEN p."number" % 2 = 0 THEN NULL ELSE ${world.clock.now()}::timestamptz END
    FROM "PullRequest" p WHERE p."number" BETWEEN ${from} AND ${to}`;
  await world.prisma.$executeRaw`
    INSERT INTO "ImpactedTargets" ("repositoryId", "number", "sha", "all", "targetCount", "names", "hashes", "updatedAt")
    SELECT "repositoryId", "number", "headSha", false, 2, '{}', ARRAY["number", 1000000]::bigint[], ${world.clock.now()}
    FROM "PullRequest" WHERE "number" BETWEEN ${from} AND ${to}`;
  await world.prisma.$executeRaw`ANALYZE`;
}

/** The rows that PostgreSQL reads for one decision, and the entries that the decision loads. */
async function costOf({ world, queueId }: Depths): Promise<{ rows: number; entries: number }> {
  return world.sql.transaction(
    async (tx) => {
      const before = await rowsRead();
      const lock = (await lockQueue(tx, queueId))!;
      const snapshot = await world.app
        .get(SnapshotLoader)
        .load(tx, lock.row, { numbers: [2], commits: [] }, world.clock.now());
      return { rows: (await rowsRead()) - before, entries: snapshot.entries.length };

      async function rowsRead(): Promise<number> {
        const [row] = await tx.rows<{ rows: number }>`
        SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS "rows" FROM pg_stat_xact_user_tables`;
        return row!.rows;
      }
    },
    { planner: 'by index' },
  );
}

describe('a queue with thousands of entries', () => {
  let depths: Depths;
  let world: World;
  let queueId: string;

  beforeAll(async () => {
    depths = await open('single', 3);
    ({ world, queueId } = depths);
  });
  afterAll(() => world.close());

  it('reads only the few rows that a decision needs', async () => {
    const { entries } = await costOf(depths);
    await addWaiting(depths, 100, 1_000);
    await addWaiting(depths, 1_001, 20_000);
    expect(await costOf(depths)).toEqual({ entries: entries + 2, rows: expect.any(Number) as number });
    // Three entries are in flight. The decision reads only a few of the twenty thousand waiting entries.
    expect((await costOf(depths)).rows).toBeLessThan(200);
  });

  it('gives each entry the right number of entries ahead', async () => {
    const processor = world.app.get(QueueProcessor);
    const { snapshot, asked } = await processor.view(queueId, { numbers: [1, 3, 100, 1_000, 101] });
    const ahead = asked.map(({ entryId, ahead }) => [
      snapshot.entries.find((entry) => entry.id === entryId)!.number,
      ahead,
    ]);
    expect(ahead.sort(([a], [b]) => a! - b!)).toEqual([
      [1, 0],
      [3, 2],
      [100, 3],
      [101, 0],
      [1_000, 453],
    ]);
    const explained = explain(snapshot, asked, world.clock.now().getTime());
    expect(explained.map(({ waitingFor }) => typeof waitingFor)).toEqual(Array(5).fill('string'));
  });

  it('cancels entries that were not ready for too long in small groups, until none is left', async () => {
    await world.updateQueue({ state: 'paused' });
    await world.prisma.entry.updateMany({
      where: { state: 'not_ready', number: { gt: 1_000 } },
      data: { state: 'cancelled', notReadySince: null },
    });
    const late = await world.prisma.entry.count({ where: { state: 'not_ready' } });
    expect(late).toBeGreaterThan(400);
    world.clock.advance(25 * 3_600_000);
    await world.settles();
    expect(await world.prisma.entry.count({ where: { state: 'not_ready' } })).toBe(0);
    const reasons = { stateReason: 'not_ready_timeout_expired' };
    expect(await world.prisma.entry.count({ where: reasons })).toBe(late);
  });
});

describe('parallel mode with thousands of entries', () => {
  let depths: Depths;

  beforeAll(async () => {
    depths = await open('parallel', 200);
  });
  afterAll(() => depths.world.close());

  it('reads for a decision at most the entries that could start in any of its lanes', async () => {
    await addWaiting(depths, 100, 1_500);
    const { entries, rows } = await costOf(depths);
    expect(entries).toBe(3 + 500);
    for (const [from, to] of [[1_501, 5_000] as const, [5_001, 20_000] as const]) {
      await addWaiting(depths, from, to);
      const deeper = await costOf(depths);
      expect(deeper.entries).toBe(entries);
      expect(deeper.rows).toBeLessThan(rows * 1.1);
    }
  });

  it('searches further back for startable entries than sequential mode does', async () => {
    const { world, queueId } = depths;
    const { snapshot } = await world.app.get(QueueProcessor).view(queueId, { numbers: [] });
    const furthest = 98 + 500 * 2;
    const [first, last] = [100, furthest].map(
      (number) => snapshot.entries.find((entry) => entry.number === number)!.id,
    );
    expect(snapshot.sharing.get(first!)).toContain(last!);
  });
});
