import type { PrismaService } from '../../src/platform/database/prisma.service';

/** A table, and the names of all tables whose rows reference it. */
interface Table {
  readonly name: string;
  readonly referencedBy: readonly string[];
}

const AUDIT_EVENTS = '"AuditEvent"';
/**
 * Deleted rows stay in the tables' files. If all these files together are larger than this, the tables are truncated,
 * which makes new files.
 */
const MOST_BYTES = 4 * 1024 * 1024;

type Database = Pick<PrismaService, '$queryRaw' | '$executeRawUnsafe'>;

/** The statement is kept, because the tables stay the same during a test run. */
let emptying: string | undefined;

/**
 * Empties every table except Prisma's table of migrations and partitions of other tables. TRUNCATE takes twenty times
 * as long as deleting the few rows of a test, because each table and each index gets a new file. One statement does
 * everything, because every test of a service begins with it.
 */
export async function emptyDatabase(prisma: Database): Promise<void> {
  emptying ??= statementFor(await readTables(prisma));
  await prisma.$executeRawUnsafe(emptying);
}

function statementFor(tables: readonly Table[]): string {
  const all = tables.map(({ name }) => name);
  const deletions = childrenFirst(tables).map(
    (name) => `IF EXISTS (SELECT FROM ${name}) THEN ${allowed(name, `DELETE FROM ${name};`)} END IF;`,
  );
  return `DO $empty$ BEGIN
    IF (SELECT sum(pg_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname IN ('public', 'test_results') AND c.relkind = 'r') > ${MOST_BYTES} THEN
      ${allowed(AUDIT_EVENTS, `TRUNCATE ${all.join(', ')} RESTART IDENTITY CASCADE;`)}
    ELSE
      ${deletions.join('\n')}
    END IF;
    PERFORM setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false) FROM pg_sequences
    WHERE schemaname IN ('public', 'test_results') AND last_value IS NOT NULL;
  END $empty$`;
}

/** The statement, with the audit log's protection against deletion switched off while it runs. */
function allowed(table: string, statement: string): string {
  if (table !== AUDIT_EVENTS) return statement;
  const triggers = (what: 'DISABLE' | 'ENABLE') => `ALTER TABLE ${AUDIT_EVENTS} ${what} TRIGGER USER;`;
  return `${triggers('DISABLE')} ${statement} ${triggers('ENABLE')}`;
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

/**
 * The tables in an order in which they can be emptied. A row can be deleted only when no other row references it any
 * more.
 */
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
