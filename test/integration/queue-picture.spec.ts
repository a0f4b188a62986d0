import type { QueuePicture } from '../../src/reading/dto/queue-picture.dto';
import { World } from '../support/world';

const MOST_BYTES = 150_000;

/** Waiting entries, as if they had been submitted one after another; one of ten is a draft. */
async function addWaiting(world: World, from: number, to: number): Promise<void> {
  const { id: queueId, mode } = await world.prisma.queue.findFirstOrThrow();
  await world.prisma.$executeRaw`
    INSERT INTO "PullRequest" ("id", "repositoryId", "number", "title", "body", "author", "headSha", "baseBranch", "state",
      "draft", "mergeability", "observedAt")
    SELECT gen_random_uuid(), p."repositoryId", n, 'Move the banner of page ' || n || ' into the layout', '', p."author",
      p."headSha", p."baseBranch", p."state", n % 10 = 1, p."mergeability", p."observedAt"
    FROM "PullRequest" p, generate_series(${from}::int, ${to}::int) n WHERE p."number" = 1`;
  await world.prisma.$executeRaw`
    INSERT INTO "Entry" ("id", "queueId", "pullRequestId", "number", "attempt", "state", "stateChangedAt", "head",
      "priority", "usedDefaultPriority", "noBatch", "pendingRank", "returnedOrder", "submittedOrder", "placeIndex",
      "urgentInLine", "submittedAt", "judgedMode", "timesAsked", "pendingSince", "notReadySince")
    SELECT gen_random_uuid(), ${queueId}::uuid, p."id", p."number", 1,
      CASE WHEN p."draft" THEN 'not_ready' ELSE 'pending' END, ${world.clock.now()}, p."headSha", 100, true, false, 2, 0,
      p."number", 0, false, ${world.clock.now()}, ${mode}, 0,
      CASE WHEN p."draft" THEN NULL ELSE ${world.clock.now()}::timestamptz END,
      CASE WHEN p."draft" THEN ${world.clock.now()}::timestamptz END
    FROM "PullRequest" p WHERE p."number" BETWEEN ${from} AND ${to}`;
  await world.prisma.$executeRaw`
    INSERT INTO "ImpactedTargets" ("repositoryId", "number", "sha", "all", "targetCount", "names", "hashes", "updatedAt")
    SELECT "repositoryId", "number", "headSha", false, 2, '{}', CASE WHEN ${mode} = 'parallel' THEN ARRAY["number", 1000000]::bigint[] ELSE ARRAY["number"]::bigint[] END,
      ${world.clock.now()}
    FROM "PullRequest" WHERE "number" BETWEEN ${from} AND ${to}`;
  await world.prisma.$executeRaw`ANALYZE`;
}

describe.each([
  ['in order', {}],
  ['in lanes', { mode: 'parallel' }],
  ['in flow', { scheduling: 'flow', canOptimisticallyMerge: true, batch: true, batchingMinSize: 4 }],
])('the picture of a queue of ten thousand, %s', (_, settings) => {
  let world: World;

  beforeAll(async () => {
    world = await World.create({ host: 'memory' });
    await world.createQueue({ requiredStatuses: ['tests'], concurrency: 8, ...settings });
    await world.updateQueue({ state: 'paused' });
    for (let number = 1; number <= 8; number++) {
      world.memory.openPullRequest(number);
      const pr = { repo: world.repo, targetBranch: 'main', pr: { number } };
      await world.api.mustPost('setImpactedTargets', { ...pr, impactedTargets: [`//${number}`] });
      await world.submit(number);
    }
    await world.updateQueue({ state: 'running' });
    await world.settles();
    await addWaiting(world, 101, 350);
  });

  afterAll(() => world.close());

  const picture = (more: object = {}) =>
    world.api.mustPost<QueuePicture>('getQueuePicture', { repo: world.repo, targetBranch: 'main', ...more });

  it('names everything that waits once, page by page', async () => {
    const numbers: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await picture({ cursor });
      numbers.push(...page.waiting.map(({ prNumber }) => prNumber));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    const isDraft = (number: number) => number % 10 === 1;
    const all = Array.from({ length: 250 }, (_, i) => i + 101);
    expect(numbers).toEqual([...all.filter((number) => !isDraft(number)), ...all.filter(isDraft)]);
  });

  it('gives on each page the places and sentences of the records', async () => {
    const { nextCursor: cursor } = await picture();
    const { waiting } = await picture({ cursor, take: 3 });
    for (const { prNumber, waitingFor } of waiting) expect(waitingFor).toBe((await world.record(prNumber)).waitingFor);
    const [first] = waiting;
    expect(waiting.map(({ place }) => place)).toEqual([0, 1, 2].map((i) => first!.place! + i));
  });

  it('is smaller than 150 KB, however many wait', async () => {
    await addWaiting(world, 351, 10_100);
    const drawn = await picture();
    expect(drawn.waiting).toHaveLength(100);
    expect([drawn.waitingCount, drawn.notReadyCount]).toEqual([9_000, 1_000]);
    expect(JSON.stringify(drawn).length).toBeLessThan(MOST_BYTES);
  });
});
