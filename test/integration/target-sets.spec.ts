import type { Statements } from '../../src/platform/database/statements';
import { type Head, headKey, readVersions, TargetSets } from '../../src/processing/decisions/store/target-sets';
import { World } from '../support/world';

const SHA = 'a'.repeat(40);

describe('Lists of impacted targets', () => {
  let world: World;
  let repositoryId: string;

  beforeAll(async () => {
    world = await World.create({ host: 'memory' });
    ({ id: repositoryId } = await world.prisma.repository.findFirstOrThrow());
  });
  afterAll(() => world.close());
  beforeEach(() => world.prisma.impactedTargets.deleteMany());

  /**
   * Gives targets to this many pull requests. The last target of each pull request is also the first target of the next
   * one.
   */
  async function give(heads: number, targets: number, version = 1): Promise<Head[]> {
    const step = BigInt(targets - 1);
    const rows = Array.from({ length: heads }, (_, i) => ({
      ...{ repositoryId, number: i + 1, sha: SHA, all: false, targetCount: targets, names: [], version },
      hashes: Array.from({ length: targets }, (_, j) => (BigInt(i) * step + BigInt(j) - 1000n) * 1_000_003_000_017n),
      updatedAt: world.clock.now(),
    }));
    await world.prisma.impactedTargets.createMany({ data: rows });
    return rows.map(({ number, sha }) => ({ number, sha }));
  }

  /**
   * Reads the targets. Returns them with the cost of the read: rows from PostgreSQL's TOAST table, and milliseconds.
   */
  function read(sets: TargetSets, heads: readonly Head[]) {
    return world.sql.transaction(async (tx) => {
      const before = await longValuesRead(tx);
      const began = performance.now();
      const targets = await sets.read(tx, { repositoryId }, heads);
      const ms = performance.now() - began;
      return { targets, ms, longValues: (await longValuesRead(tx)) - before };
    });
  }

  async function longValuesRead(tx: Statements): Promise<number> {
    const [row] = await tx.rows<{ rows: number }>`
      SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::int AS "rows" FROM pg_stat_xact_all_tables
      WHERE relid = (SELECT reltoastrelid FROM pg_class WHERE oid = '"ImpactedTargets"'::regclass)`;
    return row!.rows;
  }

  function pairsAmong(sets: TargetSets, targets: Awaited<ReturnType<typeof read>>['targets'], heads: readonly Head[]) {
    const all = heads.map((head) => targets.get(headKey(head))!);
    return all.flatMap((a, i) => all.slice(i + 1).map((b) => sets.share(a, b)));
  }

  it('are read once from the database, and compared once', async () => {
    const heads = await give(20, 10_000);
    const sets = new TargetSets();
    const first = await read(sets, heads);
    expect(first.longValues).toBeGreaterThan(20);
    expect(first.targets.get(headKey(heads[19]!))?.hashes).toHaveLength(10_000);
    const pairs = pairsAmong(sets, first.targets, heads);
    expect(pairs.filter((shares) => shares)).toHaveLength(19);
    const second = await read(sets, heads);
    expect(second.longValues).toBe(0);
    expect(second.targets.get(headKey(heads[7]!))).toBe(first.targets.get(headKey(heads[7]!)));
    expect(pairsAmong(sets, second.targets, heads)).toEqual(pairs);
  });

  it('are read again only if their version has changed', async () => {
    const heads = await give(3, 5_000);
    const sets = new TargetSets();
    const { targets: before } = await read(sets, heads);
    const hashes = [1n, 2n];
    await world.prisma.impactedTargets.updateMany({ where: { number: 2 }, data: { version: 2, hashes } });
    const { targets: after } = await read(sets, heads);
    expect(after.get(headKey(heads[1]!))?.hashes).toEqual(Float64Array.from([1, 2]));
    expect([0, 2].map((i) => after.get(headKey(heads[i]!)) === before.get(headKey(heads[i]!)))).toEqual([true, true]);
    expect(pairsAmong(sets, before, heads)).toEqual([true, false, true]);
    expect(pairsAmong(sets, after, heads)).toEqual([false, false, false]);
  });

  it('are reused if their version was read before, and read again for another version', async () => {
    const heads = await give(2, 5_000);
    const source = { repositoryId };
    const readWith = (known: string): Promise<readonly [length: number, longValues: number]> =>
      world.sql.transaction(async (tx) => {
        const versions = await readVersions(tx, source, heads.slice(0, 1));
        const [row] = versions;
        const set = { ...row!, version: row!.version + (known === 'old' ? -1 : 0), all: false, hashes: '[1,2,3]' };
        const before = await longValuesRead(tx);
        const targets = await new TargetSets().read(tx, source, heads.slice(0, 1), versions, set);
        return [targets.get(headKey(heads[0]!))!.hashes.length, (await longValuesRead(tx)) - before];
      });
    expect(await readWith('present')).toEqual([3, 0]);
    expect(await readWith('old')).toEqual([5_000, expect.any(Number)]);
  });

  it('are removed from memory, the longest unused first, if there are too many', async () => {
    const heads = await give(4, 5_000);
    const sets = new TargetSets(16_000);
    const isRead = async (...which: number[]) =>
      (
        await read(
          sets,
          which.map((i) => heads[i]!),
        )
      ).longValues > 0;
    expect([await isRead(0), await isRead(1), await isRead(2)]).toEqual([true, true, true]);
    expect(await isRead(0)).toBe(false);
    expect(await isRead(3)).toBe(true);
    expect([await isRead(0), await isRead(2), await isRead(3)]).toEqual([false, false, false]);
    expect(await isRead(1)).toBe(true);
  });

  it('are kept, however many there are, while all of them are used', async () => {
    const heads = await give(4, 5_000);
    const sets = new TargetSets(6_000);
    await read(sets, heads);
    expect((await read(sets, heads)).longValues).toBe(0);
    await read(sets, heads.slice(3));
    expect((await read(sets, heads)).longValues).toBeGreaterThan(0);
  });

  it('are removed from memory also to make space for the results of their comparison', async () => {
    const heads = await give(40, 100);
    const sets = new TargetSets(40 * 200);
    const { targets } = await read(sets, heads);
    expect((await read(sets, heads.slice(20))).targets.get(headKey(heads[39]!))).toBe(targets.get(headKey(heads[39]!)));
    pairsAmong(sets, targets, heads);
    await read(sets, heads.slice(20));
    expect((await read(sets, heads)).targets.get(headKey(heads[0]!))).not.toBe(targets.get(headKey(heads[0]!)));
  });

  it('have the same comparisons after they were removed and read again', async () => {
    const heads = await give(3, 500);
    const sets = new TargetSets(600);
    const { targets: before } = await read(sets, heads);
    expect(pairsAmong(sets, before, heads)).toEqual([true, false, true]);
    await read(sets, heads.slice(2));
    const { targets: after } = await read(sets, heads);
    expect(after.get(headKey(heads[0]!))).not.toBe(before.get(headKey(heads[0]!)));
    expect(pairsAmong(sets, after, heads)).toEqual([true, false, true]);
    expect(pairsAmong(sets, before, heads)).toEqual([true, false, true]);
  });

  it('may belong to any number of repositories at the same time', async () => {
    const heads = await give(1, 200);
    const sets = new TargetSets();
    await read(sets, heads);
    await world.sql.transaction(async (tx) => {
      expect((await sets.read(tx, { repositoryId: '00000000-0000-4000-8000-000000000000' }, heads)).size).toBe(0);
    });
    expect((await read(sets, [...heads, { number: 1, sha: 'b'.repeat(40) }])).targets.size).toBe(1);
  });
});
