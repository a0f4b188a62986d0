import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PrismaService } from '../../../src/platform/database/prisma.service';
import type { SqlTransaction } from '../../../src/platform/database/sql';
import { DAY_MS, dayAfter, dayOf, startOfDay } from '../../../src/modules/test-health/rules/days';
import { storedDays, sumDay } from '../../../src/modules/test-health/storage/days/day-sums';
import { Connections } from '../../support/connections';
import { DAYS, makeTests, makeUploads, type MadeTest, type MadeUpload, resultLines } from './made-results';

const SUMMED_AFTER_MS = 2 * 3_600_000;
const RESULT =
  'test_case_id, occurred_at, upload_id, summary_id, duration_ms, pr_number, outcome, branch_class, counted';

export interface Made {
  readonly results: number;
  readonly failures: number;
  readonly groups: number;
  readonly dayTotals: number;
}

/**
 * Fills the repository acme/widgets. COPY inserts the results into the partitions. The statement that groups the
 * failures of an upload runs once, for all uploads. The product's nightly job makes the sums. The VACUUM that the
 * server would run later runs at the end.
 */
export async function makeStoredResults(databaseUrl: string, results: number, now: Date): Promise<Made> {
  const connections = new Connections(databaseUrl);
  const { prisma, sql } = connections;
  try {
    const { id: repositoryId } = await prisma.repository.findFirstOrThrow();
    const tests = makeTests(repositoryId);
    const uploads = makeUploads(results, now);
    for (let day = -1; day <= DAYS; day++) {
      const wanted = dayOf(new Date(now.getTime() - day * DAY_MS));
      await prisma.$queryRaw`SELECT test_results.ensure_day(${wanted}::date)::text`;
    }
    await sql.transaction(async (tx) => {
      await copyTests(tx, repositoryId, tests, now);
      await copyUploads(tx, repositoryId, uploads);
      await copy(tx, `test_results.result (${RESULT})`, linesOf(tests, uploads));
      await groupFailures(tx, repositoryId, tests);
    });
    for (const { day } of await storedDays(prisma)) {
      if (startOfDay(dayAfter(day)).getTime() + SUMMED_AFTER_MS <= now.getTime()) await sumDay(sql, day, now);
    }
    await prisma.$executeRawUnsafe('VACUUM (ANALYZE)');
    return await count(prisma);
  } finally {
    await connections.close();
  }
}

function copy(tx: SqlTransaction, target: string, lines: Iterable<string>): Promise<void> {
  return pipeline(Readable.from(lines), tx.copyInto(target));
}

function* linesOf(tests: readonly MadeTest[], uploads: readonly MadeUpload[]): Generator<string> {
  for (const upload of uploads) yield* resultLines(tests, upload);
}

/**
 * Stores the tests. The flaky and the broken tests have the status flaky or broken, and eight in ten of these tests are
 * quarantined.
 */
function copyTests(tx: SqlTransaction, repositoryId: string, tests: readonly MadeTest[], now: Date): Promise<void> {
  const at = now.toISOString();
  const lines = tests.map(({ id, name, file, failureRate }, number) => {
    const status = failureRate > 0.5 ? 'broken' : failureRate > 0 ? 'flaky' : 'healthy';
    const isQuarantined = status !== 'healthy' && number % 10 < 8;
    const identity = [id, repositoryId, name, '', file, `Suite ${number}`, `App area ${number % 97}`, '{@acme/app}'];
    return `${[...identity, at, status, 'it failed', at, 'unspecified', isQuarantined ? 't' : 'f'].join('\t')}\n`;
  });
  const columns = `"id", "repositoryId", "name", "variant", "filePath", "parent", "classname", "codeowners", "firstSeenAt",
    "status", "statusReason", "statusChangedAt", "quarantineSetting", "quarantined"`;
  return copy(tx, `"TestCase" (${columns})`, lines);
}

async function copyUploads(tx: SqlTransaction, repositoryId: string, uploads: readonly MadeUpload[]): Promise<void> {
  const lines = uploads.map(({ number, receivedAt, branchClass, prNumber, counted }) => {
    const commit = number.toString(16).padStart(40, '0');
    const who = [number, repositoryId, `job-${number}`, receivedAt.toISOString(), 'ci', commit, 'main', branchClass];
    return `${[...who, prNumber ?? '\\N', '', `https://ci.example/jobs/${number}`, 0, 0, 0, counted ? 't' : 'f'].join('\t')}\n`;
  });
  const columns = `"id", "repositoryId", "uploadId", "receivedAt", "actor", "commit", "branch", "branchClass", "prNumber",
    "variant", "jobUrl", "passed", "failed", "skipped", "counted"`;
  await copy(tx, `"TestUpload" (${columns})`, lines);
}

async function groupFailures(tx: SqlTransaction, repositoryId: string, tests: readonly MadeTest[]): Promise<void> {
  await tx.execute`CREATE TEMPORARY TABLE message (summary_id BIGINT, summary TEXT) ON COMMIT DROP`;
  const messages = tests.flatMap((test) => test.messages.map(({ id, summary }) => `${id}\t${summary}\n`));
  await copy(tx, 'message', messages);
  await tx.execute`ANALYZE message`;
  await tx.execute`INSERT INTO test_results.failure_group
       (repository_id, day, test_case_id, summary_id, summary, failures, first_at, last_at)
     SELECT ${repositoryId}::uuid, (occurred_at AT TIME ZONE 'UTC')::date, test_case_id, summary_id, min(summary), count(*),
       min(occurred_at), max(occurred_at)
     FROM test_results.result JOIN message USING (summary_id) WHERE outcome = 1 AND counted
     GROUP BY 2, 3, 4 ORDER BY 2, 3, 4`;
  await tx.execute`INSERT INTO test_results.upload_failure (upload_id, test_case_id)
     SELECT DISTINCT upload_id, test_case_id FROM test_results.result WHERE outcome = 1`;
  await tx.execute`UPDATE "TestCase" t SET "lastFailedAt" = f.last
     FROM (SELECT test_case_id, max(last_at) AS last FROM test_results.failure_group GROUP BY 1) f
     WHERE t."id" = f.test_case_id`;
}

async function count(prisma: PrismaService): Promise<Made> {
  const [row] = await prisma.$queryRaw<Made[]>`
    SELECT (SELECT count(*)::int FROM test_results.result) AS "results",
      (SELECT count(*)::int FROM test_results.result WHERE outcome = 1) AS "failures",
      (SELECT count(*)::int FROM test_results.failure_group) AS "groups",
      (SELECT count(*)::int FROM test_results.day_total) AS "dayTotals"`;
  return row!;
}
