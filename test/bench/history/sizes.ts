import type { PrismaService } from '../../../src/platform/database/prisma.service';
import type { Template } from './past';

/** Bytes of a table for each pull request, measured on the whole table: rows, indexes and out-of-line storage. */
export interface TableSize {
  readonly table: string;
  readonly rowsPerThousand: number;
  readonly bytesPerThousand: number;
  /** Days for which the default settings keep rows. */
  readonly days: number;
}

const [HISTORY, LOG, WORK] = [730, 400, 7];
/** How long rows are kept, as docs/tables.md says, for each table that grows with pull requests. */
const DAYS: Readonly<Record<string, number>> = {
  ...{
    PullRequest: HISTORY,
    Entry: HISTORY,
    TestRun: HISTORY,
    TestRunMember: HISTORY,
    Candidate: HISTORY,
    LandedChange: HISTORY,
  },
  ...{ QueueLog: LOG, CommitStatus: LOG, OutboxTask: WORK, InboxDelivery: WORK },
};

export async function sizesOf(
  prisma: PrismaService,
  { queueId, repositoryId, pullRequests }: Template,
): Promise<TableSize[]> {
  const sizes: TableSize[] = [];
  for (const [table, days] of Object.entries(DAYS)) {
    const isOf = (await columnsOf(prisma, table)).find((name) => name === 'queueId' || name === 'repositoryId');
    const owner = isOf === 'queueId' ? queueId : repositoryId;
    const where =
      isOf === undefined
        ? `"runId" IN (SELECT "id" FROM "TestRun" WHERE "queueId" = '${queueId}')`
        : `"${isOf}" = '${owner}'`;
    const [row] = await prisma.$queryRawUnsafe<[{ own: number; all: number; bytes: number }]>(
      `SELECT (SELECT count(*)::int FROM "${table}" WHERE ${where}) AS "own", (SELECT count(*)::int FROM "${table}") AS "all",
         pg_total_relation_size('"${table}"')::float8 AS "bytes"`,
    );
    const rowsPerThousand = (1_000 * row.own) / pullRequests;
    sizes.push({ table, days, rowsPerThousand, bytesPerThousand: (row.bytes / row.all) * rowsPerThousand });
  }
  return sizes.sort((a, b) => b.bytesPerThousand - a.bytesPerThousand);
}

async function columnsOf(prisma: PrismaService, table: string): Promise<string[]> {
  const rows = await prisma.$queryRaw<{ name: string }[]>`
    SELECT "column_name" AS "name" FROM information_schema.columns WHERE "table_schema" = 'public' AND "table_name" = ${table}`;
  return rows
    .map(({ name }) => name)
    .sort()
    .reverse();
}
