import type { TestRun } from '../../engine/model';
import type { Tx } from '../../platform/database/prisma.service';

/** The newest report of one name, kind and app on one commit. */
export interface ReportRow {
  readonly sha: string;
  readonly name: string;
  readonly app: string | null;
  readonly state: string;
  readonly hostTime: Date;
  readonly url: string | null;
  readonly description: string | null;
}

interface OfRepository {
  readonly repositoryId: string;
}

/** What CI reported on the commits of these test runs. */
export function readRunReports(tx: Tx, { repositoryId }: OfRepository, runs: readonly TestRun[]): Promise<ReportRow[]> {
  const sha = { in: runs.flatMap(({ commit }) => commit ?? []) };
  return tx.commitStatus.findMany({
    where: { repositoryId, sha },
    select: { sha: true, name: true, app: true, state: true, hostTime: true, url: true, description: true },
  });
}
