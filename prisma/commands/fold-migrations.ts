import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FoldedChain, FOLDED_CHAINS_FILE, readFoldedChains } from '../../src/platform/migrations/folded-chains';
import { type Migration, readMigrations } from '../../src/platform/migrations/migration-files';
import { withClient } from '../../src/platform/migrations/migration-transaction';
import { applyMigrations } from '../../src/platform/migrations/migrations';
import { nextMigrationName } from './migration-name';
import { compareSchemas, readSchemaObjects, type SchemaObject } from './schema-objects';
import { withEmptyDatabase } from './throw-away-server';

export interface Folding {
  /** A server on which the user may create databases. */
  readonly url: string;
  readonly directory: string;
  /** The schema in `schema.prisma`, as SQL for an empty database. */
  readonly schemaSql: string;
  readonly now: Date;
  /** The last commit with the present migrations. */
  readonly commit: string;
}

export interface Folded {
  /** The name of the baseline. */
  readonly name: string;
  /** Number of migrations folded into the baseline; 0: only the baseline existed, and the files are unchanged. */
  readonly folded: number;
  readonly objects: number;
  /**
   * Differences between the schemas of the migrations and of the baseline. The files are unchanged unless this list is
   * empty.
   */
  readonly differences: readonly string[];
}

/** Replaces all migrations by a single migration with the same schema. */
export async function foldMigrations(folding: Folding): Promise<Folded> {
  const { directory, now, commit } = folding;
  const migrations = readMigrations(directory);
  const first = migrations[0];
  if (first === undefined) throw new Error(`There is no migration in ${directory}.`);
  const chain = await schemaOfMigrations(folding.url, directory);
  const sql = baselineSql(folding.schemaSql, await missingFromSchema(folding, chain));
  const differences = compareSchemas(chain, await schemaOfBaseline(folding.url, sql));
  const isBaseline = migrations.length === 1;
  const name = isBaseline ? first.name : nextMigrationName([first.name], now, 'baseline');
  const folded = isBaseline ? 0 : migrations.length;
  if (!isBaseline && differences.length === 0) {
    replaceMigrations(directory, migrations, { name, sql }, { firstMigration: first.name, lastCommit: commit });
  }
  return { name, folded, objects: chain.length, differences };
}

function schemaOfMigrations(server: string, directory: string): Promise<SchemaObject[]> {
  return withEmptyDatabase(server, 'folded', async (url) => {
    await applyMigrations(url, directory);
    return readSchemaObjects(url);
  });
}

/** Objects that `schema.prisma` cannot describe. */
function missingFromSchema(
  { url: server, schemaSql }: Folding,
  chain: readonly SchemaObject[],
): Promise<SchemaObject[]> {
  return withEmptyDatabase(server, 'schema', async (url) => {
    await withClient(url, (client) => client.query(schemaSql));
    const said = new Set((await readSchemaObjects(url)).map(({ name }) => name));
    return chain.filter(({ name }) => !said.has(name));
  });
}

async function schemaOfBaseline(server: string, sql: string): Promise<SchemaObject[]> {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-baseline-'));
  try {
    writeMigration(directory, 'baseline', sql);
    return await schemaOfMigrations(server, directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function baselineSql(schemaSql: string, missing: readonly SchemaObject[]): string {
  const unwritable = missing.filter(({ statement }) => statement === null);
  if (unwritable.length > 0) {
    throw new Error(`db:baseline cannot write: ${unwritable.map(({ name }) => name).join(', ')}.`);
  }
  // The statements name no schema, as in Prisma's migrations: tables belong to the first schema of the search path.
  const statements = missing.map(({ statement }) => `${statement!.replace(/\bpublic\.(?=["\w])/g, '')};\n`);
  return [
    '-- Made by `npm run db:baseline`. First the statements of Prisma for schema.prisma.',
    schemaSql.trim(),
    '-- The rest cannot be said in schema.prisma.',
    ...(statements.length > 0 ? [statements.join('\n')] : []),
  ].join('\n\n');
}

function replaceMigrations(
  directory: string,
  migrations: readonly Migration[],
  baseline: { readonly name: string; readonly sql: string },
  chain: FoldedChain,
): void {
  const chains = [...readFoldedChains(directory), chain];
  writeFileSync(join(directory, FOLDED_CHAINS_FILE), `${JSON.stringify(chains, null, 2)}\n`);
  writeMigration(directory, baseline.name, baseline.sql);
  for (const { name } of migrations) rmSync(join(directory, name), { recursive: true });
}

export function writeMigration(directory: string, name: string, sql: string): void {
  mkdirSync(join(directory, name));
  writeFileSync(join(directory, name, 'migration.sql'), sql);
}
