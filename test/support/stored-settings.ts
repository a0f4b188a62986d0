import type { StoredQueueSettings } from '../../src/domain/stored-settings';
import type { PrismaService } from '../../src/platform/database/prisma.service';

type StoredPatch = Partial<StoredQueueSettings> | Readonly<Record<string, unknown>>;

/** Changes settings of all queues in the database, bypassing the service. */
export async function storeSettings(prisma: PrismaService, patch: StoredPatch): Promise<void> {
  await prisma.$executeRaw`UPDATE "Queue" SET "settings" = "settings" || ${JSON.stringify(patch)}::jsonb`;
}
