import { parseArgs } from 'node:util';
import { MIGRATIONS_DIRECTORY, readMigrations } from '../../src/platform/migrations/migration-files';
import { writeMigration } from './fold-migrations';
import { nextMigrationName } from './migration-name';
import { prismaDiff } from './prisma-diff';
import { withServer } from './throw-away-server';

const HELP = `Usage: npm run db:migrate -- --name what_changes [--empty]

Writes a migration for the changes in prisma/schema.prisma. The next start of the service applies it.

  --name   lower-case letters, digits and underscores
  --empty  writes a file without statements, for SQL that schema.prisma cannot say (partial indexes, triggers, functions)
`;

async function main(): Promise<void> {
  const options = { name: { type: 'string' }, empty: { type: 'boolean' }, help: { type: 'boolean' } } as const;
  const { values } = parseArgs({ options });
  if (values.help) return void process.stdout.write(HELP);
  const { name = '', empty = false } = values;
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error(`The migration needs a name.\n\n${HELP}`);
  const sql = empty ? '' : await withServer((url) => Promise.resolve(changesOfSchema(url)));
  if (sql === undefined) {
    throw new Error('prisma/schema.prisma has no change that needs a migration. For other SQL, add: --empty');
  }
  const folder = nextMigrationName(
    readMigrations(MIGRATIONS_DIRECTORY).map((one) => one.name),
    new Date(),
    name,
  );
  writeMigration(MIGRATIONS_DIRECTORY, folder, sql);
  process.stdout.write(`Wrote prisma/migrations/${folder}/migration.sql.\n`);
}

function changesOfSchema(url: string): string | undefined {
  return prismaDiff(url, ['--from-migrations', 'prisma/migrations'], ['--to-schema', 'prisma/schema.prisma']);
}

main().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
});
