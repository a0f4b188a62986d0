import type { PrismaService } from '../../platform/database/prisma.service';
import { readSettings } from '../storage/settings';

/** Fewer results than that say nothing about the machines: a job that runs one test and fails is no outage. */
const FEWEST_RESULTS = 10;

export interface RunCounts {
  readonly passed: number;
  readonly failed: number;
}

/** Whether an upload says something about its tests: not when so many failed that the machines must have been to blame. */
export async function countsForTests(
  prisma: PrismaService,
  repositoryId: string,
  { passed, failed }: RunCounts,
): Promise<boolean> {
  if (passed + failed < FEWEST_RESULTS) return true;
  const { infrastructureFailures } = await readSettings(prisma, repositoryId);
  return failed / (passed + failed) <= infrastructureFailures;
}
