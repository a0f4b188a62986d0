import type { CommitStatus } from '../../generated/prisma/client';
import type { TestRun } from '../../engine/model';
import type { Statements } from '../../platform/database/statements';

/** The newest report of one name, kind and app on one commit. */
export type ReportRow = Pick<CommitStatus, 'sha' | 'name' | 'app' | 'state' | 'hostTime' | 'url' | 'description'>;

interface OfRepository {
  readonly repositoryId: string;
}

/** The reports of CI on the commits of these test runs. */
export function readRunReports(
  tx: Statements,
  { repositoryId }: OfRepository,
  runs: readonly TestRun[],
): Promise<ReportRow[]> {
  return tx.rows<ReportRow>`/* run-reports readRunReports */
    SELECT "sha", "name", "app", "state", "hostTime", "url", "description" FROM "CommitStatus"
    WHERE "repositoryId" = ${repositoryId}::uuid AND "sha" = ANY(${runs.flatMap(({ commit }) => commit ?? [])}::text[])`;
}
