import { Injectable } from '@nestjs/common';
import type { ExaminedRepository, Finding, HostExamination } from '../../domain/code-host.port';
import { ok, problem, unknown } from '../../domain/host-examination';
import { readQueueSettings } from '../../domain/stored-settings';
import { CodeHostRegistry } from '../../code-hosts/code-host.registry';
import { Config } from '../../platform/config/config';
import { isWiderThanRole } from '../../platform/requests/roles';
import { Clock } from '../../platform/clock/clock';
import { PrismaService } from '../../platform/database/prisma.service';
import { ServiceProcesses } from '../../platform/health/service-processes';
import type { KnownService } from './process-findings';
import { QueueExamination, type RegisteredQueue } from './queue-examination';
import { readSharedNames } from './shared-names';
import { readReporters } from './status-reporters';

interface RegisteredRepository extends ExaminedRepository {
  readonly queues: readonly RegisteredQueue[];
}

/** Examines every configured code host with its repositories and queues. Changes nothing. */
@Injectable()
export class Doctor {
  constructor(
    private readonly config: Config,
    private readonly prisma: PrismaService,
    private readonly registry: CodeHostRegistry,
    private readonly queues: QueueExamination,
    private readonly clock: Clock,
    private readonly processes: ServiceProcesses,
  ) {}

  async readService(): Promise<KnownService> {
    const queueCount = await this.prisma.queue.count({ where: { liveBranch: { not: null } } });
    return { processes: await this.processes.list(), queueCount };
  }

  /** `unprepared`: the database has no tables yet. */
  async examine(database: 'ready' | 'unprepared'): Promise<readonly Finding[]> {
    const registered = database === 'ready' ? await this.readRepositories() : [];
    const configured = this.registry.configuredHosts();
    const findings: Finding[] = [];
    for (const host of configured) {
      const repositories = registered.filter(({ repository }) => repository.host === host);
      findings.push(...(await this.examineHost(host, repositories)));
      for (const one of repositories) findings.push(...(await this.queues.examine(one.repository, one.queues)));
    }
    const lost = registered.map(({ repository }) => repository.host).filter((host) => !configured.includes(host));
    const kept = database === 'ready' ? await this.examineKept() : [];
    return [...findings, ...[...new Set(lost)].map(notConfigured), ...kept];
  }

  private async examineHost(host: string, repositories: readonly ExaminedRepository[]): Promise<readonly Finding[]> {
    const { brand, publicUrl } = this.config;
    const examination: HostExamination = { host, brand, publicUrl, repositories };
    const examined = await this.registry.hostFor(host)?.examine?.(examination);
    return examined ?? [unknown(host, 'this kind of host cannot be examined')];
  }

  private async examineKept(): Promise<readonly Finding[]> {
    return [...(await this.examineTokens()), await unsignedMergesFinding(this.prisma, this.clock.now())];
  }

  private async examineTokens(): Promise<readonly Finding[]> {
    const valid = await this.prisma.apiToken.findMany({
      where: { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: this.clock.now() } }] },
      select: { name: true, role: true, roleVersion: true, organization: { select: { slug: true } } },
      orderBy: [{ organization: { slug: 'asc' } }, { name: 'asc' }],
    });
    return valid
      .filter(({ role, roleVersion }) => isWiderThanRole(role, roleVersion))
      .map(({ name, role, organization: { slug } }) => widerToken(slug, name, role));
  }

  private async readRepositories(): Promise<readonly RegisteredRepository[]> {
    const rows = await this.prisma.repository.findMany({
      include: { queues: { where: { liveBranch: { not: null } }, orderBy: { branch: 'asc' } } },
      orderBy: [{ host: 'asc' }, { owner: 'asc' }, { name: 'asc' }],
    });
    const sharedNames = await readSharedNames(this.prisma);
    const reporters = await readReporters(this.prisma);
    return rows.map(({ id, host, owner, name, queues }) => ({
      repository: { id, host, owner, name },
      queues: queues.map(({ id: queueId, branch, settings, failures }) => {
        const { mergeMethod, requiredStatuses } = readQueueSettings(settings);
        return {
          targetBranch: branch,
          sharedNames: sharedNames.get(queueId) ?? [],
          reporters: reporters.get(queueId) ?? [],
          mergeMethod,
          requiredStatuses,
          failedDecisions: failures,
        };
      }),
    }));
  }
}

function notConfigured(host: string): Finding {
  return problem(
    host,
    'has repositories in the database, but is not configured',
    'Add this code host to SLUICE_HOSTS.',
  );
}

function widerToken(organization: string, name: string, role: string): Finding {
  return ok(
    `The token ${name} of ${organization}`,
    `has more permissions than its role ${role}: an earlier version created it, and it may still report statuses`,
    `Rotate it: sluice token rotate --org ${organization} --name "${name}"`,
  );
}

const SIGNED_STATEMENTS = 'Signed statements';
/** The service signs every few seconds, so a merge without a signature after this time is late. */
const LATE_MS = 10 * 60_000;

/** Whether merges wait for a signature, because no process has the key. */
async function unsignedMergesFinding(prisma: PrismaService, now: Date): Promise<Finding> {
  const [row] = await prisma.$queryRaw<{ merges: number; key: string | null }[]>`/* doctor unsignedMergesFinding */
    SELECT count(*)::int AS "merges", (SELECT "id" FROM "AttestationKey" WHERE "until" IS NULL) AS "key"
    FROM "Queue" q JOIN "LandedChange" l ON l."queueId" = q."id" AND l."below" IS NOT NULL AND l."seq" > coalesce(
      (SELECT a."landedSeq" FROM "Attestation" a WHERE a."queueId" = q."id" ORDER BY a."landedSeq" DESC LIMIT 1), 0)
    WHERE l."landedAt" < ${new Date(now.getTime() - LATE_MS)}`;
  const { merges = 0, key = null } = row ?? {};
  if (merges === 0)
    return ok(SIGNED_STATEMENTS, key === null ? 'nothing was merged yet' : 'every merge has a statement');
  const advice = `Give every process the same key in SLUICE_ATTESTATION_KEY_FILE. If the key is lost: sluice attestation rotate-key --lost`;
  return problem(
    SIGNED_STATEMENTS,
    `${merges} merges have no statement, because no process has the key ${key?.slice(0, 12) ?? ''}`,
    advice,
  );
}
