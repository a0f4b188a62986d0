import type { PoolClient } from 'pg';

/**
 * Those that came in earlier uploads and never twice in one: what failed and then passed in one upload was retried. Two tests of one
 * name would have passed together before. Must come before new tests are stored.
 */
export async function retriesAmong(client: PoolClient, possible: readonly string[]): Promise<ReadonlySet<string>> {
  if (possible.length === 0) return new Set();
  const { rows } = await client.query<{ id: string }>(
    `SELECT p.id FROM unnest($1::uuid[]) AS p (id)
     WHERE EXISTS (SELECT 1 FROM "TestCase" t WHERE t."id" = p.id AND NOT t."repeated")
       OR EXISTS (SELECT 1 FROM "TestCase" t WHERE t."identityId" = p.id AND NOT t."repeated")`,
    [possible],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Remembers which tests share their name with another. */
export async function writeRepeated(client: PoolClient, repeated: readonly string[]): Promise<void> {
  await client.query(
    `WITH shared AS MATERIALIZED (
       SELECT t."id" FROM "TestCase" t
       WHERE (t."id" = ANY($1::uuid[]) OR t."identityId" = ANY($1::uuid[])) AND NOT t."repeated"
       ORDER BY t."id" FOR NO KEY UPDATE OF t
     )
     UPDATE "TestCase" t SET "repeated" = true FROM shared s WHERE t."id" = s."id"`,
    [repeated],
  );
}
