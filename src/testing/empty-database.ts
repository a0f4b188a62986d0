import type { PrismaService } from '../platform/database/prisma.service';

/** Every table but Prisma's own book of migrations. */
export async function emptyDatabase(prisma: Pick<PrismaService, '$queryRaw' | '$executeRawUnsafe'>): Promise<void> {
  const tables = await prisma.$queryRaw<{ name: string }[]>`
    SELECT quote_ident(tablename) AS "name" FROM pg_tables
    WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`;
  await prisma.$executeRawUnsafe(`TRUNCATE ${tables.map(({ name }) => name).join(', ')} RESTART IDENTITY CASCADE`);
}
