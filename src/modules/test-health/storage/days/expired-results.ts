import { Prisma } from '../../../../generated/prisma/client';
import type { PrismaService } from '../../../../platform/database/prisma.service';
import type { Sql } from '../../../../platform/database/sql';
import { withDayLock } from './day-lock';

/** Dropping a partition may block all readers of results for this time, whatever day they read. */
const PATIENCE_MS = 500;

/** Drops the partition of a day; its sums stay. */
export function dropResults(sql: Sql, day: string): Promise<'done' | 'in use'> {
  const partition = Prisma.raw(`test_results.result_${day.replaceAll('-', '')}`);
  return withDayLock(sql, day, PATIENCE_MS, async (tx) => {
    await tx.execute`/* expired-results dropResults */ ALTER TABLE test_results.result DETACH PARTITION ${partition}`;
    await tx.execute`/* expired-results dropResults 2 */ DROP TABLE ${partition}`;
  });
}

// Each function deletes at most `batch` rows and returns their number. Fewer than `batch`: no rows are left.

/** Failure groups of days before `day`. */
export function deleteFailureGroups(prisma: PrismaService, day: string, batch: number): Promise<number> {
  return prisma.$executeRaw`/* expired-results deleteFailureGroups */
    DELETE FROM test_results.failure_group WHERE ctid = ANY(ARRAY(
      SELECT old.ctid FROM "Repository" r CROSS JOIN LATERAL (
        SELECT g.ctid FROM test_results.failure_group g
        WHERE g.repository_id = r."id" AND g.day < ${day}::date
        LIMIT ${batch} FOR UPDATE SKIP LOCKED) old
      LIMIT ${batch}))`;
}

/** Messages of failures before `before`. The table is small: it has at most ten rows for each failed test. */
export function deleteFailureMessages(prisma: PrismaService, before: Date, batch: number): Promise<number> {
  return prisma.$executeRaw`/* expired-results deleteFailureMessages */
    DELETE FROM test_results.failure_message WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM test_results.failure_message WHERE failed_at < ${before} LIMIT ${batch} FOR UPDATE SKIP LOCKED))`;
}

/** Counts of refused uploads before `before`. */
export function deleteRefusedUploads(prisma: PrismaService, before: Date, batch: number): Promise<number> {
  return prisma.$executeRaw`/* expired-results deleteRefusedUploads */
    DELETE FROM test_results.refused_upload WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM test_results.refused_upload WHERE minute < ${before} LIMIT ${batch} FOR UPDATE SKIP LOCKED))`;
}

/** Uploads received before `before`, with their lists of failed tests. */
export function deleteUploads(prisma: PrismaService, before: Date, batch: number): Promise<number> {
  return prisma.$executeRaw`/* expired-results deleteUploads */
    WITH expired AS MATERIALIZED (
      SELECT "id" FROM "TestUpload" WHERE "receivedAt" < ${before} LIMIT ${batch} FOR UPDATE SKIP LOCKED
    ), failures AS (
      DELETE FROM test_results.upload_failure f USING expired x WHERE f.upload_id = x."id"
    ), moves AS (
      DELETE FROM "TestMoveUpload" m USING expired x WHERE m."uploadId" = x."id"
    )
    DELETE FROM "TestUpload" u USING expired x WHERE u."id" = x."id"`;
}

/** Test sets that no upload uses. A recent test set may belong to an upload that is being stored. */
export function deleteTestSets(prisma: PrismaService, storedBefore: Date, batch: number): Promise<number> {
  return prisma.$executeRaw`/* expired-results deleteTestSets */
    DELETE FROM test_results.test_set WHERE ctid = ANY(ARRAY(
      SELECT s.ctid FROM test_results.test_set s WHERE s.stored_at < ${storedBefore}
        AND NOT EXISTS (SELECT 1 FROM "TestUpload" u WHERE u."repositoryId" = s.repository_id AND u."testSet" = s.digest)
        AND NOT EXISTS (SELECT 1 FROM "TestUpload" u WHERE u."repositoryId" = s.repository_id AND u."skippedSet" = s.digest)
      LIMIT ${batch} FOR UPDATE SKIP LOCKED))`;
}

/** The sums of the oldest day before `day`; returns 1, or 0 when no such day is left. */
export function deleteDayTotals(prisma: PrismaService, day: string): Promise<number> {
  return prisma.$executeRaw`/* expired-results deleteDayTotals */
    WITH expired AS MATERIALIZED (
      SELECT day FROM test_results.summed_day WHERE day < ${day}::date ORDER BY day LIMIT 1 FOR UPDATE SKIP LOCKED
    ), totals AS (
      DELETE FROM test_results.day_total t USING expired x WHERE t.day = x.day
    )
    DELETE FROM test_results.summed_day s USING expired x WHERE s.day = x.day`;
}

/**
 * Tests that have not been seen since `gone`, and names that were seen only once and not since `once`. Tests with
 * manual settings, a linked ticket, a history or an active monitor stay.
 */
export function deleteTests(prisma: PrismaService, { gone, once }: { gone: Date; once: Date }, batch: number) {
  return prisma.$executeRaw`/* expired-results deleteTests */
    DELETE FROM "TestCase" WHERE "id" = ANY(ARRAY(
      SELECT old."id" FROM "Repository" r CROSS JOIN LATERAL (
        SELECT t."id" FROM "TestCase" t
        WHERE t."repositoryId" = r."id" AND t."lastSeenAt" < ${once}
          AND (t."lastSeenAt" < ${gone} OR (t."patternId" IS NOT NULL AND NOT t."seenAgain"))
          AND t."quarantineSetting" = 'unspecified' AND t."ticketUrl" IS NULL
          AND NOT EXISTS (SELECT 1 FROM "TestAlarm" a WHERE a."testCaseId" = t."id")
          AND NOT EXISTS (SELECT 1 FROM "TestMute" m WHERE m."testCaseId" = t."id")
          AND NOT EXISTS (SELECT 1 FROM "TestStatusChange" s WHERE s."testCaseId" = t."id")
          AND NOT EXISTS (SELECT 1 FROM "TestQuarantineChange" q WHERE q."testCaseId" = t."id")
        LIMIT ${batch} FOR UPDATE SKIP LOCKED) old
      LIMIT ${batch}))`;
}

export function deleteStatusChanges(prisma: PrismaService, before: Date, batch: number): Promise<number> {
  return prisma.$executeRaw`/* expired-results deleteStatusChanges */
    DELETE FROM "TestStatusChange" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "TestStatusChange" WHERE "at" < ${before} LIMIT ${batch} FOR UPDATE SKIP LOCKED))`;
}

export function deleteQuarantineChanges(prisma: PrismaService, before: Date, batch: number): Promise<number> {
  return prisma.$executeRaw`/* expired-results deleteQuarantineChanges */
    DELETE FROM "TestQuarantineChange" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "TestQuarantineChange" WHERE "at" < ${before} LIMIT ${batch} FOR UPDATE SKIP LOCKED))`;
}
