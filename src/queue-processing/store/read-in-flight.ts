import type { CulpritSearch, LandedChange, MergedLately, StatusFact, TestRun } from '../../engine/model';
import { HOUR } from '../../engine/vocabulary';
import type {
  CommitStatus,
  CulpritSearch as SearchColumns,
  LandedChange as LandedColumns,
} from '../../generated/prisma/client';
import type { Tx } from '../../platform/database/prisma.service';
import type { QueueRow } from '../queue-lock';
import type { Subject } from './subject';
import { reportOf, type RunRow, runOf, searchOf } from './read-rows';

export async function readLiveRuns(tx: Tx, { id }: QueueRow): Promise<TestRun[]> {
  const rows = await tx.$queryRaw<RunRow[]>`
    SELECT r.*, (
      SELECT coalesce(jsonb_agg(
        jsonb_strip_nulls(jsonb_build_object('entryId', m."entryId", 'number', m."number", 'head', m."head",
          'generation', nullif(m."generation", 0))) ORDER BY m."position"), '[]')
      FROM "TestRunMember" m WHERE m."runId" = r."id") AS "own"
    FROM "TestRun" r WHERE r."queueId" = ${id}::uuid AND r."live" ORDER BY r."number"`;
  return rows.map(runOf);
}

export async function readSearches(tx: Tx, { id }: QueueRow): Promise<CulpritSearch[]> {
  const rows = await tx.$queryRaw<SearchColumns[]>`
    SELECT * FROM "CulpritSearch" WHERE "queueId" = ${id}::uuid ORDER BY "number"`;
  return rows.map(searchOf);
}

type LandedRow = Pick<LandedColumns, 'seq' | 'epoch' | 'entryId' | 'number' | 'head' | 'generation' | 'landing'>;

/** The changes that the queue landed since the oldest base in flight. No base is left from earlier epochs. */
export async function readLanded(
  tx: Tx,
  { id, epoch }: QueueRow,
  onBases: readonly (TestRun | CulpritSearch)[],
): Promise<LandedChange[]> {
  const bases = onBases.filter(({ base }) => base.epoch === epoch).map(({ base }) => base.landedSeq);
  if (bases.length === 0) return [];
  const rows = await tx.$queryRaw<LandedRow[]>`
    SELECT "seq", "epoch", "entryId", "number", "head", "generation", "landing" FROM "LandedChange"
    WHERE "queueId" = ${id}::uuid AND "seq" > ${Math.min(...bases)}::bigint AND "epoch" = ${epoch}::int ORDER BY "seq"`;
  return rows.map(({ generation, landing, ...row }) => {
    return {
      ...row,
      seq: Number(row.seq),
      ...(generation > 0 && { generation }),
      ...(landing !== null && { landing }),
    };
  });
}

/** Nothing where no merge limit needs it. */
export async function readMergedLately(
  tx: Tx,
  { id, maxMergesPerHour }: QueueRow,
  { limitsMerges = false }: Subject,
  now: Date,
): Promise<MergedLately[]> {
  if (maxMergesPerHour === null && !limitsMerges) return [];
  const rows = await tx.landedChange.groupBy({
    by: ['landedAt'],
    where: { queueId: id, landedAt: { gt: new Date(now.getTime() - HOUR) } },
    orderBy: { landedAt: 'asc' },
    _count: { seq: true },
  });
  return rows.map(({ landedAt, _count }) => ({ at: landedAt.getTime(), count: _count.seq }));
}

export async function readReports(
  tx: Tx,
  { repositoryId }: QueueRow,
  runs: readonly TestRun[],
  commits: readonly string[],
): Promise<StatusFact[]> {
  const shas = [...runs.flatMap((run) => run.commit ?? []), ...commits];
  if (shas.length === 0) return [];
  const rows = await tx.$queryRaw<CommitStatus[]>`
    SELECT * FROM "CommitStatus" WHERE "repositoryId" = ${repositoryId}::uuid AND "sha" = ANY(${shas}::text[])`;
  return rows.map(reportOf);
}
