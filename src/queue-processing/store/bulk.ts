import { Prisma } from '../../generated/prisma/client';
import type { Tx } from '../../platform/database/prisma.service';

/** The columns that are written, each with its PostgreSQL type. */
export interface BulkTable<Row> {
  readonly name: string;
  readonly columns: { readonly [Column in keyof Row]-?: string };
}

/** Inserts many rows in one statement; Prisma's createMany takes ten times as long. Instants are ISO strings. */
export async function insertRows<Row>(tx: Tx, table: BulkTable<Row>, rows: readonly Row[]): Promise<void> {
  if (rows.length > 0) await tx.$executeRaw(insertion(table, rows));
}

/** Inserts, or overwrites all columns of the row with the same key where `onlyWhen` holds. */
export async function upsertRows<Row>(
  tx: Tx,
  table: BulkTable<Row>,
  key: readonly (keyof Row & string)[],
  rows: readonly Row[],
  onlyWhen: Prisma.Sql = Prisma.sql`true`,
): Promise<void> {
  if (rows.length === 0) return;
  const others = columnsOf(table).filter((column) => column !== 'id' && !(key as readonly string[]).includes(column));
  const assignments = others.map((column) => `"${column}" = EXCLUDED."${column}"`).join(', ');
  await tx.$executeRaw`${insertion(table, rows)}
    ON CONFLICT (${Prisma.raw(quoted(key))}) DO UPDATE SET ${Prisma.raw(assignments)} WHERE ${onlyWhen}`;
}

function insertion<Row>(table: BulkTable<Row>, rows: readonly Row[]): Prisma.Sql {
  const columns = columnsOf(table);
  const types = columns.map((column) => `"${column}" ${table.columns[column as keyof Row]}`).join(', ');
  const names = Prisma.raw(quoted(columns));
  const into = Prisma.raw(`"${table.name}"`);
  return Prisma.sql`INSERT INTO ${into} (${names}) SELECT ${names}
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row(${Prisma.raw(types)})`;
}

function columnsOf<Row>(table: BulkTable<Row>): string[] {
  return Object.keys(table.columns);
}

function quoted(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ');
}
