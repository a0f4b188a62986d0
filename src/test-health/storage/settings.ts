import type { Prisma } from '../../generated/prisma/client';
import type { PrismaService, Tx } from '../../platform/database/prisma.service';
import { DEFAULT_TEST_HEALTH_SETTINGS, type Monitor, type TestHealthSettings } from '../rules/settings';

export async function readSettings(prisma: Tx | PrismaService, repositoryId: string): Promise<TestHealthSettings> {
  const row = await prisma.testHealthSettings.findUnique({ where: { repositoryId } });
  if (row === null) return DEFAULT_TEST_HEALTH_SETTINGS;
  const { quarantineEnabled, autoQuarantine, infrastructureFailures } = row;
  // Only `writeSettings` writes them.
  const monitors = row.monitors as unknown as readonly Monitor[];
  return { quarantineEnabled, autoQuarantine, infrastructureFailures, monitors };
}

export async function writeSettings(tx: Tx, repositoryId: string, settings: TestHealthSettings): Promise<void> {
  const data = { ...settings, monitors: settings.monitors as unknown as Prisma.InputJsonValue };
  await tx.testHealthSettings.upsert({ where: { repositoryId }, create: { repositoryId, ...data }, update: data });
}

/** Sets this lock apart from every other advisory lock of the database. */
const SETTINGS_LOCK = 0x73_65_74_74_69_6e_67n;

// Taken before anything else of a transaction is, so that whoever waits for it holds nothing that others wait for. One
// for all repositories: settings change seldom, and quickly.

/** Until the transaction ends, nobody changes the settings by which it judges. */
export async function lockSettingsToRead(tx: Tx): Promise<void> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock_shared(${SETTINGS_LOCK})::text`;
}

/** Waits until nobody judges by the settings of before, and until the transaction ends nobody does. */
export async function lockSettingsToWrite(tx: Tx): Promise<void> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(${SETTINGS_LOCK})::text`;
}
