import type { PrismaService, Tx } from '../platform/database/prisma.service';

/** Everything that is read here is of one moment. The database refuses to write meanwhile. */
export function readOneState<T>(prisma: PrismaService, read: (tx: Tx) => Promise<T>): Promise<T> {
  return prisma.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET TRANSACTION READ ONLY`;
      return read(tx);
    },
    { isolationLevel: 'RepeatableRead' },
  );
}
