import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { MIGRATIONS_DIRECTORY } from '../../src/platform/migrations/migration-files';
import { type Folded, foldMigrations } from './fold-migrations';
import { prismaDiff } from './prisma-diff';
import { withServer } from './throw-away-server';

/** Databases of released versions are migrated and never refused. */
const FIRST_RELEASE = 'v1.0.0-rc.1';
const HELP = `Usage: npm run db:baseline

Replaces all migrations in prisma/migrations by one, the baseline, and shows that both make the same schema:
it reads tables, columns, constraints, indexes, triggers, functions, sequences, partitions, storage and comments of a
database that the migrations made and of one that the baseline made, and compares their definitions. Column order may differ.

A database that the replaced migrations made is refused from then on, with the commit in prisma/migrations/folded.json.
The command does nothing when there is only the baseline, and is refused once the tag ${FIRST_RELEASE} exists.

It needs git, and uses an embedded PostgreSQL, or the server of DATABASE_URL. It ends with 1 when the schemas differ.
`;

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { help: { type: 'boolean' } } });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (git('tag', '--list', FIRST_RELEASE) !== '') {
    throw new Error(
      `${FIRST_RELEASE} is tagged: its databases must stay readable. Write a migration with: npm run db:migrate`,
    );
  }
  const commit = git('rev-parse', 'HEAD');
  const folded = await withServer((url) => {
    const schemaSql = prismaDiff(url, ['--from-empty'], ['--to-schema', 'prisma/schema.prisma']) ?? '';
    return foldMigrations({ url, directory: MIGRATIONS_DIRECTORY, schemaSql, now: new Date(), commit });
  });
  process.stdout.write(`${linesOf(folded).join('\n')}\n`);
  return folded.differences.length === 0 ? 0 : 1;
}

function linesOf({ name, folded, objects, differences }: Folded): string[] {
  if (differences.length > 0) {
    const figure = `The schemas of migrations and baseline differ in ${differences.length} of ${objects} objects. Nothing was changed.`;
    return [...differences, figure];
  }
  if (folded === 0)
    return [`${name} is the only migration. It makes the schema of prisma/schema.prisma: ${objects} objects.`];
  return [`${name} replaces ${folded} migrations. Both make the same schema: ${objects} objects.`];
}

function git(...args: string[]): string {
  const { status, stdout, error } = spawnSync('git', args, { encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`db:baseline needs a git clone: git ${args[0]} failed${error ? ` (${error.message})` : ''}.`);
  return stdout.trim();
}

main().then(
  (status) => (process.exitCode = status),
  (error: unknown) => {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  },
);
