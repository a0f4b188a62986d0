import type { PoolClient } from 'pg';
import { copyLines } from './copy-lines';
import type { UploadSpool } from './upload-spool';

interface Upload {
  readonly repositoryId: string;
  readonly receivedAt: Date;
}

/** Tests that are new, and the owners of those that are known. In the order of their ids, as every other upload does it. */
export async function storeTests(client: PoolClient, upload: Upload, spool: UploadSpool): Promise<void> {
  if (spool.tests.isEmpty) return;
  await client.query(
    `CREATE TEMPORARY TABLE incoming_test (
       id UUID, name TEXT, variant TEXT, file TEXT, parent TEXT, classname TEXT, owners TEXT[]
     ) ON COMMIT DROP`,
  );
  await copyLines(client, 'incoming_test', spool.tests);
  await client.query(
    `INSERT INTO "TestCase" ("id", "repositoryId", "name", "variant", "filePath", "parent", "classname", "codeowners",
       "firstSeenAt", "status", "statusReason", "statusChangedAt", "quarantineSetting", "quarantined")
     SELECT DISTINCT ON (i.id) i.id, $1::uuid, i.name, i.variant, i.file, i.parent, i.classname, i.owners,
       $2::timestamptz, 'healthy', 'no monitor is active', $2::timestamptz, 'unspecified', false
     FROM incoming_test i WHERE NOT EXISTS (SELECT 1 FROM "TestCase" t WHERE t."id" = i.id)
     ORDER BY i.id
     ON CONFLICT ("id") DO NOTHING`,
    [upload.repositoryId, upload.receivedAt],
  );
  // An upload without owners says nothing about them.
  await client.query(
    `WITH changed AS MATERIALIZED (
       SELECT t."id", i.owners FROM incoming_test i JOIN "TestCase" t ON t."id" = i.id
       WHERE i.owners <> '{}' AND t."codeowners" <> i.owners
       ORDER BY t."id" FOR NO KEY UPDATE OF t
     )
     UPDATE "TestCase" t SET "codeowners" = c.owners FROM changed c WHERE t."id" = c."id"`,
  );
}
