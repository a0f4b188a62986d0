import { setImmediate as nextTurn } from 'node:timers/promises';
import { Prisma } from '../../src/generated/prisma/client';
import { isUniqueViolation, isWriteConflict } from '../../src/platform/database/database-errors';
import { commitBehind } from '../../src/platform/database/direct-transaction';
import { PrismaService, type Tx } from '../../src/platform/database/prisma.service';
import { newId } from '../../src/platform/ids';
import { World } from '../support/world';

describe('a transaction whose raw statements do not go through Prisma', () => {
  let world: World;
  let prisma: PrismaService;

  beforeAll(async () => {
    world = await World.create({ host: 'memory' });
    prisma = world.app.get(PrismaService);
  });
  afterAll(() => world.close());

  function insert(tx: Tx, slug: string): Promise<number> {
    return tx.$executeRaw`INSERT INTO "Organization" ("id", "slug", "name", "createdAt") VALUES (${newId()}::uuid, ${slug}, ${slug}, ${new Date()})`;
  }

  const find = (tx: Tx, slug: string) => tx.organization.findUnique({ where: { slug }, select: { slug: true } });

  it('is one with what Prisma sends in it', async () => {
    await prisma.directTransaction(async (tx) => {
      expect(await insert(tx, 'seen')).toBe(1);
      expect(await find(tx, 'seen')).toEqual({ slug: 'seen' });
      expect(await find(prisma, 'seen')).toBeNull();
    });
    expect(await find(prisma, 'seen')).toEqual({ slug: 'seen' });
  });

  it('that reads one state is of one moment, writes nothing, and is not compiled', async () => {
    const settings = await prisma.readOneState(
      (tx) => tx.$queryRaw`SELECT current_setting('transaction_isolation') AS "isolation",
        current_setting('transaction_read_only') AS "readOnly", current_setting('jit') AS "jit"`,
    );
    expect(settings).toEqual([{ isolation: 'repeatable read', readOnly: 'on', jit: 'off' }]);
  });

  it('is rolled back as a whole', async () => {
    const failing = prisma.directTransaction(async (tx) => {
      await insert(tx, 'undone');
      throw new Error('No.');
    });
    await expect(failing).rejects.toThrow('No.');
    expect(await find(prisma, 'undone')).toBeNull();
  });

  it('keeps to its connection, however many there are at once', async () => {
    const own = (tx: Tx) =>
      tx.$queryRaw<{ pid: number; id: bigint }[]>`SELECT pg_backend_pid() AS "pid", txid_current() AS "id"`;
    const all = await Promise.all(
      Array.from({ length: 30 }, () =>
        prisma.directTransaction(async (tx) => {
          const before = await own(tx);
          await nextTurn();
          await tx.organization.count();
          expect(await own(tx)).toEqual(before);
          return before[0]!.id;
        }),
      ),
    );
    expect(new Set(all).size).toBe(30);
  });

  it('gives values the types that Prisma gives them', async () => {
    const query = Prisma.sql`
      SELECT 7 AS "int", 7::bigint AS "bigint", 1.5::float8 AS "float", true AS "flag", 'a' AS "text", NULL::text AS "none",
        ARRAY['a', 'b,c']::text[] AS "texts", '{"a": [1, null]}'::jsonb AS "json",
        '2026-11-23T01:02:03.456Z'::timestamptz AS "at", ${new Date(1_700_000_000_123)}::timestamptz AS "given",
        ${newIdOfTest}::uuid AS "id", ${[1, 2]}::int[] AS "ints"`;
    const read = (tx: Tx) => tx.$queryRaw<unknown[]>(query);
    expect(await prisma.directTransaction(read)).toEqual(await prisma.$transaction(read));
  });

  it('refuses a statement after its end: another transaction may have the connection', async () => {
    let kept!: Tx;
    await prisma.directTransaction((tx) => Promise.resolve(void (kept = tx)));
    await expect(kept.$queryRaw`SELECT 1`).rejects.toMatchObject({ code: 'P2028' });
  });

  it('says when it may be tried again', async () => {
    const conflicting = prisma.directTransaction(
      (tx) => tx.$executeRaw`DO $$ BEGIN RAISE serialization_failure; END $$`,
    );
    expect(isWriteConflict(await conflicting.catch((error: unknown) => error))).toBe(true);
  });

  it('says when a key exists already', async () => {
    const twice = prisma.directTransaction(async (tx) => {
      await insert(tx, 'twice');
      await insert(tx, 'twice');
    });
    const error = await twice.catch((failure: unknown) => failure);
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(error, 'Organization_slug_key')).toBe(true);
    expect(isUniqueViolation(error, 'Organization_pkey')).toBe(false);
  });

  describe('that is committed behind its last statement', () => {
    it('is there when it ends', async () => {
      const counted = await prisma.directTransaction((tx) => {
        const inserted = insert(tx, 'behind');
        commitBehind(tx);
        return inserted;
      });
      expect(counted).toBe(1);
      expect(await find(prisma, 'behind')).toEqual({ slug: 'behind' });
    });

    it('is rolled back when that statement fails, and says why', async () => {
      const failing = prisma.directTransaction(async (tx) => {
        await insert(tx, 'before it');
        const again = insert(tx, 'before it');
        commitBehind(tx);
        await again;
      });
      expect(isUniqueViolation(await failing.catch((error: unknown) => error))).toBe(true);
      expect(await find(prisma, 'before it')).toBeNull();
    });

    it('takes no statement after it', async () => {
      const late = prisma.directTransaction(async (tx) => {
        const inserted = insert(tx, 'in time');
        commitBehind(tx);
        await inserted;
        await insert(tx, 'too late');
      });
      await expect(late).rejects.toMatchObject({ code: 'P2028' });
      expect([await find(prisma, 'in time'), await find(prisma, 'too late')]).toEqual([{ slug: 'in time' }, null]);
    });

    it('leaves the connection as it was for the next one', async () => {
      for (let nth = 0; nth < 20; nth++) {
        const [row] = await prisma.queryByIndex<{ mode: string }>`SELECT current_setting('enable_seqscan') AS "mode"`;
        expect(row).toEqual({ mode: 'off' });
      }
      const settings = await Promise.all(
        Array.from({ length: 20 }, () => prisma.queryDirectly`SELECT current_setting('enable_seqscan') AS "mode"`),
      );
      expect(new Set(settings.map((rows) => JSON.stringify(rows)))).toEqual(new Set(['[{"mode":"on"}]']));
    });

    it('is committed at its end where Prisma has it', async () => {
      await prisma.$transaction(async (tx) => {
        await insert(tx, 'of Prisma');
        commitBehind(tx);
        await insert(tx, 'of Prisma, too');
      });
      expect(await find(prisma, 'of Prisma, too')).toEqual({ slug: 'of Prisma, too' });
    });
  });
});

const newIdOfTest = '0190f000-0000-7000-8000-000000000001';
