import type { Tx } from '../../../../platform/database/prisma.service';
import { lockTest } from '../evaluation/due-tests';
import { lockSettingsToRead } from '../settings';
import { lockMovesToWrite } from './active-moves';
import { evaluateMoved } from './move-test';
import { giveBackResults } from './moved-results';

export interface PartedTests {
  /** The test that keeps its id, and has its earlier name again. */
  readonly from: string;
  /** The restored test. */
  readonly to: string;
}

export type UndoOutcome =
  | ({ readonly type: 'undone' } & PartedTests)
  | { readonly type: 'no_move' }
  /** The test has moved again since: the later move must be undone first. */
  | { readonly type: 'moved_again'; readonly id: string };

/** Splits one test into two again: each test gets the results that arrived under its names. */
export async function undoMove(
  tx: Tx,
  {
    repositoryId,
    id,
    actor,
    reason,
    now,
  }: {
    readonly repositoryId: string;
    readonly id: string;
    readonly actor: string | null;
    readonly reason: string;
    readonly now: Date;
  },
): Promise<UndoOutcome> {
  await lockSettingsToRead(tx);
  await lockMovesToWrite(tx, repositoryId);
  const move = await tx.testMove.findFirst({ where: { id: BigInt(id), repositoryId, undoneAt: null } });
  if (move === null) return { type: 'no_move' };
  const { testCaseId: from, movedIds } = move;
  const later = await tx.testMove.findFirst({ where: { testCaseId: from, id: { gt: move.id }, undoneAt: null } });
  if (later !== null) return { type: 'moved_again', id: later.id.toString() };
  await lockTest(tx, repositoryId, from);
  const to = movedIds[0]!;
  const isSetSince = await tx.testQuarantineChange.count({
    where: { testCaseId: from, at: { gt: move.at }, actor: { not: null } },
  });
  await takeBack(tx, { id: move.id, from, to, keepsSetting: isSetSince > 0 });
  await giveBackResults(tx, id, { from, to });
  await latestFailures(tx, [from, to]);
  await tx.testMove.update({ where: { id: move.id }, data: { undoneAt: now } });
  for (const testCaseId of [from, to]) await noteUndone(tx, testCaseId, { actor, reason, now });
  await evaluateMoved(tx, from, now);
  await evaluateMoved(tx, to, now);
  return { type: 'undone', from, to };
}

/** Restores the stored row. Columns that were added to the table since are taken from the other test. */
async function takeBack(
  tx: Tx,
  { id, from, to, keepsSetting }: { id: bigint; from: string; to: string; keepsSetting: boolean },
): Promise<void> {
  await tx.$executeRaw`/* undo-move takeBack */
    UPDATE "TestCase" o SET "identityId" = b."identityId", "name" = b."name", "filePath" = b."filePath",
      "parent" = b."parent", "classname" = b."classname", "variant" = b."variant", "patternId" = b."patternId",
      "seenAgain" = b."seenAgain", "firstSeenAt" = b."firstSeenAt", "lastFailedAt" = b."lastFailedAt",
      "codeowners" = b."codeowners", "ticketUrl" = CASE WHEN ${keepsSetting} THEN o."ticketUrl" ELSE b."ticketUrl" END,
      "quarantineSetting" = CASE WHEN ${keepsSetting} THEN o."quarantineSetting" ELSE b."quarantineSetting" END
    FROM "TestMove" m, jsonb_populate_record(NULL::"TestCase", m."before"->'from') b
    WHERE m."id" = ${id}::bigint AND o."id" = ${from}::uuid`;
  // Runs only after the other test has given up the id.
  await tx.$executeRaw`/* undo-move takeBack 2 */
    INSERT INTO "TestCase" SELECT b.* FROM "TestMove" m JOIN "TestCase" o ON o."id" = ${from}::uuid,
      jsonb_populate_record(o, m."before"->'to') b WHERE m."id" = ${id}::bigint`;
  await tx.$executeRaw`/* undo-move takeBack 3 */
    UPDATE "TestCase" n SET "lastSeenAt" = o."lastSeenAt" FROM "TestCase" o
    WHERE n."id" = ${to}::uuid AND o."id" = ${from}::uuid`;
  await tx.$executeRaw`/* undo-move takeBack 4 */
    INSERT INTO "TestAlarm" SELECT r.* FROM "TestMove" m, jsonb_populate_recordset(NULL::"TestAlarm", m."before"->'alarms') r
    WHERE m."id" = ${id}::bigint`;
  await tx.$executeRaw`/* undo-move takeBack 5 */
    INSERT INTO "TestMute" SELECT r.* FROM "TestMove" m, jsonb_populate_recordset(NULL::"TestMute", m."before"->'mutes') r
    WHERE m."id" = ${id}::bigint`;
  await tx.$executeRaw`/* undo-move takeBack 6 */
    INSERT INTO "TestStatusChange" SELECT r.*
    FROM "TestMove" m, jsonb_populate_recordset(NULL::"TestStatusChange", m."before"->'statuses') r WHERE m."id" = ${id}::bigint`;
  await tx.$executeRaw`/* undo-move takeBack 7 */
    INSERT INTO "TestQuarantineChange" SELECT r.*
    FROM "TestMove" m, jsonb_populate_recordset(NULL::"TestQuarantineChange", m."before"->'quarantines') r
    WHERE m."id" = ${id}::bigint`;
}

async function latestFailures(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.$executeRaw`/* undo-move latestFailures */
    UPDATE "TestCase" t SET "lastFailedAt" = greatest(t."lastFailedAt", (
      SELECT max(r.occurred_at) FROM test_results.result r WHERE r.test_case_id = t."id" AND r.outcome = 1))
    WHERE t."id" = ANY(${ids}::uuid[])`;
}

async function noteUndone(
  tx: Tx,
  testCaseId: string,
  { actor, reason, now: at }: { readonly actor: string | null; readonly reason: string; readonly now: Date },
): Promise<void> {
  const { quarantineSetting: setting, quarantined } = await tx.testCase.findUniqueOrThrow({
    where: { id: testCaseId },
  });
  const data = { testCaseId, at, actor, setting, quarantined, reason: `a move was undone: ${reason}` };
  await tx.testQuarantineChange.create({ data });
}
