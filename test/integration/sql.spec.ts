import { setImmediate as nextTurn } from 'node:timers/promises';
import { Prisma } from '../../src/generated/prisma/client';
import { isUniqueViolation, isWriteConflict } from '../../src/platform/database/database-errors';
import type { SqlTransaction } from '../../src/platform/database/sql';
import { type Statements, statementsIn } from '../../src/platform/database/statements';
import { newId } from '../../src/platform/ids';
import { Connections } from '../support/connections';

describe('Sql', () => {
  const connections = new Connections();
  const { prisma, sql } = connections;

  afterAll(() => connections.close());

  function insert(tx: Statements, slug: string): Promise<number> {
    return tx.execute`INSERT INTO "Organization" ("id", "slug", "name", "createdAt") VALUES (${newId()}::uuid, ${slug}, ${slug}, ${new Date()})`;
  }

  const find = (slug: string) => prisma.organization.findUnique({ where: { slug }, select: { slug: true } });
  const setting = (tx: Pick<Statements, 'rows'>, name: string) =>
    tx.rows<{ value: string }>`SELECT current_setting(${name}) AS "value"`.then(([row]) => row!.value);

  it('commits a transaction when its work ends, and not before', async () => {
    await sql.transaction(async (tx) => {
      expect(await insert(tx, 'sql-seen')).toBe(1);
      expect(await find('sql-seen')).toBeNull();
    });
    expect(await find('sql-seen')).toEqual({ slug: 'sql-seen' });
  });

  it('rolls a transaction back if its function throws', async () => {
    const failing = sql.transaction(async (tx) => {
      await insert(tx, 'sql-undone');
      throw new Error('No.');
    });
    await expect(failing).rejects.toThrow('No.');
    expect(await find('sql-undone')).toBeNull();
  });

  it('fails a transaction whose function ignored that a statement failed', async () => {
    const ignoring = sql.transaction(async (tx) => {
      await insert(tx, 'sql-ignored');
      await insert(tx, 'sql-ignored').catch(() => undefined);
    });
    await expect(ignoring).rejects.toThrow('was rolled back');
    expect(await find('sql-ignored')).toBeNull();
  });

  it('sends all statements of a transaction on one connection, also concurrent statements', async () => {
    const own = (tx: Statements) =>
      tx.rows<{ pid: number; id: bigint }>`SELECT pg_backend_pid() AS "pid", txid_current() AS "id"`;
    const all = await Promise.all(
      Array.from({ length: 30 }, () =>
        sql.transaction(async (tx) => {
          const before = await own(tx);
          await nextTurn();
          expect(await Promise.all([own(tx), own(tx)])).toEqual([before, before]);
          return before[0]!.id;
        }),
      ),
    );
    expect(new Set(all).size).toBe(30);
  });

  it('returns values with the same types as Prisma', async () => {
    const query = Prisma.sql`
      SELECT 7 AS "int", 7::bigint AS "bigint", 1.5::float8 AS "float", true AS "flag", 'a' AS "text", NULL::text AS "none",
        ARRAY['a', 'b,c']::text[] AS "texts", '{"a": [1, null]}'::jsonb AS "json",
        '2026-11-23T01:02:03.456Z'::timestamptz AS "at", ${new Date(1_700_000_000_123)}::timestamptz AS "given",
        ${'0190f000-0000-7000-8000-000000000001'}::uuid AS "id", ${[1, 2]}::int[] AS "ints"`;
    const byPrisma = await prisma.$transaction((tx) => statementsIn(tx).rows(query));
    expect(await sql.rows(query)).toEqual(byPrisma);
    expect(await sql.transaction((tx) => tx.rows(query))).toEqual(byPrisma);
  });

  it('refuses a statement after the end of its transaction', async () => {
    let kept!: SqlTransaction;
    await sql.transaction((tx) => Promise.resolve(void (kept = tx)));
    await expect(kept.rows`SELECT 1`).rejects.toMatchObject({ code: 'P2028' });
    expect(() => kept.copyInto('"Organization"')).toThrow('The transaction is over');
  });

  it('reports a duplicate key with the name of its index', async () => {
    const twice = sql.transaction(async (tx) => {
      await insert(tx, 'sql-twice');
      await insert(tx, 'sql-twice');
    });
    const error = await twice.catch((failure: unknown) => failure);
    expect(isUniqueViolation(error)).toBe(true);
    expect(error).toMatchObject({ constraint: 'Organization_slug_key' });
  });

  it.each(['serialization_failure', 'deadlock_detected'])(
    'tries a transaction again after %s, as often as the caller allows',
    async (name) => {
      let tried = 0;
      const conflict = Prisma.raw(`DO $$ BEGIN RAISE ${name}; END $$`);
      const failing = async (tx: Statements): Promise<number> => {
        tried += 1;
        return tried < 3 ? tx.execute(Prisma.sql`${conflict}`) : insert(tx, `sql-${name}`);
      };
      expect(await sql.transaction(failing, { tries: 3 })).toBe(1);
      tried = 0;
      const error = await sql.transaction(failing, { tries: 2 }).catch((failure: unknown) => failure);
      expect([isWriteConflict(error), tried]).toEqual([true, 2]);
      tried = 0;
      await expect(sql.transaction(failing)).rejects.toMatchObject({ code: expect.stringMatching(/^40/) as string });
      expect(tried).toBe(1);
    },
  );

  it('reads a snapshot of one moment, in which PostgreSQL refuses writes', async () => {
    const settings = await sql.snapshot(async (tx) => {
      await sql.transaction((other) => insert(other, 'sql-meanwhile'));
      const [row] = await tx.rows`SELECT count(*)::int AS "n" FROM "Organization" WHERE "slug" = 'sql-later'`;
      await sql.transaction((other) => insert(other, 'sql-later'));
      expect(await tx.rows`SELECT count(*)::int AS "n" FROM "Organization" WHERE "slug" = 'sql-later'`).toEqual([row]);
      return Promise.all(['transaction_isolation', 'transaction_read_only', 'jit'].map((name) => setting(tx, name)));
    });
    expect(settings).toEqual(['repeatable read', 'on', 'off']);
  });

  it('resets the planner settings at the end of a transaction', async () => {
    const scans = () => setting(sql, 'enable_seqscan');
    for (let nth = 0; nth < 20; nth++)
      expect(
        await sql.transaction(
          async (tx) => [await setting(tx, 'enable_seqscan'), await setting(tx, 'enable_hashjoin')],
          { planner: nth % 2 === 0 ? 'by index' : 'joined by index' },
        ),
      ).toEqual(['off', nth % 2 === 0 ? 'on' : 'off']);
    expect(new Set(await Promise.all(Array.from({ length: 20 }, scans)))).toEqual(new Set(['on']));
  });

  it('gives uploads at most four connections, also for 40 uploads at the same time', async () => {
    let [now, most] = [0, 0];
    const upload = () =>
      sql.transaction(
        async (tx) => {
          now += 1;
          most = Math.max(most, now);
          await tx.execute`SELECT pg_sleep(0.02)`;
          now -= 1;
        },
        { use: 'uploads' },
      );
    const uploads = Promise.all(Array.from({ length: 40 }, upload));
    const sixOthers = Array.from({ length: 6 }, () => sql.transaction((tx) => setting(tx, 'jit')));
    await Promise.all(sixOthers);
    expect(now).toBeGreaterThan(0);
    await uploads;
    expect(most).toBe(4);
  });
});
