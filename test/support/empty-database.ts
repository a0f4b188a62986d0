import type { PrismaService } from '../../src/platform/database/prisma.service';

/** A table with every table whose rows name one of its own. */
interface Table {
  readonly name: string;
  readonly referencedBy: readonly string[];
}

const AUDIT_EVENTS = '"AuditEvent"';
/** Deleted rows stay in the files. Above this the files are begun anew. */
const MOST_BYTES = 4 * 1024 * 1024;

type Database = Pick<PrismaService, '$queryRaw' | '$executeRawUnsafe'>;

/** The tables of a test run stay the same. */
let emptying: string | undefined;

/**
 * Every table except Prisma's own table of migrations and the partitions of other tables. To truncate them takes twenty
 * times as long as to delete the few rows of a test: each table and each index gets a new file. One statement, because
 * every test of a service begins with this.
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

/** The audit log refuses to be emptied. */
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
