import type { PoolClient } from 'pg';
import type { PrismaService, Tx } from '../../../platform/database/prisma.service';
import type { UploadSpool } from '../uploads/upload-spool';

/** Keeps these locks apart from all other advisory locks of the database. */
const MOVE_LOCKS = 0x6d_6f_76_65;

/** A move that was not undone. */
export interface ActiveMove {
  readonly id: string;
  readonly testCaseId: string;
  /** Ids of results under its new name. */
  readonly movedIds: readonly string[];
  /** Ids of results under its earlier names, its own left out. */
  readonly formerIds: readonly string[];
}

/** An upload holds the lock of its repository shared while it is stored, so that no test moves meanwhile. */
export async function lockMovesToRead(client: PoolClient, repositoryId: string): Promise<readonly ActiveMove[]> {
  await client.query('SELECT pg_advisory_xact_lock_shared($1, hashtext($2))', [MOVE_LOCKS, repositoryId]);
  const { rows } = await client.query<ActiveMove>(
    `SELECT "id"::text AS id, "testCaseId", "movedIds", "formerIds" FROM "TestMove"
     WHERE "repositoryId" = $1::uuid AND "undoneAt" IS NULL ORDER BY "id"`,
    [repositoryId],
  );
  return rows;
}

/** Waits for uploads of the repository that are being stored; until this transaction ends, no other is. */
export async function lockMovesToWrite(tx: Tx, repositoryId: string): Promise<void> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(${MOVE_LOCKS}::int, hashtext(${repositoryId}))::text`;
}

export async function activeMoves(prisma: PrismaService | Tx, repositoryId: string): Promise<readonly ActiveMove[]> {
  const select = { id: true, testCaseId: true, movedIds: true, formerIds: true } as const;
  const rows = await prisma.testMove.findMany({ where: { repositoryId, undoneAt: null }, select });
  return rows.map((row) => ({ ...row, id: row.id.toString() }));
}

/** Those that an upload has a name of. */
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
 * Results under the new name belong to the test. An upload that has both names has two tests, which are one result, the worst, until
 * the move is undone. Must come before anything else is written to `renamed_test`.
 */
export async function renameMoved(client: PoolClient, moves: readonly ActiveMove[], spool: UploadSpool): Promise<void> {
  for (const move of moves) {
    const hasBoth = hasAny(spool, move.movedIds) && hasAny(spool, earlierIds(move));
    const ids = [...(hasBoth ? [move.testCaseId] : []), ...move.movedIds, ...move.formerIds];
    await client.query(
      `INSERT INTO renamed_test (id, stored_as, is_joined, is_moved) SELECT DISTINCT unnest($1::uuid[]), $2::uuid, $3::boolean, true
       ON CONFLICT (id) DO UPDATE SET is_joined = renamed_test.is_joined OR excluded.is_joined`,
      [ids, move.testCaseId, hasBoth],
    );
  }
}

/** Notes which results came under the new name, to give them back when the move is undone. `incoming_result` must be filled. */
export async function noteMoves(client: PoolClient, uploadId: string, moves: readonly ActiveMove[]): Promise<void> {
  for (const move of moves)
    await client.query(
      `INSERT INTO "TestMoveUpload" ("moveId", "uploadId", "hasBoth")
       SELECT $1::bigint, $2::bigint,
         EXISTS (SELECT 1 FROM incoming_result i WHERE i.test_case_id = ANY($4::uuid[]) AND i.outcome <> 2)
       WHERE EXISTS (SELECT 1 FROM incoming_result i WHERE i.test_case_id = ANY($3::uuid[]))
       ON CONFLICT DO NOTHING`,
      [move.id, uploadId, move.movedIds, earlierIds(move)],
    );
}
