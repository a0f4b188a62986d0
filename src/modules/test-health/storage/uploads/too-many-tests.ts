import type { PoolClient } from 'pg';
import { retiredBefore, TOO_MANY_TESTS } from '../../rules/live-tests';
import { testCaseId } from '../../rules/test-identity';
import type { UploadOfTests } from './stored-tests';

const NEW_TESTS = `
  SELECT DISTINCT i.id FROM incoming_test i
  WHERE NOT EXISTS (SELECT 1 FROM "TestCase" t WHERE t."id" = i.id)
    AND NOT EXISTS (SELECT 1 FROM renamed_test r WHERE r.id = i.id)`;

/** Returns how many new tests have no room: they are one test together, which is never quarantined. */
export async function setAsideTooMany(
  client: PoolClient,
  { repositoryId, receivedAt, mostTests }: UploadOfTests,
): Promise<number> {
  const added = await client.query<{ count: number }>(`SELECT count(*)::int AS count FROM (${NEW_TESTS}) n`);
  if (added.rows[0]!.count === 0) return 0;
  const live = await client.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM "TestCase" WHERE "repositoryId" = $1 AND "lastSeenAt" > $2',
    [repositoryId, retiredBefore(receivedAt)],
  );
  const room = Math.max(mostTests - live.rows[0]!.count, 0);
  if (added.rows[0]!.count <= room) return 0;
  const { name, ...unknown } = TOO_MANY_TESTS;
  const id = testCaseId(repositoryId, TOO_MANY_TESTS);
  await client.query(
    `INSERT INTO "TestCase" ("id", "repositoryId", "name", "variant", "filePath", "parent", "classname", "codeowners",
       "firstSeenAt", "lastSeenAt", "status", "statusReason", "statusChangedAt", "quarantineSetting", "quarantined")
     VALUES ($1, $2, $3, $4, $4, $4, $4, '{}', $5, $5, 'healthy', 'no monitor is active', $5, 'never_quarantine', false)
     ON CONFLICT ("id") DO NOTHING`,
    [id, repositoryId, name, unknown.file, receivedAt],
  );
  const { rowCount } = await client.query(
    `INSERT INTO renamed_test (id, stored_as, is_joined) SELECT n.id, $1::uuid, true FROM (${NEW_TESTS}) n
     ORDER BY n.id OFFSET $2`,
    [id, room],
  );
  return rowCount ?? 0;
}
