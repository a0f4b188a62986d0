import type { PrismaService } from '../../src/platform/database/prisma.service';

/** Every table except Prisma's own table of migrations and the partitions of other tables. */
export async function emptyDatabase(
  prisma: Pick<PrismaService, '$queryRaw' | '$executeRawUnsafe' | '$transaction'>,
): Promise<void> {
  const tables = await prisma.$queryRaw<{ name: string }[]>`
    SELECT c.oid::regclass::text AS "name" FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('public', 'test_results') AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relname <> '_prisma_migrations'`;
  // The audit log refuses to be emptied.
  await prisma.$transaction([
    prisma.$executeRawUnsafe('ALTER TABLE "AuditEvent" DISABLE TRIGGER USER'),
    prisma.$executeRawUnsafe(`TRUNCATE ${tables.map(({ name }) => name).join(', ')} RESTART IDENTITY CASCADE`),
    prisma.$executeRawUnsafe('ALTER TABLE "AuditEvent" ENABLE TRIGGER USER'),
  ]);
}
