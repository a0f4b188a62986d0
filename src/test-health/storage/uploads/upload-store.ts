import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { DirectConnections } from '../../../platform/database/direct-connections';
import { PrismaService } from '../../../platform/database/prisma.service';
import { Wakeups } from '../../../platform/wakeups/wakeups';
import { BRANCH_CLASS_CODES } from '../../rules/branches';
import { dayLockKey } from '../days/day-lock';
import { addToSummedDays } from '../days/day-sums';
import { markTestsOfUpload } from '../evaluation/due-tests';
import { reviseInfrastructureFailure } from './revise-infrastructure-failure';
import { COPY_NULL, copyLines } from './copy';
import { storeTestSet } from './job-tests';
import { storeFailures } from './store-failures';
import { tellQueues } from './tell-queues';
import type { UploadRow } from './upload-row';
import type { UploadSpool } from './upload-spool';

/** `tests`: ids of the tests to evaluate now. */
type StoredOrKnown = { readonly type: 'stored'; readonly tests: readonly string[] } | { readonly type: 'known' };

/** Stores an upload in one transaction: all of it or nothing. */
@Injectable()
export class UploadStore {
  constructor(
    private readonly connections: DirectConnections,
    private readonly prisma: PrismaService,
    private readonly wakeups: Wakeups,
  ) {}

  /** `failureLimit`: the share of healthy tests that may fail together. */
  async store(upload: UploadRow, spool: UploadSpool, failureLimit: number): Promise<StoredOrKnown> {
    const days = [...spool.days].sort();
    // Outside the transaction below: attaching a partition takes a lock that must not be held for long.
    for (const day of days) await this.prisma.$queryRaw`SELECT test_results.ensure_day(${day}::date)::text`;
    const testSet = await storeTestSet(this.prisma, upload, spool.testSet);
    const outcome = await this.connections.transaction<StoredOrKnown>(async (client) => {
      const id = await claimUpload(client, upload, spool, testSet);
      if (id === null) return { type: 'known' };
      for (const day of days) await client.query('SELECT pg_advisory_xact_lock_shared($1)', [dayLockKey(day)]);
      await storeTests(client, upload, spool);
      await storeResults(client, id, upload, spool);
      await storeFailures(client, id, upload, spool);
      await tellQueues(client, id, upload, spool);
      if (days.length === 0) return { type: 'stored', tests: [] };
      await addToSummedDays(client, id, days);
      const revised = await reviseInfrastructureFailure(client, upload, failureLimit);
      const tests = await markTestsOfUpload(client, { id, ...upload, ...spool.times }, revised);
      return { type: 'stored', tests };
    });
    if (outcome.type === 'stored') {
      spool.rememberTests();
      this.wakeups.wake('inbox');
    }
    return outcome;
  }
}

/** Null: an upload with this id is stored. Waits for one that is being stored. */
async function claimUpload(
  client: PoolClient,
  upload: UploadRow,
  spool: UploadSpool,
  testSet: Buffer | null,
): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO "TestUpload" ("repositoryId", "uploadId", "receivedAt", "actor", "commit", "branch", "branchClass",
       "prNumber", "variant", "jobUrl", "job", "shard", "part",
       "testExitCode", "testSet", "findings", "tree", "line", "changes", "sketch", "counted", "passed", "failed", "skipped")
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, true, $21, $22, $23)
     ON CONFLICT ("repositoryId", "uploadId") DO NOTHING RETURNING "id"`,
    [
      ...[upload.repositoryId, upload.uploadId, upload.receivedAt, upload.actor, upload.commit, upload.branch],
      ...[upload.branchClass, upload.prNumber, upload.variant, upload.jobUrl, upload.job, upload.shard],
      ...[upload.part, upload.testExitCode, testSet, JSON.stringify(spool.findings)],
      ...[upload.tree, upload.line, upload.changes, spool.distinct.sketch],
      ...[spool.passed, spool.failed, spool.skipped],
    ],
  );
  return rows[0]?.id ?? null;
}

/** Stores new tests, and new owners of known tests. Ordered by id, so that two uploads cannot deadlock. */
async function storeTests(client: PoolClient, upload: UploadRow, spool: UploadSpool): Promise<void> {
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
  // An upload without owners does not change them.
  await client.query(
    `WITH changed AS MATERIALIZED (
       SELECT t."id", i.owners FROM incoming_test i JOIN "TestCase" t ON t."id" = i.id
       WHERE i.owners <> '{}' AND t."codeowners" <> i.owners
       ORDER BY t."id" FOR NO KEY UPDATE OF t
     )
     UPDATE "TestCase" t SET "codeowners" = c.owners FROM changed c WHERE t."id" = c."id"`,
  );
}

async function storeResults(client: PoolClient, id: string, upload: UploadRow, spool: UploadSpool): Promise<void> {
  const { prNumber, branchClass } = upload;
  // What an upload left out of judgement holds is listed all the same: TestUpload.counted says so.
  const same = [prNumber ?? COPY_NULL, BRANCH_CLASS_CODES[branchClass], id, 't'].join('\t');
  await copyLines(
    client,
    `test_results.result
       (test_case_id, occurred_at, outcome, duration_ms, summary_id, pr_number, branch_class, upload_id, counted)`,
    spool.results,
    (lines) => lines.replaceAll('\n', `\t${same}\n`),
  );
}
