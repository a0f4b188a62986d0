import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The path is the same from `src` and from `dist`. */
export const MIGRATIONS_DIRECTORY = join(__dirname, '..', '..', '..', 'prisma', 'migrations');

export interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
  /**
   * `expand`: the previous version still works. `contract`: the previous version fails; the migration file has a line
   * `-- contract: why`.
   */
  readonly kind: 'expand' | 'contract';
}

const CONTRACT = /^-- contract: \S/m;

/** The migrations in the order in which they are applied. */
export function readMigrations(directory: string): Migration[] {
  const names = readdirSync(directory).filter((name) => existsSync(join(directory, name, 'migration.sql')));
  return names.sort().map((name) => {
    const sql = readFileSync(join(directory, name, 'migration.sql'), 'utf8');
    const checksum = createHash('sha256').update(sql).digest('hex');
    return { name, sql, checksum, kind: CONTRACT.test(sql) ? 'contract' : 'expand' };
  });
}
