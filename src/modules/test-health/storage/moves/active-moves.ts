import type { PrismaService, Tx } from '../../../../platform/database/prisma.service';
import type { SqlTransaction } from '../../../../platform/database/sql';
import type { UploadSpool } from '../uploads/upload-spool';

/** The number that distinguishes these locks from all other advisory locks of the database. */
const MOVE_LOCKS = 0x6d_6f_76_65;

/** A move that was not undone. */
export interface ActiveMove {
  readonly id: string;
  readonly testCaseId: string;
  /** The ids of results under the test's new name. */
  readonly movedIds: readonly string[];
  /** The ids of results under the test's earlier names, except the test's own id. */
  readonly formerIds: readonly string[];
}

/**
 * Takes the lock of a repository in shared mode. An upload holds it while it is stored, so that no test moves
 * meanwhile.
 */
export async function lockMovesToRead(tx: SqlTransaction, repositoryId: string): Promise<readonly ActiveMove[]> {
  await tx.execute`/* active-moves lockMovesToRead */ SELECT pg_advisory_xact_lock_shared(${MOVE_LOCKS}, hashtext(${repositoryId}))`;
  const rows = await tx.rows<ActiveMove>`/* active-moves lockMovesToRead 2 */
    SELECT "id"::text AS id, "testCaseId", "movedIds", "formerIds" FROM "TestMove"
    WHERE "repositoryId" = ${repositoryId}::uuid AND "undoneAt" IS NULL ORDER BY "id"`;
  return rows;
}

/**
 * Takes the lock exclusively: waits for uploads of the repository that are being stored, and keeps further uploads from
 * being stored until this transaction ends.
 */
export async function lockMovesToWrite(tx: Tx, repositoryId: string): Promise<void> {
  await tx.$queryRaw`/* active-moves lockMovesToWrite */ SELECT pg_advisory_xact_lock(${MOVE_LOCKS}::int, hashtext(${repositoryId}))::text`;
}

export async function activeMoves(prisma: PrismaService | Tx, repositoryId: string): Promise<readonly ActiveMove[]> {
  const select = { id: true, testCaseId: true, movedIds: true, formerIds: true } as const;
  const rows = await prisma.testMove.findMany({ where: { repositoryId, undoneAt: null }, select });
  return rows.map((row) => ({ ...row, id: row.id.toString() }));
}

/** The moves whose new or earlier names occur in the upload. */
export function movesIn(moves: readonly ActiveMove[], spool: UploadSpool): readonly ActiveMove[] {
  return moves.filter((move) => hasAny(spool, move.movedIds) || hasAny(spool, earlierIds(move)));
}

function hasAny({ testSets }: UploadSpool, ids: readonly string[]): boolean {
  return testSets.all.isTooLarge || ids.some((id) => testSets.all.has(id));
}

function earlierIds({ testCaseId, formerIds }: ActiveMove): readonly string[] {
  return [testCaseId, ...formerIds];
}

/**
 * Results under the new name belong to the test. If an upload has both names, the worse of its two results counts until
 * the move is undone. Must be the first to write to `renamed_test`.
 */
export async function renameMoved(tx: SqlTransaction, moves: readonly ActiveMove[], spool: UploadSpool): Promise<void> {
  if (moves.length === 0) return;
  const renamed = moves.flatMap(({ testCaseId, movedIds, formerIds }) => {
    const isJoined = hasAny(spool, movedIds) && hasAny(spool, [testCaseId, ...formerIds]);
    const ids = [...(isJoined ? [testCaseId] : []), ...movedIds, ...formerIds];
    return ids.map((id) => ({ id, storedAs: testCaseId, isJoined }));
  });
  await tx.execute`/* active-moves renameMoved */
    INSERT INTO renamed_test (id, stored_as, is_joined, is_moved)
    SELECT r.id, (array_agg(r.stored_as ORDER BY r.place))[1], bool_or(r.is_joined), true
    FROM unnest(${renamed.map(({ id }) => id)}::uuid[], ${renamed.map(({ storedAs }) => storedAs)}::uuid[], ${renamed.map(({ isJoined }) => isJoined)}::boolean[]) WITH ORDINALITY AS r(id, stored_as, is_joined, place) GROUP BY r.id`;
}

/**
 * Records which results arrived under the new name, so that undoing the move can return these results.
 * `incoming_result` must be filled.
 */
export async function noteMoves(tx: SqlTransaction, uploadId: string, moves: readonly ActiveMove[]): Promise<void> {
  if (moves.length === 0) return;
  await tx.execute`/* active-moves noteMoves */
    WITH ran AS MATERIALIZED (
      SELECT test_case_id AS id, bool_or(outcome <> 2) AS ran FROM incoming_result GROUP BY 1
    ), name AS (
      SELECT m."id" AS move, n.id, true AS is_new FROM "TestMove" m, unnest(m."movedIds") n(id) WHERE m."id" = ANY(${moves.map(({ id }) => id)}::bigint[])
      UNION ALL
      SELECT m."id", n.id, false FROM "TestMove" m, unnest(m."testCaseId" || m."formerIds") n(id) WHERE m."id" = ANY(${moves.map(({ id }) => id)}::bigint[])
    )
    INSERT INTO "TestMoveUpload" ("moveId", "uploadId", "hasBoth")
    SELECT n.move, ${uploadId}::bigint, bool_or(r.ran AND NOT n.is_new) FROM name n JOIN ran r ON r.id = n.id
    GROUP BY n.move HAVING bool_or(n.is_new)
    ON CONFLICT DO NOTHING`;
}
