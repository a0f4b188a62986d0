import type { Tx } from '../../../../platform/database/prisma.service';
import { TOO_MANY_TESTS } from '../../rules/live-tests';
import { claimTests, type ClaimedTest, lockTest } from '../evaluation/due-tests';
import { evaluateClaimed } from '../evaluation/test-evaluator';
import { lockSettingsToRead } from '../settings';
import { lockMovesToWrite } from './active-moves';
import { moveResults } from './moved-results';

export interface WantedMove {
  readonly repositoryId: string;
  /** The test that keeps its id, history and quarantine. */
  readonly from: string;
  /** The test under its new name. */
  readonly to: string;
  /** Name of the token; null: the service itself. */
  readonly actor: string | null;
  readonly reason: string;
  /** The line of runs by which the service found the move; empty: a manual move. */
  readonly line: string;
  readonly now: Date;
}

export type MoveOutcome =
  | { readonly type: 'moved'; readonly id: string; readonly test: ClaimedTest }
  | { readonly type: 'no_test'; readonly id: string }
  /** Both names ran on this commit, so they are two tests. */
  | { readonly type: 'both_ran'; readonly commit: string }
  /** A failure outside tests, or a name that stands for several tests. */
  | { readonly type: 'no_single_test'; readonly id: string }
  /** Another test moved to the new name. */
  | { readonly type: 'moved_before'; readonly id: string };

/**
 * Joins two names into one test. All results of the new name become results of the earlier test, which gets the new
 * name. The move stores the row of the new test, so that `undoMove` can restore it.
 */
export async function moveTest(tx: Tx, move: WantedMove): Promise<MoveOutcome> {
  const { repositoryId, from, to, now } = move;
  await lockSettingsToRead(tx);
  await lockMovesToWrite(tx, repositoryId);
  for (const id of [from, to].sort())
    if ((await lockTest(tx, repositoryId, id)) === undefined) return { type: 'no_test', id };
  const single = await tx.testCase.findMany({
    where: { id: { in: [from, to] }, outsideTests: false, name: { not: TOO_MANY_TESTS.name } },
  });
  const other = [from, to].find((id) => single.every((row) => row.id !== id));
  if (other !== undefined) return { type: 'no_single_test', id: other };
  const earlier = await tx.testMove.findFirst({ where: { testCaseId: to, undoneAt: null } });
  if (earlier !== null) return { type: 'moved_before', id: earlier.id.toString() };
  const commit = await commitOfBoth(tx, from, to);
  if (commit !== null) return { type: 'both_ran', commit };
  const id = await writeMove(tx, move);
  await moveResults(tx, id, { from: to, to: from });
  await takeOver(tx, move);
  await removeRow(tx, to);
  return { type: 'moved', id, test: await evaluateMoved(tx, from, now) };
}

/** A commit on which both tests ran; null: no commit has results of both tests. */
export async function commitOfBoth(tx: Tx, one: string, other: string): Promise<string | null> {
  const rows = await tx.$queryRaw<{ commit: string }[]>`/* move-test commitOfBoth */
    SELECT u."commit" FROM test_results.result r JOIN "TestUpload" u ON u."id" = r.upload_id
    WHERE r.test_case_id = ${one}::uuid AND r.outcome <> 2
    INTERSECT
    SELECT u."commit" FROM test_results.result r JOIN "TestUpload" u ON u."id" = r.upload_id
    WHERE r.test_case_id = ${other}::uuid AND r.outcome <> 2
    LIMIT 1`;
  return rows[0]?.commit ?? null;
}

