import type { PrismaService } from '../../src/platform/database/prisma.service';

/** A table with every table whose rows name one of its own. */
interface Table {
  readonly name: string;
  readonly referencedBy: readonly string[];
}

const AUDIT_EVENTS = '"AuditEvent"';
/** Deleted rows stay in the files. Above this the files are begun anew. */
const MOST_BYTES = 4 * 1024 * 1024;

type Database = Pick<PrismaService, '$queryRaw' | '$queryRawUnsafe' | '$executeRawUnsafe' | '$transaction'>;

/**
 * Every table except Prisma's own table of migrations and the partitions of other tables. To truncate them takes twenty
 * times as long as to delete the few rows of a test: each table and each index gets a new file.
 */
export async function emptyDatabase(prisma: Database): Promise<void> {
  const tables = await readTables(prisma);
  const all = tables.map(({ name }) => name);
  const filled = (await countBytes(prisma)) > MOST_BYTES ? all : await findFilled(prisma, all);
  const statements =
    filled === all
      ? [`TRUNCATE ${all.join(', ')} RESTART IDENTITY CASCADE`]
      : childrenFirst(tables)
          .filter((name) => filled.includes(name))
          .map((name) => `DELETE FROM ${name}`);
  // The audit log refuses to be emptied.
  const open = filled.includes(AUDIT_EVENTS);
  if (open) statements.unshift(`ALTER TABLE ${AUDIT_EVENTS} DISABLE TRIGGER USER`);
  if (open) statements.push(`ALTER TABLE ${AUDIT_EVENTS} ENABLE TRIGGER USER`);
  await prisma.$transaction(statements.map((statement) => prisma.$executeRawUnsafe(statement)));
  await prisma.$queryRaw`
    SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false) FROM pg_sequences
    WHERE schemaname IN ('public', 'test_results') AND last_value IS NOT NULL`;
}

function readTables(prisma: Database): Promise<Table[]> {
  return prisma.$queryRaw<Table[]>`
    SELECT c.oid::regclass::text AS "name",
      ARRAY(SELECT DISTINCT conrelid::regclass::text FROM pg_constraint
        WHERE contype = 'f' AND confrelid = c.oid AND conrelid <> c.oid) AS "referencedBy"
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('public', 'test_results') AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relname <> '_prisma_migrations'`;
}

async function countBytes(prisma: Database): Promise<number> {
  const [row] = await prisma.$queryRaw<{ bytes: number }[]>`
    SELECT sum(pg_relation_size(c.oid))::float8 AS "bytes" FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('public', 'test_results') AND c.relkind = 'r'`;
  return row!.bytes;
}

async function findFilled(prisma: Database, names: readonly string[]): Promise<string[]> {
  const each = names.map((name, index) => `SELECT ${index} AS "index" WHERE EXISTS (SELECT FROM ${name})`);
  const rows = await prisma.$queryRawUnsafe<{ index: number }[]>(each.join(' UNION ALL '));
  return rows.map(({ index }) => names[index]!);
}

/** A row can go when no other row names it any more. */
function childrenFirst(tables: readonly Table[]): string[] {
  const done = new Set<string>();
  const visit = (name: string): void => {
    if (done.has(name)) return;
    for (const child of tables.find((table) => table.name === name)?.referencedBy ?? []) visit(child);
    done.add(name);
  };
  for (const { name } of tables) visit(name);
  return [...done];
}
