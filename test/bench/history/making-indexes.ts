import { Client } from 'pg';

const TABLES = ['QueueLog', 'Entry', 'PullRequest', 'TestRun', 'TestRunMember', 'LandedChange', 'OutboxTask'];

export interface MadeIndexes {
  readonly table: string;
  readonly rows: number;
  readonly indexes: number;
  readonly longestSeconds: number;
  readonly togetherSeconds: number;
}

/**
 * Measures how long migrations need to create indexes on large tables: creates each index again, and rolls everything
 * back.
 */
export async function makeIndexes(url: string): Promise<readonly MadeIndexes[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const made: MadeIndexes[] = [];
    for (const table of TABLES) made.push(await makeIndexesOf(client, table));
    return made.sort((a, b) => b.longestSeconds - a.longestSeconds);
  } finally {
    await client.end();
  }
}

async function makeIndexesOf(client: Client, table: string): Promise<MadeIndexes> {
  const { rows: counted } = await client.query<{ rows: number }>(`SELECT count(*)::int AS "rows" FROM "${table}"`);
  const { rows: indexes } = await client.query<{ definition: string }>(
    `SELECT "indexdef" AS "definition" FROM pg_indexes WHERE "schemaname" = 'public' AND "tablename" = $1`,
    [table],
  );
  const seconds: number[] = [];
  for (const [nth, { definition }] of indexes.entries()) {
    const another = definition.replace(/INDEX "?\w+"? ON/, `INDEX "made_anew_${nth}" ON`);
    await client.query('BEGIN');
    const began = performance.now();
    await client.query(another);
    seconds.push((performance.now() - began) / 1_000);
    await client.query('ROLLBACK');
  }
  const togetherSeconds = seconds.reduce((sum, one) => sum + one, 0);
  const longestSeconds = Math.max(...seconds);
  return { table, rows: counted[0]!.rows, indexes: indexes.length, longestSeconds, togetherSeconds };
}
