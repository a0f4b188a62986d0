import { Prisma } from '../../generated/prisma/client';
import type { Tx } from '../../platform/database/prisma.service';

/** The columns that are written, each with its PostgreSQL type. */
export interface BulkTable<Row> {
  readonly name: string;
  readonly columns: { readonly [Column in keyof Row]-?: string };
  /**
   * Columns that never change. They are not overwritten: where one is in a unique key, PostgreSQL would make the write wait for everybody who
   * stores a row that refers to this one, and make them wait for it.
   */
  readonly fixed?: readonly (keyof Row)[];
}

/** Inserts many rows in one statement; Prisma's createMany takes ten times as long. Instants are ISO strings. */
export async function insertRows<Row>(tx: Tx, table: BulkTable<Row>, rows: readonly Row[]): Promise<void> {
  for (const write of insertion(table, rows)) await tx.$executeRaw(write);
}

/** Inserts, or overwrites all columns but the fixed ones of the row with the same key where `onlyWhen` holds. */
export async function upsertRows<Row>(
  tx: Tx,
  table: BulkTable<Row>,
  key: readonly (keyof Row & string)[],
  rows: readonly Row[],
  onlyWhen?: Prisma.Sql,
): Promise<void> {
  for (const write of upsertion(table, key, rows, onlyWhen)) await tx.$executeRaw(write);
}

/**
 * Sends writes of different tables in one statement. They see what was stored before it, not each other; foreign keys are
 * checked at its end. No two may write the same row. Returns how many rows each wrote.
 */
export async function writeTogether(tx: Tx, writes: readonly Prisma.Sql[]): Promise<readonly number[]> {
  if (writes.length === 0) return [];
  const parts = writes.map((write, i) => Prisma.sql`${nameOf(i)} AS (${write} RETURNING 1)`);
  const counts = writes.map((_, i) => Prisma.sql`(SELECT count(*)::int FROM ${nameOf(i)})`);
  const [row] = await tx.$queryRaw<{ counts: number[] }[]>`
    WITH ${Prisma.join(parts)} SELECT ARRAY[${Prisma.join(counts)}] AS "counts"`;
  return row!.counts;
}

function nameOf(position: number): Prisma.Sql {
  return Prisma.raw(`w${position}`);
}

/** For `writeTogether`; none for no rows. `expressions`: see `insertion`. */
export function upsertion<Row>(
  table: BulkTable<Row>,
  key: readonly (keyof Row & string)[],
  rows: readonly Row[],
  onlyWhen: Prisma.Sql = Prisma.sql`true`,
  expressions: ColumnExpressions = {},
): readonly Prisma.Sql[] {
  const kept = new Set<keyof Row>(['id' as keyof Row, ...key, ...(table.fixed ?? [])]);
  const others = columnsOf(table).filter((column) => !kept.has(column as keyof Row));
  const assignments = others.map((column) => `"${column}" = EXCLUDED."${column}"`).join(', ');
  return insertion(table, rows, expressions).map(
    (insert) => Prisma.sql`${insert}
    ON CONFLICT (${Prisma.raw(quoted(key))}) DO UPDATE SET ${Prisma.raw(assignments)} WHERE ${onlyWhen}`,
  );
}

/** What a column gets instead of a value of its row, which is `row` in it. */
type ColumnExpressions = Readonly<Record<string, Prisma.Sql>>;

/** For `writeTogether`; none for no rows. */
export function insertion<Row>(
  table: BulkTable<Row>,
  rows: readonly Row[],
  expressions: ColumnExpressions = {},
): readonly Prisma.Sql[] {
  if (rows.length === 0) return [];
  const columns = columnsOf(table);
  const extra = Object.keys(expressions);
  const into = Prisma.raw(`"${table.name}" (${quoted([...columns, ...extra])})`);
  const values = Prisma.join([Prisma.raw(quoted(columns)), ...Object.values(expressions)]);
  return [Prisma.sql`INSERT INTO ${into} SELECT ${values} FROM ${recordsOf(table, rows)}`];
}

/** For `writeTogether`; none for no rows. Writes all columns of the rows with the same key; none may be missing. */
export function update<Row>(
  table: BulkTable<Row>,
  key: readonly (keyof Row & string)[],
  rows: readonly Row[],
): readonly Prisma.Sql[] {
  if (rows.length === 0) return [];
  const others = columnsOf(table).filter((column) => !(key as readonly string[]).includes(column));
  const assignments = others.map((column) => `"${column}" = row."${column}"`).join(', ');
  const isSame = key.map((column) => `known."${column}" = row."${column}"`).join(' AND ');
  return [
    Prisma.sql`UPDATE ${Prisma.raw(`"${table.name}"`)} known SET ${Prisma.raw(assignments)}
    FROM ${recordsOf(table, rows)} WHERE ${Prisma.raw(isSame)}`,
  ];
}

function recordsOf<Row>(table: BulkTable<Row>, rows: readonly Row[]): Prisma.Sql {
  const types = columnsOf(table).map((column) => `"${column}" ${table.columns[column as keyof Row]}`);
  return Prisma.sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row(${Prisma.raw(types.join(', '))})`;
}

function columnsOf<Row>(table: BulkTable<Row>): string[] {
  return Object.keys(table.columns);
}

function quoted(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ');
}
