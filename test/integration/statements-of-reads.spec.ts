import type { QueuePicture } from '../../src/modules/views/queue-picture.dto';
import { repetitionsOfThisRun } from '../support/long-run';
import { onStatement, statementsOf } from '../support/statements';
import { addWaiting } from '../support/waiting-entries';
import { World } from '../support/world';

const READS = ['getQueuePicture', 'listQueues', 'getPullRequestStory', 'getQueueHistoryByDay'] as const;
type Counts = Readonly<Record<(typeof READS)[number], number>>;

const PLAYED = repetitionsOfThisRun<[string, object]>([
  ['sequential', {}],
  ['in parallel mode', { mode: 'parallel' }],
  ['in flow scheduling', { scheduling: 'flow', canOptimisticallyMerge: true, batch: true, batchingMinSize: 2 }],
]);

describe.each(PLAYED)('the number of SQL statements of a read, %s', (_, settings) => {
  let world: World;
  let queue: { readonly repo: object; readonly targetBranch: string };

  beforeAll(async () => {
    world = await World.create({ host: 'memory' });
    queue = { repo: world.repo, targetBranch: 'main' };
    await world.createQueue({ requiredStatuses: ['tests'], concurrency: 1, ...settings });
  });
  afterAll(() => world.close());

  const bodyOf = (read: (typeof READS)[number], number: number): object => {
    if (read === 'listQueues') return {};
    return read === 'getPullRequestStory' ? { ...queue, pr: { number } } : queue;
  };

  /**
   * Counts the statements of the second of two equal reads, because constant data is read once and then cached.
   * `number` is the number of the pull request of which the story is read.
   */
  async function counts(number: number, reads: readonly (typeof READS)[number][] = READS): Promise<Counts> {
    const counted: Record<string, number> = {};
    for (const read of reads) {
      const ask = () => world.api.mustPost(read, bodyOf(read, number));
      await ask();
      counted[read] = (await statementsOf(ask)).length;
    }
    return counted as Counts;
  }

  async function submit(first: number, last: number): Promise<void> {
    for (let number = first; number <= last; number++) {
      world.memory.openPullRequest(number);
      const pr = { ...queue, pr: { number } };
      await world.api.mustPost('setImpactedTargets', { ...pr, impactedTargets: [`//${number % 4}`] });
      await world.submit(number);
    }
    await world.settles();
  }

  const picture = () => world.api.mustPost<QueuePicture>('getQueuePicture', queue);

  /** CI fails every test run in progress. */
  async function failRuns(): Promise<void> {
    for (const { testBranchSha: sha } of (await picture()).runs) {
      if (sha === null) continue;
      await world.api.mustPost('reportStatus', { repo: world.repo, sha, context: 'tests', state: 'failure' });
      await world.settles();
    }
  }

  async function wait(from: number, to: number): Promise<void> {
    const { id: queueId } = await world.prisma.queue.findFirstOrThrow({ where: { branch: 'main' } });
    await addWaiting(world.prisma, { queueId, now: world.clock.now(), like: 1 }, from, to);
  }

  it('is the same with 1,000 pull requests, eight slots and ten queues as with 12 in one queue', async () => {
    const none = await counts(0, ['getQueuePicture', 'listQueues', 'getQueueHistoryByDay']);
    await submit(1, 4);
    await failRuns();
    await submit(5, 6);
    await wait(101, 106);
    const [few, shownOfFew] = [await counts(103), await picture()];

    const { branches } = world.memory;
    for (let release = 1; release <= 9; release++) {
      branches.set(`release-${release}`, branches.get('main')!);
      await world.createQueue({ requiredStatuses: ['tests'] }, `release-${release}`);
    }
    await world.updateQueue({ concurrency: 8 });
    await submit(7, 12);
    await failRuns();
    await submit(13, 20);
    await wait(107, 1_120);
    const [many, shownOfMany] = [await counts(1_003), await picture()];

    expect(shownOfMany.waitingCount + shownOfMany.notReadyCount).toBeGreaterThanOrEqual(1_000);
    expect(shownOfMany.runs.length).toBeGreaterThan(shownOfFew.runs.length);
    const beyond = (one: Partial<Counts>) => READS.filter((read) => (one[read] ?? 0) > few[read]);
    expect({ none, few, many, beyond: [...beyond(none), ...beyond(many)] }).toEqual({ none, few, many, beyond: [] });
  });
});

describe('concurrent requests', () => {
  const TABS = 20;
  let world: World;

  beforeAll(async () => {
    world = await World.create({ host: 'memory' });
    await world.createQueue({ requiredStatuses: ['tests'] });
    world.memory.openPullRequest(1);
    await world.submit(1);
    await world.settles();
  });
  afterAll(() => world.close());

  it.each([
    ['getQueuePicture', () => ({ repo: world.repo, targetBranch: 'main' })],
    ['listQueues', () => ({ repo: world.repo })],
  ])('to %s share one read that began after they arrived', async (read, body) => {
    const found = new Promise<void>((resolve) => {
      let count = 0;
      const end = onStatement(({ text }) => {
        if (!text.includes('r."lookupName" = ') || ++count < TABS) return;
        end();
        resolve();
      });
    });
    let asked: Promise<unknown>[] = [];
    const sent = await statementsOf(async () => {
      // The reads wait for this lock until all requests have arrived.
      await world.prisma.$transaction(async (tx) => {
        await tx.$executeRaw`LOCK TABLE "Entry" IN ACCESS EXCLUSIVE MODE`;
        asked = Array.from({ length: TABS }, () => world.api.mustPost(read, body()));
        await found;
      });
      await Promise.all(asked);
    });
    expect(sent.filter(({ text }) => text.startsWith('BEGIN')).length).toBeLessThan(TABS / 2);
    const [first, ...others] = await Promise.all(asked);
    for (const other of others) expect(other).toEqual(first);
  });
});
