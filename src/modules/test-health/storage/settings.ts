import type { Prisma } from '../../../generated/prisma/client';
import type { PrismaService, Tx } from '../../../platform/database/prisma.service';
import { DEFAULT_TEST_HEALTH_SETTINGS, type Monitor, type TestHealthSettings } from '../rules/settings';

export async function readSettings(prisma: Tx | PrismaService, repositoryId: string): Promise<TestHealthSettings> {
  const row = await prisma.testHealthSettings.findUnique({ where: { repositoryId } });
  if (row === null) return DEFAULT_TEST_HEALTH_SETTINGS;
  const { quarantineEnabled, autoQuarantine, infrastructureFailures } = row;
  // The cast is safe, because only `writeSettings` writes this column.
  const monitors = row.monitors as unknown as readonly Monitor[];
  return { quarantineEnabled, autoQuarantine, infrastructureFailures, monitors };
}

export async function writeSettings(tx: Tx, repositoryId: string, settings: TestHealthSettings): Promise<void> {
  const data = { ...settings, monitors: settings.monitors as unknown as Prisma.InputJsonValue };
  await tx.testHealthSettings.upsert({ where: { repositoryId }, create: { repositoryId, ...data }, update: data });
}

/** The number that distinguishes this lock from all other advisory locks of the database. */
const SETTINGS_LOCK = 0x73_65_74_74_69_6e_67n;

// Must be the first lock of its transaction: a transaction that waits for it then holds no locks that other
// transactions need. One lock serves all repositories, because settings change seldom and quickly.

/** Settings cannot change until the transaction ends. */
export async function lockSettingsToRead(tx: Tx): Promise<void> {
  await tx.$queryRaw`/* settings lockSettingsToRead */ SELECT pg_advisory_xact_lock_shared(${SETTINGS_LOCK})::text`;
}

/**
 * Waits for every transaction that uses settings. Until this transaction ends, no other transaction can begin to use
 * settings.
 */
export async function lockSettingsToWrite(tx: Tx): Promise<void> {
  await tx.$queryRaw`/* settings lockSettingsToWrite */ SELECT pg_advisory_xact_lock(${SETTINGS_LOCK})::text`;
}
