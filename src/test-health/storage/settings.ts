import type { Prisma } from '../../generated/prisma/client';
import type { PrismaService, Tx } from '../../platform/database/prisma.service';
import { DEFAULT_MONITORS, type Monitor } from '../rules/monitor';

/** How the tests of a repository are judged and quarantined. */
export interface TestHealthSettings {
  /** Off until somebody turns it on: whoever ignores failures must have meant to. */
  readonly quarantineEnabled: boolean;
  /** Whether flaky tests are quarantined without anybody saying so. */
  readonly autoQuarantine: boolean;
  /** An upload in which more than this share failed does not count, 0 … 1. */
  readonly infrastructureFailures: number;
  readonly monitors: readonly Monitor[];
}

export const DEFAULT_SETTINGS: TestHealthSettings = {
  quarantineEnabled: false,
  autoQuarantine: false,
  infrastructureFailures: 0.8,
  monitors: DEFAULT_MONITORS,
};

export async function readSettings(prisma: Tx | PrismaService, repositoryId: string): Promise<TestHealthSettings> {
  const row = await prisma.testHealthSettings.findUnique({ where: { repositoryId } });
  if (row === null) return DEFAULT_SETTINGS;
  const { quarantineEnabled, autoQuarantine, infrastructureFailures } = row;
  // Only `writeSettings` writes them.
  const monitors = row.monitors as unknown as readonly Monitor[];
  return { quarantineEnabled, autoQuarantine, infrastructureFailures, monitors };
}

export async function writeSettings(tx: Tx, repositoryId: string, settings: TestHealthSettings): Promise<void> {
  const data = { ...settings, monitors: settings.monitors as unknown as Prisma.InputJsonValue };
  await tx.testHealthSettings.upsert({ where: { repositoryId }, create: { repositoryId, ...data }, update: data });
}
