import { noticeRestore } from '../../src/processing/outbox/notice-restore';
import { inShortRun, repetitionsOfThisRun } from '../support/long-run';
import { World } from '../support/world';

/** All rows of the service, like in a database dump. */
class Backup {
  private constructor(
    private readonly world: World,
    private readonly tables: readonly string[],
  ) {}

  static async of(world: World): Promise<Backup> {
    const found = await world.prisma.$queryRaw<{ name: string }[]>`
      SELECT tablename AS "name" FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' ORDER BY 1`;
    const backup = new Backup(
      world,
      found.map(({ name }) => name),
    );
    await world.prisma.$transaction(async (tx) => {
      await tx.$executeRawUnsafe('DROP SCHEMA IF EXISTS backup CASCADE');
      await tx.$executeRawUnsafe('CREATE SCHEMA backup');
      for (const name of backup.tables) {
        await tx.$executeRawUnsafe(`CREATE TABLE backup."${name}" AS TABLE public."${name}"`);
      }
    });
    return backup;
  }

  async restore(): Promise<void> {
    await this.world.prisma.$transaction(async (tx) => {
      // The rows are restored without triggers and foreign keys, as pg_restore does it.
      await tx.$executeRawUnsafe(`SET LOCAL session_replication_role = replica`);
      for (const name of this.tables) {
        await tx.$executeRawUnsafe(`DELETE FROM public."${name}"`);
        await tx.$executeRawUnsafe(`INSERT INTO public."${name}" OVERRIDING SYSTEM VALUE TABLE backup."${name}"`);
      }
      await tx.$executeRawUnsafe('DROP SCHEMA backup CASCADE');
    });
  }
}

const PLAYED = repetitionsOfThisRun(['squash', 'merge_commit', 'rebase'] as const);

describe.each(PLAYED)('after the restore of a backup, by %s', (mergeMethod) => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'git' });
    for (const number of [1, 2, 3, 4]) world.git.openPullRequest(number, { [`${number}.txt`]: 'new\n' });
    await world.createQueue({ mergeMethod, requiredStatuses: ['tests'], concurrency: 2 });
  });
  afterEach(() => world.close());

  const titlesOn = (branch: string): string[] =>
    world.git.inBare('log', '--first-parent', '--format=%s', branch).split('\n');

  it('nothing merges twice, waits without end or is lost, if the backup was made in the middle of a run', async () => {
    for (const number of [1, 2]) await world.submit(number);
    await world.settles();
    const backup = await Backup.of(world);
    for (const number of [1, 2]) await world.report(number, 'success');
    await world.submit(3);
    await world.settles();
    expect(await world.stateOf(3)).toBe('testing');
    await world.report(3, 'success');
    expect(await world.stateOf(3)).toBe('merged');
    await world.submit(4);
    await world.settles();
    const leftBehind = world.git.branches().filter((name) => name !== 'main');
    expect(leftBehind).toHaveLength(1);
    const landed = titlesOn('main');
    expect(landed).toHaveLength(4);

    await backup.restore();
    const restored = await world.join();
    try {
      await restored.looksAtHost();
      // Only a merge commit brings the own commits of 1 and 2 to the target. Otherwise the restored service cannot tell
      // who merged them.
      const left = mergeMethod === 'merge_commit' ? 'merged' : 'cancelled';
      expect([await restored.stateOf(1), await restored.stateOf(2)]).toEqual([left, left]);
      expect(titlesOn('main')).toEqual(landed);
      for (const number of [3, 4]) await restored.submit(number).catch(() => undefined);
      await restored.settles();
      expect(await restored.stateOf(4)).toBe('testing');
      await restored.report(4, 'success');
      expect(await restored.stateOf(4)).toBe('merged');
      expect(titlesOn('main')).toHaveLength(5);
      // The run of 4 found a branch that was left behind under the same name, and removed the branch. At that moment, 3
      // was found on the target.
      expect(world.git.branches().filter((name) => !leftBehind.includes(name))).toEqual(['main']);
    } finally {
      await restored.close();
    }
  });
});

inShortRun(() => {
  describe('a testing branch from before the backup was restored', () => {
    it('is deleted, and new test runs get other numbers', async () => {
      const world = await World.create({ host: 'git' });
      try {
        world.git.openPullRequest(1, { '1.txt': 'new\n' });
        await world.createQueue({ requiredStatuses: ['tests'] });
        const backup = await Backup.of(world);
        await world.submit(1);
        await world.settles();
        const [left] = world.git.branches().filter((name) => name !== 'main');

        await backup.restore();
        world.git.pushToPullRequest(1, { 'more.txt': 'more\n' });
        await world.submit(1);
        await world.settles();
        expect(await world.stateOf(1)).toBe('testing');
        expect(world.git.branches()).toHaveLength(2);
        expect(world.git.branches()).not.toContain(left);
        const [first, second] = await world.prisma.testRun.findMany({ orderBy: { number: 'asc' } });
        expect(first).toMatchObject({ number: 1, endedBecause: 'start_refused' });
        expect(second!.number).toBeGreaterThan(100_000);
        await world.report(1, 'success');
        expect(await world.stateOf(1)).toBe('merged');
      } finally {
        await world.close();
      }
    });
  });

  describe('the start of the service', () => {
    it('gives new test runs other numbers if the database was moved to another place, and only then', async () => {
      const world = await World.create({ host: 'memory' });
      const url = process.env.DATABASE_URL!;
      const nextRun = async () => (await world.prisma.queue.findFirstOrThrow()).nextRun;
      try {
        await world.createQueue({ requiredStatuses: ['tests'] });
        expect([await noticeRestore(url), await noticeRestore(url), await nextRun()]).toEqual([false, false, 1]);
        await world.prisma.databasePlace.updateMany({ data: { place: 'of the server before' } });
        expect(await noticeRestore(url)).toBe(true);
        const skipped = await nextRun();
        expect(skipped).toBeGreaterThan(100_000);
        expect([await noticeRestore(url), await nextRun()]).toEqual([false, skipped]);
      } finally {
        await world.close();
      }
    });
  });
});
