import type { PrismaService } from '../../../../platform/database/prisma.service';
import type { SqlTransaction } from '../../../../platform/database/sql';
import { idsOfKey } from '../../rules/test-set';

const MOST_MARKED = 10_000;

/**
 * The tests that earlier uploads contained, but never twice in one upload. A failure and a later pass of such a test in
 * one upload is a retry. If two tests had this name, an earlier upload would contain both of them. Must run before new
 * tests are stored.
 */
export async function retriesAmong(tx: SqlTransaction, possible: readonly string[]): Promise<ReadonlySet<string>> {
  if (possible.length === 0) return new Set();
  const rows = await tx.rows<{ id: string }>`/* repeated-tests retriesAmong */
    SELECT p.id FROM unnest(${possible}::uuid[]) AS p (id)
    WHERE EXISTS (SELECT 1 FROM "TestCase" t WHERE t."id" = p.id AND NOT t."repeated")
      OR EXISTS (SELECT 1 FROM "TestCase" t WHERE t."identityId" = p.id AND NOT t."repeated")`;
  return new Set(rows.map(({ id }) => id));
}

/** Stores which tests share their name with another test. */
export async function writeRepeated(tx: SqlTransaction, repeated: readonly string[]): Promise<void> {
  await tx.execute`/* repeated-tests writeRepeated */
    WITH shared AS MATERIALIZED (
      SELECT t."id" FROM "TestCase" t
      WHERE (t."id" = ANY(${repeated}::uuid[]) OR t."identityId" = ANY(${repeated}::uuid[])) AND NOT t."repeated"
      ORDER BY t."id" FOR NO KEY UPDATE OF t
    )
    UPDATE "TestCase" t SET "repeated" = true FROM shared s WHERE t."id" = s."id"`;
}

/**
 * Stores which names are in two parts of one attempt, such as two packages. If one upload later has both tests with
 * such a name, they are not retries. `keys`: the keys of the tests, in the form of `TestSet`.
 */
export async function markRepeated(
  prisma: PrismaService,
  repositoryId: string,
  keys: readonly bigint[],
): Promise<void> {
  if (keys.length === 0) return;
  const ranges = keys.slice(0, MOST_MARKED).map(idsOfKey);
  const [first, last] = [ranges.map((range) => range[0]), ranges.map((range) => range[1])];
  await prisma.$executeRaw`/* repeated-tests markRepeated */
    WITH marked AS MATERIALIZED (
      SELECT t."id" FROM "TestCase" t
      WHERE t."repositoryId" = ${repositoryId}::uuid AND NOT t."repeated" AND t."id" IN (
        SELECT c."id" FROM unnest(${first}::uuid[], ${last}::uuid[]) AS k (first, last) CROSS JOIN LATERAL (
          SELECT c."id" FROM "TestCase" c WHERE c."id" BETWEEN k.first AND k.last
          UNION ALL SELECT c."id" FROM "TestCase" c WHERE c."identityId" BETWEEN k.first AND k.last
        ) c)
      ORDER BY t."id" FOR NO KEY UPDATE OF t
    )
    UPDATE "TestCase" t SET "repeated" = true FROM marked m WHERE t."id" = m."id"`;
}
