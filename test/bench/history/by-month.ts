import { Client } from 'pg';
import { percentile } from '../table';

const TIMELINES = 400;
const WARM_UP = 50;

export interface ByMonth {
  readonly months: number;
  /** Median milliseconds to read a timeline: from the unpartitioned log, and from the same log partitioned by month. */
  readonly asItIs: number;
  readonly byMonth: number;
  /** Time to drop one month of the partitioned log, and the number of rows in that month. */
  readonly dropMs: number;
  readonly dropped: number;
  /** Time to vacuum the unpartitioned log after retention deleted rows from it. */
  readonly vacuumSeconds: number;
}

/** Copies the log of a queue into a table that is partitioned by month, and reads the same timelines from both in turns. */
export async function compareWithMonths(url: string, queueId: string): Promise<ByMonth> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const began = performance.now();
    await client.query('VACUUM "QueueLog"');
    const vacuumSeconds = (performance.now() - began) / 1_000;
    const months = await copyByMonth(client, queueId);
    const times = await readTimelines(client, queueId);
    // The first month is incomplete, so the second month is dropped.
    const month = `by_month_${Math.min(2, months)}`;
    const counted = await client.query<{ dropped: number }>(`SELECT count(*)::int AS "dropped" FROM ${month}`);
    const droppedAt = performance.now();
    await client.query(`DROP TABLE ${month}`);
    const dropMs = performance.now() - droppedAt;
    return { months, ...times, dropMs, dropped: counted.rows[0]!.dropped, vacuumSeconds };
  } finally {
    await client.end();
  }
}

/** Copies the log with its primary key and its index for timelines. Returns the number of months. */
async function copyByMonth(client: Client, queueId: string): Promise<number> {
  await client.query(`CREATE TABLE by_month (LIKE "QueueLog") PARTITION BY RANGE ("at")`);
  const { rows } = await client.query<{ from: string; to: string }>(
    `SELECT m::text AS "from", (m + interval '1 month')::text AS "to" FROM (
       SELECT min("at") AS "first", max("at") AS "last" FROM "QueueLog" WHERE "queueId" = $1) span,
       generate_series(date_trunc('month', "first"), "last", interval '1 month') m ORDER BY m`,
    [queueId],
  );
  for (const [nth, { from, to }] of rows.entries())
    await client.query(
      `CREATE TABLE by_month_${nth + 1} PARTITION OF by_month FOR VALUES FROM ('${from}') TO ('${to}')`,
    );
  await client.query(`INSERT INTO by_month SELECT * FROM "QueueLog" WHERE "queueId" = $1`, [queueId]);
  await client.query(`ALTER TABLE by_month ADD PRIMARY KEY ("queueId", "seq", "at")`);
  await client.query(`CREATE INDEX ON by_month ("entryId", "seq")`);
  await client.query('VACUUM ANALYZE by_month');
  return rows.length;
}

async function readTimelines(client: Client, queueId: string): Promise<Pick<ByMonth, 'asItIs' | 'byMonth'>> {
  const { rows: entries } = await client.query<{ id: string }>(
    `SELECT "id" FROM "Entry" WHERE "queueId" = $1 AND "concludedAt" > (SELECT min("at") FROM by_month) ORDER BY md5("id"::text) LIMIT $2`,
    [queueId, WARM_UP + TIMELINES],
  );
  const times: Record<string, number[]> = { QueueLog: [], by_month: [] };
  for (const [nth, { id }] of entries.entries()) {
    const tables = Object.entries(times);
    for (const [table, taken] of nth % 2 === 0 ? tables : tables.toReversed()) {
      const text = `SELECT * FROM "${table}" WHERE "entryId" = $1 AND "toState" IS NOT NULL ORDER BY "seq" DESC`;
      const began = performance.now();
      await client.query({ name: `timeline of ${table}`, text, values: [id] });
      if (nth >= WARM_UP) taken.push(performance.now() - began);
    }
  }
  return { asItIs: percentile(times.QueueLog!, 0.5), byMonth: percentile(times.by_month!, 0.5) };
}
