import { createHash } from 'node:crypto';
import type { CodeHost, HostRepository, StatusReport } from '../../domain/code-host.port';
import type { CommitStatus } from '../../generated/prisma/client';
import type { PrismaService } from '../../platform/database/prisma.service';

interface MissedStatus {
  readonly deliveryId: string;
  readonly report: StatusReport;
}

/**
 * Reads the host's statuses of the commits under test, and returns the statuses that are not stored. The delivery id is
 * a hash of the report, so that instances that find the same report deliver it once.
 */
export async function missedStatuses(
  prisma: PrismaService,
  host: CodeHost,
  repository: HostRepository,
): Promise<readonly MissedStatus[]> {
  const missed: MissedStatus[] = [];
  for (const commit of await commitsInTest(prisma, repository)) {
    const reports = await host.readStatuses(repository, commit);
    if (reports.length === 0) continue;
    const known = await prisma.commitStatus.findMany({ where: { repositoryId: repository.id, sha: commit } });
    const stored = new Set(known.map((row) => identityOf(row)));
    for (const report of [...reports, ...withoutJob(known, reports)]) {
      const identity = identityOf(report);
      if (!stored.has(identity)) missed.push({ report, deliveryId: deliveryId(repository.id, commit, identity) });
    }
  }
  return missed;
}

/**
 * Leaves out reports that an earlier version of Sluice stored without a job, because the reports of the jobs replace
 * them.
 */
function withoutJob(known: readonly CommitStatus[], reports: readonly StatusReport[]): readonly StatusReport[] {
  const replaced = (row: CommitStatus): boolean =>
    row.kind === 'check_run' && row.source === (row.app ?? '') && row.state !== 'superseded';
  const isOfJob = (row: CommitStatus, { kind, name, job }: StatusReport): boolean =>
    kind === 'check_run' && name === row.name && job !== undefined;
  return known
    .filter((row) => replaced(row) && reports.some((report) => isOfJob(row, report)))
    .map(({ reporter: _, ...row }) => {
      return { ...row, kind: 'check_run', state: 'superseded', hostId: `${row.hostId}-superseded` };
    });
}

async function commitsInTest(prisma: PrismaService, { id }: HostRepository): Promise<readonly string[]> {
  const rows = await prisma.$queryRaw<{ commit: string }[]>`/* missed-statuses commitsInTest */
    SELECT DISTINCT r."commit" FROM "TestRun" r JOIN "Queue" q ON q."id" = r."queueId"
    WHERE q."repositoryId" = ${id}::uuid AND q."deletedAt" IS NULL
      AND r."live" AND r."phase" = 'testing' AND r."commit" IS NOT NULL
    ORDER BY r."commit"`;
  return rows.map(({ commit }) => commit);
}

function identityOf(
  report: Readonly<Record<'kind' | 'name' | 'state' | 'hostId', string>> & { hostTime: Date; app?: string | null },
): string {
  const { kind, name, state, hostId, hostTime, app = null } = report;
  return JSON.stringify([kind, name, state, hostId, hostTime.getTime(), app]);
}

function deliveryId(repositoryId: string, commit: string, identity: string): string {
  const input = JSON.stringify([repositoryId, commit, identity]);
  return `poll-status-${createHash('sha256').update(input).digest('hex').slice(0, 40)}`;
}