/** The `identityId` of both tests belongs to the move, because results may arrive under these ids too. */
async function writeMove(tx: Tx, { repositoryId, from, to, actor, reason, line, now }: WantedMove): Promise<string> {
  const rows = await tx.$queryRaw<{ id: bigint }[]>`/* move-test writeMove */
    INSERT INTO "TestMove" ("repositoryId", "testCaseId", "at", "actor", "reason", "line", "movedIds", "formerIds", "before")
    SELECT ${repositoryId}::uuid, f."id", ${now}, ${actor}, ${reason}, ${line},
      CASE WHEN t."identityId" IS NULL THEN ARRAY[t."id"] ELSE ARRAY[t."id", t."identityId"] END,
      CASE WHEN f."identityId" IS NULL THEN '{}' ELSE ARRAY[f."identityId"] END,
      jsonb_build_object('from', to_jsonb(f), 'to', to_jsonb(t),
        'alarms', (SELECT coalesce(jsonb_agg(to_jsonb(a)), '[]') FROM "TestAlarm" a WHERE a."testCaseId" = t."id"),
        'mutes', (SELECT coalesce(jsonb_agg(to_jsonb(m)), '[]') FROM "TestMute" m WHERE m."testCaseId" = t."id"),
        'statuses', (SELECT coalesce(jsonb_agg(to_jsonb(s)), '[]') FROM "TestStatusChange" s WHERE s."testCaseId" = t."id"),
        'quarantines',
          (SELECT coalesce(jsonb_agg(to_jsonb(q)), '[]') FROM "TestQuarantineChange" q WHERE q."testCaseId" = t."id"),
        'messages', (SELECT coalesce(jsonb_agg(to_jsonb(m)), '[]') FROM test_results.failure_message m
          WHERE m.test_case_id IN (f."id", t."id")))
    FROM "TestCase" f, "TestCase" t WHERE f."id" = ${from}::uuid AND t."id" = ${to}::uuid
    RETURNING "id"`;
  return rows[0]!.id.toString();
}

/**
 * Manual settings of either test are kept; if both tests have a setting, "never" wins. The move itself does not change
 * quarantine: the evaluation after the move applies the settings.
 */
async function takeOver(tx: Tx, { from, to, actor, reason, now }: WantedMove): Promise<void> {
  await tx.$executeRaw`/* move-test takeOver */ UPDATE "TestCase" SET "identityId" = NULL WHERE "id" = ${to}::uuid`;
  await tx.$executeRaw`/* move-test takeOver 2 */
    WITH moved AS (SELECT "before"->'to' AS kept FROM "TestMove" WHERE "testCaseId" = ${from}::uuid ORDER BY "id" DESC LIMIT 1),
    n AS (SELECT r.* FROM moved, jsonb_populate_record(NULL::"TestCase", moved.kept) r)
    UPDATE "TestCase" o SET "identityId" = coalesce(n."identityId", n."id"), "name" = n."name", "filePath" = n."filePath",
      "parent" = n."parent", "classname" = n."classname", "variant" = n."variant", "patternId" = n."patternId",
      "codeowners" = CASE WHEN n."codeowners" = '{}' THEN o."codeowners" ELSE n."codeowners" END,
      "firstSeenAt" = least(o."firstSeenAt", n."firstSeenAt"), "lastSeenAt" = greatest(o."lastSeenAt", n."lastSeenAt"),
      "seenAgain" = o."seenAgain" OR n."seenAgain", "repeated" = o."repeated" OR n."repeated",
      "lastFailedAt" = greatest(o."lastFailedAt", n."lastFailedAt"), "ticketUrl" = coalesce(o."ticketUrl", n."ticketUrl"),
      "quarantineSetting" = CASE
        WHEN 'never_quarantine' IN (o."quarantineSetting", n."quarantineSetting") THEN 'never_quarantine'
        WHEN 'always_quarantine' IN (o."quarantineSetting", n."quarantineSetting") THEN 'always_quarantine'
        ELSE 'unspecified' END
    FROM n WHERE o."id" = ${from}::uuid`;
  const { quarantineSetting: setting, quarantined } = await tx.testCase.findUniqueOrThrow({ where: { id: from } });
  const said = `moved here from another name: ${reason}`;
  await tx.testQuarantineChange.create({
    data: { testCaseId: from, at: now, actor, setting, quarantined, reason: said },
  });
}

async function removeRow(tx: Tx, id: string): Promise<void> {
  const where = { testCaseId: id };
  await tx.testAlarm.deleteMany({ where });
  await tx.testMute.deleteMany({ where });
  await tx.testStatusChange.deleteMany({ where });
  await tx.testQuarantineChange.deleteMany({ where });
  await tx.$executeRaw`/* move-test removeRow */ DELETE FROM test_results.judgement_due WHERE test_case_id = ${id}::uuid`;
  await tx.testCase.delete({ where: { id } });
}

/** This transaction has already locked the row. */
export async function evaluateMoved(tx: Tx, id: string, now: Date): Promise<ClaimedTest> {
  const claimed = await claimTests(tx, [id]);
  await evaluateClaimed(tx, claimed, now);
  return claimed[0]!;
}
