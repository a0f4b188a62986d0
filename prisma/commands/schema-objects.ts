import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withClient } from '../../src/platform/migrations/migration-transaction';

/** One object of a database schema, or the fact that a table has rows. */
export interface SchemaObject {
  /** Unique within a database, e.g. `index public."Entry_head_idx"`. */
  readonly name: string;
  /** Two databases agree on an object if its definitions are equal. */
  readonly definition: string;
  /** SQL that creates the object. Null: `db:baseline` cannot write this statement. */
  readonly statement: string | null;
}

const QUERY = readFileSync(join(__dirname, 'schema-objects.sql'), 'utf8');
const TABLES = `SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'r'
  AND relnamespace::regnamespace::text NOT IN ('pg_catalog', 'information_schema', 'pg_toast') AND relname <> '_prisma_migrations'`;

/** The objects of a database, in an order in which they can be created. */
export function readSchemaObjects(url: string): Promise<SchemaObject[]> {
  return withClient(url, async (client) => {
    await client.query(`SET search_path = ''`);
    const { rows: objects } = await client.query<SchemaObject>(QUERY);
    const { rows: tables } = await client.query<{ name: string }>(TABLES);
    for (const { name } of tables) {
      const { rowCount } = await client.query(`SELECT FROM ${name} LIMIT 1`);
      if (rowCount !== 0) objects.push({ name: `rows of ${name}`, definition: '', statement: null });
    }
    return objects;
  });
}

/**
 * One line for each object that differs between the two databases, or exists in only one of them. Empty: the schemas
 * are equal.
 */
export function compareSchemas(chain: readonly SchemaObject[], baseline: readonly SchemaObject[]): readonly string[] {
  const [ofChain, ofBaseline] = [byName(chain), byName(baseline)];
  const names = [...new Set([...ofChain.keys(), ...ofBaseline.keys()])].sort();
  return names.flatMap((name) => {
    const [before, after] = [ofChain.get(name), ofBaseline.get(name)];
    if (before === after) return [];
    if (after === undefined) return [`only the migrations make: ${name}`];
    if (before === undefined) return [`only the baseline makes: ${name}`];
    return [`${name} differs:\n  migrations: ${before}\n  baseline:   ${after}`];
  });
}

function byName(objects: readonly SchemaObject[]): ReadonlyMap<string, string> {
  return new Map(objects.map(({ name, definition }) => [name, definition]));
}
