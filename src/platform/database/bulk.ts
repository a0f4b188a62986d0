import { Prisma } from '../../generated/prisma/client';
import type { Statements } from './statements';

/** The columns to write, each with its PostgreSQL type. */
export interface BulkTable<Row> {
  readonly name: string;
  readonly columns: { readonly [Column in keyof Row]-?: string };
  /**
   * Columns that an upsert does not overwrite. Overwriting a column of a unique key takes a lock, and this lock
   * conflicts with every insert of a row that refers to the overwritten row.
   */
  readonly fixed?: readonly (keyof Row)[];
}

/** Inserts many rows in one statement. Prisma's createMany takes ten times as long. Instants are ISO strings. */
export async function insertRows<Row>(tx: Statements, table: BulkTable<Row>, rows: readonly Row[]): Promise<void> {
  for (const write of insertion(table, rows)) await tx.execute(write);
}

/** Inserts rows. A stored row with the same key is overwritten, except for its fixed columns. */
export async function upsertRows<Row>(
  tx: Statements,
  table: BulkTable<Row>,
  key: readonly (keyof Row & string)[],
  rows: readonly Row[],
): Promise<void> {
  for (const write of upsertion(table, key, rows)) await tx.execute(write);
}

interface Together {
  /** Writes whose rows `Written.count` counts. */
  readonly counted?: readonly Prisma.Sql[];
  /** A write with a RETURNING clause, whose rows become `Written.list`, as JSON. */
  readonly listed?: Prisma.Sql | null;
  readonly others?: readonly Prisma.Sql[];
}

interface Written<Row> {
  readonly count: number;
  readonly list: readonly Row[];
}

/**
 * Sends writes of different tables in one statement. The writes see the database as it was before the statement, not
 * each other. PostgreSQL checks foreign keys at the end of the statement. No two writes may touch the same row.
 */
export async function writeTogether<Row = never>(
  tx: Statements,
  { counted = [], listed = null, others = [] }: Together,
): Promise<Written<Row>> {
  const first = listed === null ? [] : [listed];
  const writes = [...first, ...counted.map((write) => Prisma.sql`${write} RETURNING 1`), ...others];
  if (writes.length === 0) return { count: 0, list: [] };
  const parts = writes.map((write, i) => Prisma.sql`${nameOf(i)} AS (${write})`);
  // The rows of the other writes are not counted: counting takes as long as a small write.
  const counts = counted.map((_, i) => Prisma.sql`(SELECT count(*)::int FROM ${nameOf(first.length + i)})`);
  const list = listed === null ? NONE : Prisma.sql`(SELECT coalesce(json_agg(l), '[]') FROM ${nameOf(0)} l)`;
  const [row] = await tx.rows<Written<Row>>`/* bulk writeTogether */
    WITH ${Prisma.join(parts)} SELECT ${Prisma.join([ZERO, ...counts], ' + ')} AS "count", ${list} AS "list"`;
  return row!;
}

const NONE = Prisma.sql`'[]'::json`;
const ZERO = Prisma.sql`0`;

function nameOf(position: number): Prisma.Sql {
  return Prisma.raw(`w${position}`);
}

/** A write for `writeTogether`; empty if there are no rows. `expressions`: see `insertion`. */
export function upsertion<Row>(
  table: BulkTable<Row>,
  key: readonly (keyof Row & string)[],
  rows: readonly Row[],
  expressions: ColumnExpressions = {},
): readonly Prisma.Sql[] {
  if (rows.length === 0) return [];
  const onConflict = textOf(table, `on conflict ${key.join()}`, () => {
    const kept = new Set<keyof Row>(['id' as keyof Row, ...key, ...(table.fixed ?? [])]);
    const others = columnsOf(table).filter((column) => !kept.has(column as keyof Row));
    const assignments = others.map((column) => `"${column}" = EXCLUDED."${column}"`).join(', ');
    return `ON CONFLICT (${quoted(key)}) DO UPDATE SET ${assignments}`;
  });
  return insertion(table, rows, expressions).map((insert) => Prisma.sql`${insert} ${onConflict}`);
}

/** SQL by the name of a column that rows of the table's type lack. The SQL can use the inserted row as `row`. */
type ColumnExpressions = Readonly<Record<string, Prisma.Sql>>;

/** A write for `writeTogether`; empty if there are no rows. */
export function insertion<Row>(
  table: BulkTable<Row>,
  rows: readonly Row[],
  expressions: ColumnExpressions = {},
): readonly Prisma.Sql[] {
  if (rows.length === 0) return [];
  const extra = Object.keys(expressions);
  const into = textOf(
    table,
    `into ${extra.join()}`,
    () => `"${table.name}" (${quoted([...columnsOf(table), ...extra])})`,
  );
  const columns = textOf(table, 'columns', () => quoted(columnsOf(table)));
  const values = Prisma.join([columns, ...Object.values(expressions)]);
  return [Prisma.sql`/* bulk insertion */ INSERT INTO ${into} SELECT ${values} FROM ${recordsOf(table, rows)}`];
}

/**
 * A write for `writeTogether`: it sets all columns of the row with the id of `row`. `further`: more assignments, in
 * which the stored row is `known`.
 */
export function update<Row extends { readonly id: string }>(
  table: BulkTable<Row>,
  row: Row,
  further: Prisma.Sql = Prisma.empty,
): Prisma.Sql {
  const assignments = textOf(table, 'assignments', () => {
    const others = columnsOf(table).filter((column) => column !== 'id');
    return `"${table.name}" known SET ${others.map((column) => `"${column}" = row."${column}"`).join(', ')}`;
  });
  return Prisma.sql`/* bulk update */ UPDATE ${assignments}${further}
    FROM jsonb_to_record(${JSON.stringify(row)}::jsonb) AS row(${typesOf(table)}) WHERE known."id" = ${row.id}::uuid`;
}

function recordsOf<Row>(table: BulkTable<Row>, rows: readonly Row[]): Prisma.Sql {
  return Prisma.sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row(${typesOf(table)})`;
}

function typesOf<Row>(table: BulkTable<Row>): Prisma.Sql {
  return textOf(table, 'types', () =>
    columnsOf(table)
      .map((column) => `"${column}" ${table.columns[column as keyof Row]}`)
      .join(', '),
  );
}

function columnsOf<Row>(table: BulkTable<Row>): string[] {
  return Object.keys(table.columns);
}

function quoted(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ');
}

const texts = new WeakMap<object, Map<string, Prisma.Sql>>();

/** Cached for each table, because every decision needs it. */
function textOf(table: object, what: string, make: () => string): Prisma.Sql {
  let ofTable = texts.get(table);
  if (ofTable === undefined) texts.set(table, (ofTable = new Map<string, Prisma.Sql>()));
  let text = ofTable.get(what);
  if (text === undefined) ofTable.set(what, (text = Prisma.raw(make())));
  return text;
}
