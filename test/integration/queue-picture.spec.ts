import type { QueuePicture } from '../../src/modules/views/queue-picture.dto';
import { addWaiting } from '../support/waiting-entries';
import { World } from '../support/world';

const MOST_BYTES = 150_000;

describe.each([
  ['sequential', {}],
  ['in parallel mode', { mode: 'parallel' }],
  ['in flow scheduling', { scheduling: 'flow', canOptimisticallyMerge: true, batch: true, batchingMinSize: 4 }],
])('getQueuePicture of a queue of ten thousand, %s', (_, settings) => {
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
    await wait(101, 350);
  });

  afterAll(() => world.close());

  const wait = async (from: number, to: number) => {
    const { id: queueId } = await world.prisma.queue.findFirstOrThrow();
    await addWaiting(world.prisma, { queueId, now: world.clock.now(), like: 1 }, from, to);
  };
  const picture = (more: object = {}) =>
    world.api.mustPost<QueuePicture>('getQueuePicture', { repo: world.repo, targetBranch: 'main', ...more });

  it('names every waiting pull request once, page by page', async () => {
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

  it('has on each page the same positions and sentences as the records', async () => {
    const { nextCursor: cursor } = await picture();
    const { waiting } = await picture({ cursor, take: 3 });
    for (const { prNumber, waitingFor } of waiting) expect(waitingFor).toBe((await world.record(prNumber)).waitingFor);
    const [first] = waiting;
    expect(waiting.map(({ place }) => place)).toEqual([0, 1, 2].map((i) => first!.place! + i));
  });

  it('is smaller than 150 KB, however many pull requests wait', async () => {
    await wait(351, 10_100);
    const drawn = await picture();
    expect(drawn.waiting).toHaveLength(100);
    expect([drawn.waitingCount, drawn.notReadyCount]).toEqual([9_000, 1_000]);
    expect(JSON.stringify(drawn).length).toBeLessThan(MOST_BYTES);
  });
});
