import type { QueuedHead } from '../../src/engine/model';
import type { QueuePicture } from '../../src/modules/views/queue-picture.dto';
import { Dice } from '../simulation/oracle/random';
import { repetitionsOfThisRun } from '../support/long-run';
import { World } from '../support/world';

const STEPS = 40;
const PULL_REQUESTS = 14;

/** Unusual titles, authors and branches, which readers must treat as data only. */
const ODD = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '\u202Egnp.exe',
  '${process.env.HOME} {{7*7}} %s',
  '\'; DROP TABLE "Entry"; --',
  'x'.repeat(300),
  '🚀'.repeat(60),
];

/**
 * People, CI and time in a queue, drawn by a seed. After each step the picture of the queue is compared with its stored
 * state.
 */
class History {
  private readonly dice: Dice;

  constructor(
    private readonly world: World,
    seed: number,
    /**
     * Whether entries may share an area. In flow scheduling, one sentence counts the loaded entries that share an area.
     */
    private readonly mayShare: boolean,
  ) {
    this.dice = new Dice(seed);
  }

  async step(): Promise<void> {
    const { world } = this;
    await this.oneOf([
      () => this.submit(),
      () => this.submit(),
      () => this.submit(),
      () => this.answer('success'),
      () => this.answer('success'),
      () => this.answer('success'),
      () => this.answer('failure'),
      () => world.cancel(this.number()),
      () => world.restart(this.number()),
      () => Promise.resolve(world.memory.pushTo('main', { [`outside-${this.below(1e6)}.txt`]: 'x\n' })),
      () => world.updateQueue({ state: this.below(8) === 0 ? 'paused' : 'running' }),
      () => Promise.resolve(world.clock.advance(60_000 * (1 + this.below(4)))),
    ])();
    world.clock.advance(60_000);
    await world.settles();
    if (this.below(4) === 0) await world.looksAtHost();
  }

  private async submit(): Promise<void> {
    const number = this.number();
    const { memory } = this.world;
    if (!memory.pullRequests.has(number)) {
      const odd = ODD[number % ODD.length]!;
      // Some pull requests change the same file, and so conflict with each other.
      const files = this.below(5) === 0 ? { 'shared.txt': `${number}\n` } : { [`change-${number}.txt`]: `${number}\n` };
      memory.openPullRequest(number, { title: odd, author: `${odd} of ${number}`, draft: this.below(9) === 0, files });
    }
    const pr = { repo: this.world.repo, targetBranch: 'main', pr: { number } };
    await this.world.api.post('setImpactedTargets', {
      ...pr,
      impactedTargets: [this.mayShare ? `//${number % 3}` : `//${number}`],
    });
    await this.world.submit(number, { priority: this.below(8) === 0 ? 'urgent' : 'medium' });
  }

  private async answer(state: 'success' | 'failure'): Promise<void> {
    const runs = await this.world.prisma.testRun.findMany({
      where: { live: true, phase: 'testing' },
      orderBy: { number: 'asc' },
    });
    if (runs.length === 0) return;
    const { commit: sha } = runs[this.below(runs.length)]!;
    await this.world.api.mustPost('reportStatus', { repo: this.world.repo, sha, context: 'tests', state });
  }

  private number(): number {
    return 1 + this.below(PULL_REQUESTS);
  }

  private below(end: number): number {
    return this.dice.below(end);
  }

  private oneOf<T>(these: readonly T[]): T {
    return these[this.below(these.length)]!;
  }
}

async function drawn(world: World): Promise<QueuePicture> {
  return world.api.mustPost<QueuePicture>('getQueuePicture', { repo: world.repo, targetBranch: 'main' });
}

async function stored(world: World) {
  const rows = await world.prisma.testRun.findMany({
    where: { live: true },
    orderBy: { number: 'asc' },
    include: { members: { orderBy: { position: 'asc' } } },
  });
  return rows.map(({ id, number, kind, phase, baseCommit, commit, builtOn, members }) => ({
    ...{ testRunId: id, number, kind, phase, baseSha: baseCommit, testBranchSha: commit },
    builtOn: (builtOn as unknown as QueuedHead[]).map((head) => head.number),
    members: members.map((member) => ({ prNumber: member.number, prSha: member.head })),
  }));
}

/** The numbers of the unconcluded pull requests that the picture shows in any of its places. */
function placesIn({ runs, line, passed, searches, waiting }: QueuePicture): ReadonlySet<number> {
  return new Set([
    ...runs.flatMap(({ members }) => members.map(({ prNumber }) => prNumber)),
    ...[...line, ...passed, ...searches].flatMap(({ members }) => members),
    ...waiting.map(({ prNumber }) => prNumber),
  ]);
}

const PLAYED = repetitionsOfThisRun<[string, object]>([
  ['sequential', { concurrency: 4 }],
  ['sequential, with batches', { concurrency: 2, batch: true, batchingMinSize: 2, batchingMaxWaitTimeMinutes: 1 }],
  ['sequential, optimistic', { concurrency: 4, canOptimisticallyMerge: true, pendingFailureDepth: 2 }],
  ['in parallel mode', { concurrency: 4, mode: 'parallel' }],
  [
    'in flow scheduling',
    {
      ...{ scheduling: 'flow', concurrency: 3, canOptimisticallyMerge: true, batch: true, batchingMinSize: 2 },
      ...{ batchingMaxWaitTimeMinutes: 1, optimizationMode: 'bisection_skip_redundant_tests' },
    },
  ],
]);

describe.each(PLAYED)('pictures of a random history %s', (_, settings) => {
  let world: World;

  beforeAll(async () => {
    world = await World.create({ host: 'memory' });
    await world.createQueue({ requiredStatuses: ['tests'], ...settings });
  });

  afterAll(() => world.close());

  it('attack 9: draw each run with exactly its base and entries, and draw each pull request', async () => {
    const history = new History(world, 1, !('scheduling' in settings));
    const drawnRuns = new Set<number>();
    for (let step = 0; step < STEPS; step++) {
      await history.step();
      const picture = await drawn(world);
      const runs = picture.runs.map(({ testRunId, number, kind, phase, baseSha, testBranchSha, builtOn, members }) => {
        return { testRunId, number, kind, phase, baseSha, testBranchSha, builtOn, members };
      });
      for (const { number } of runs) drawnRuns.add(number);
      expect(runs.sort((a, b) => a.number - b.number)).toEqual(await stored(world));
      const open = await world.prisma.entry.findMany({
        where: { state: { notIn: ['merged', 'failed', 'cancelled'] } },
      });
      const places = placesIn(picture);
      expect(open.map(({ number }) => number).filter((number) => !places.has(number))).toEqual([]);
      const named = new Map(picture.pullRequests.map((one) => [one.prNumber, one]));
      for (const { number, state } of open) {
        const { title, author } = world.memory.pullRequest(number);
        expect(named.get(number)).toMatchObject({ prTitle: title, prAuthor: author, state });
      }
    }
    expect(drawnRuns.size).toBeGreaterThan(3);
  });

  it('give each run and each waiting pull request the same sentence as its record', async () => {
    const { runs, waiting } = await drawn(world);
    for (const { members, waitingFor } of runs)
      expect((await world.record(members[0]!.prNumber)).waitingFor).toBe(waitingFor);
    for (const { prNumber, waitingFor } of waiting) expect((await world.record(prNumber)).waitingFor).toBe(waitingFor);
  });
});
