import type { QueueHistory } from '../../src/engine/replay/history';
import { Replay } from '../../src/engine/replay/replay';
import { World } from '../support/world';

interface Figures {
  readonly merged: number;
  readonly failed: number;
  readonly testRuns: number;
  readonly failedWrongly: number;
  readonly timeToMerge: { readonly p50Seconds: number } | null;
}

interface Preview {
  readonly asItWas: Figures;
  readonly asItIs: Figures;
  readonly asItWouldBe: Figures;
  readonly tests: { readonly tested: number; readonly concluded: number; readonly assumed: number };
  readonly reproduced: { readonly same: number; readonly of: number };
  readonly leftOut: readonly string[];
}

describe('a queue whose history is replayed, on real git', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.create({ host: 'git' });
    await world.createQueue({ requiredStatuses: ['tests'], concurrency: 1 });
  });
  afterEach(() => world.close());

  const queue = () => ({ repo: world.repo, targetBranch: 'main' });
  const previewed = (settings: object = {}) =>
    world.api.mustPost<Preview>('previewSettings', { ...queue(), ...settings });

  async function submitted(...numbers: readonly number[]): Promise<void> {
    for (const number of numbers) {
      world.git.openPullRequest(number, { [`${number}.txt`]: `${number}\n` });
      expect((await world.submit(number)).status).toBe(200);
    }
    await world.settles();
  }

  /** Four pull requests, one after the other; the third fails, somebody pushes to the target, the fifth is cancelled. */
  async function aDay(): Promise<void> {
    await submitted(1, 2, 3, 4);
    for (const [number, state] of [
      [1, 'success'],
      [2, 'success'],
      [3, 'failure'],
      [4, 'success'],
    ] as const) {
      await world.advance(10);
      await world.report(number, state);
    }
    await world.advance(60);
    await submitted(5, 6);
    await world.advance(2);
    world.git.pushTo('main', { 'outside.txt': 'pushed\n' });
    await world.looksAtHost();
    await world.cancel(5);
    await world.settles();
    await world.advance(10);
    await world.report(6, 'success');
  }

  it('comes out as it was with the settings that it had', async () => {
    await aDay();
    const { asItWas, asItIs, asItWouldBe, reproduced, leftOut, tests } = await previewed();
    expect(asItWas).toMatchObject({ merged: 4, failed: 1, cancelled: 1, failedWrongly: 0 });
    expect(asItIs).toEqual(asItWas);
    expect(asItWouldBe).toEqual(asItWas);
    expect(reproduced).toEqual({ same: 6, of: 6 });
    // Two were stopped: by the push to the target, and with the pull request.
    expect(tests).toEqual({ tested: asItWas.testRuns - 2, concluded: 0, assumed: 0 });
    expect(leftOut).toEqual([]);
  });

  it('merges sooner when pull requests are tested in batches, and says what it concluded', async () => {
    await aDay();
    const { asItIs, asItWouldBe, tests } = await previewed({
      batch: true,
      batchingMinSize: 2,
      batchingMaxWaitTimeMinutes: 1,
    });
    expect(asItWouldBe).toMatchObject({ merged: 4, failed: 1, failedWrongly: 0 });
    expect(asItWouldBe.timeToMerge!.p50Seconds).toBeLessThan(asItIs.timeToMerge!.p50Seconds);
    // 3 and 4 were never tested together, but 3 was red.
    expect(tests.concluded).toBeGreaterThan(0);
  });

  it('changes nothing', async () => {
    await aDay();
    const before = await rows();
    await previewed({ concurrency: 5 });
    expect(await rows()).toEqual(before);
  });

  async function rows(): Promise<unknown> {
    const { prisma } = world;
    return [await prisma.queue.findMany(), await prisma.queueLog.count(), await prisma.outboxOrder.count()];
  }

  it('can be replayed elsewhere, also without saying whose it is', async () => {
    await aDay();
    const history = await world.api.mustPost<QueueHistory>('getQueueHistory', queue());
    const hidden = await world.api.mustPost<QueueHistory>('getQueueHistory', { ...queue(), anonymous: true });
    const endsOf = (from: QueueHistory): readonly string[] => {
      const replay = new Replay(from, { settings: {} }, () => []);
      while (!replay.advance(100)) continue;
      return replay.course.ends.map(({ end, reason }) => `${end} ${reason}`);
    };
    expect(endsOf(hidden)).toEqual(endsOf(history));
    expect(endsOf(history)).toHaveLength(6);
    expect(JSON.stringify(hidden)).not.toContain(history.ends[0]!.head);
  });

  it('refuses settings that cannot be in force together, and names them', async () => {
    await submitted(1);
    const answer = await world.api.post('previewSettings', { ...queue(), scheduling: 'flow' });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain('canOptimisticallyMerge');
  });

  it('says so when nothing happened yet', async () => {
    const answer = await world.api.post('previewSettings', queue());
    expect([answer.status, answer.body]).toMatchObject([404, { error: { code: 'NO_HISTORY' } }]);
  });

  it('is for those who administer the queue', async () => {
    const reader = await world.client('submit');
    expect((await reader.post('previewSettings', queue())).status).toBe(403);
    expect((await reader.post('getQueueHistory', queue())).status).toBe(403);
  });
});
