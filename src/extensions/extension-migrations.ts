import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import type { Client } from 'pg';
import { migrationTransaction, NO_LOCK_IN_TIME, withClient } from '../platform/migrations/migration-transaction';
import { type ExtensionOptions, readExtensions } from './extension';

interface MigrationFile {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/**
 * Migrates the tables of the given extensions. Each extension has a schema `ext_<name>`, whose table `_migrations`
 * records the applied files. Waits for other processes that migrate the same database. Returns the applied files, such
 * as `acme/0001_visits.sql`. Each file is one transaction: a failed file changes nothing, and throws.
 */
export async function applyExtensionMigrations(url: string, modules: readonly Type[]): Promise<string[]> {
  const extensions = readExtensions(modules).filter(({ migrations }) => migrations !== undefined);
  if (extensions.length === 0) return [];
  return withClient(url, async (client) => {
    const applied: string[] = [];
    for (const extension of extensions) applied.push(...(await migrateExtension(client, extension)));
    return applied;
  });
}

async function migrateExtension(client: Client, { name, migrations }: ExtensionOptions): Promise<string[]> {
  const schema = `ext_${name}`;
  const files = readMigrationFiles(name, migrations!);
  await migrationTransaction(client, async () => {
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${schema}._migrations (name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
    );
  });
  const applied: string[] = [];
  for (;;) {
    const next = await migrationTransaction(client, () => applyNextFile(client, name, files));
    if (next === null) return applied;
    applied.push(`${name}/${next}`);
  }
}

async function applyNextFile(client: Client, name: string, files: readonly MigrationFile[]): Promise<string | null> {
  const schema = `ext_${name}`;
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `SELECT name, checksum FROM ${schema}._migrations`,
  );
  const known = new Map(rows.map((row) => [row.name, row.checksum]));
  const changed = files.find((file) => known.has(file.name) && known.get(file.name) !== file.checksum);
  if (changed) {
    throw new Error(
      `The migration ${name}/${changed.name} was changed after it had been applied to this database. Restore the old content, and add a new migration.`,
    );
  }
  const next = files.find((file) => !known.has(file.name));
  if (next === undefined) return null;
  await applyFile(client, name, next);
  return next.name;
}

function readMigrationFiles(extension: string, directory: string): MigrationFile[] {
  const names = namesIn(extension, directory).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name) => {
    const sql = readFileSync(join(directory, name), 'utf8');
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
  });
}

function namesIn(extension: string, directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    throw new Error(
      `The extension ${extension} names the folder ${directory} for its migrations, which cannot be read.`,
      {
        cause: error,
      },
    );
  }
}

async function applyFile(client: Client, extension: string, file: MigrationFile): Promise<void> {
  const schema = `ext_${extension}`;
  try {
    await client.query(`SET LOCAL search_path = ${schema}`);
    await client.query(file.sql);
    await client.query(`INSERT INTO ${schema}._migrations (name, checksum) VALUES ($1, $2)`, [
      file.name,
      file.checksum,
    ]);
  } catch (error) {
    if ((error as { code?: unknown }).code === NO_LOCK_IN_TIME) throw error;
    throw new Error(
      `The migration ${extension}/${file.name} failed and was rolled back: ${(error as Error).message}.`,
      {
        cause: error,
      },
    );
  }
}
