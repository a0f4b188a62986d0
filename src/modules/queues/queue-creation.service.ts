import { Injectable } from '@nestjs/common';
import type { BranchTip } from '../../domain/code-host.port';
import { nameOfRepository } from '../../domain/host-examination';
import { misfitOfSettings } from '../../engine/settings-fit';
import { CodeHostRegistry } from '../../code-hosts/code-host.registry';
import { type AuditedChange, changeRecorded } from '../../platform/audit/audit-log';
import { sourceOf } from '../../platform/audit/audit-source';
import { type Caller, mayKnow } from '../../platform/requests/caller';
import { Clock } from '../../platform/clock/clock';
import { Config } from '../../platform/config/config';
import { isUniqueViolation } from '../../platform/database/database-errors';
import { PrismaService, type Tx } from '../../platform/database/prisma.service';
import { DomainError } from '../../platform/errors/domain-error';
import { newId } from '../../platform/ids';
import type { RepositoryReference } from '../shared/repository-reference.dto';
import { requireAccepted } from '../shared/require-accepted';
import { answerOfHost } from '../shared/host-answer';
import { noSuchRepository } from '../shared/queue-locator';
import type { QueueRecord } from './queue-record.dto';
import type { CreateQueueRequest } from './queue-settings.dto';
import { requestedNewQueue } from './queue-settings';
import { queueRecord } from './queue.record';
import type { HostRepository } from '../../domain/host-repository';

@Injectable()
export class QueueCreationService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly hosts: CodeHostRegistry,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * The code host is queried before the queue is stored. A branch has at most one active queue, even if two requests
   * create queues at the same time.
   */
  async create(caller: Caller, request: CreateQueueRequest): Promise<QueueRecord> {
    const { brand } = this.config;
    const queue = requestedNewQueue(request, brand);
    requireFitting(queue, request.targetBranch);
    const repository = await this.ownOrClaimable(caller, request.repo);
    await this.refuseSecondQueue(repository.id, request.targetBranch);
    const seenAt = this.clock.now();
    const tip = await this.tipOf(repository, request.targetBranch);
    try {
      return await this.prisma.$transaction(async (tx) => {
        const repositoryId = await this.claim(tx, caller, repository);
        const row = await tx.queue.create({
          data: {
            ...queue,
            id: newId(),
            repositoryId,
            branch: request.targetBranch,
            liveBranch: request.targetBranch,
            createdAt: this.clock.now(),
            tipCommit: tip.commit,
            tipTree: tip.tree,
            tipSeenAt: seenAt,
          },
        });
        const subject = `${nameOfRepository(repository)} ${request.targetBranch}`;
        const to = { state: queue.state, mode: queue.mode, ...queue.settings };
        await this.audit(tx, caller, { repositoryId, action: 'queue.created', subject, from: null, to });
        return queueRecord(row, brand);
      });
    } catch (error) {
      if (isUniqueViolation(error)) throw alreadyExists(request.targetBranch);
      throw error;
    }
  }

  /** The caller's repository, or an unclaimed repository, if the settings let an admin token claim it. */
  private async ownOrClaimable(caller: Caller, repo: RepositoryReference): Promise<HostRepository> {
    const { host, owner, name } = repo;
    this.requireConfigured(host);
    const host_lookupName = { host, lookupName: this.hosts.lookupNameOf(repo) };
    const known = await this.prisma.repository.findUnique({ where: { host_lookupName } });
    if (known ? !mayKnow(caller, known) : !(await this.mayClaim(caller))) throw noSuchRepository(repo);
    return { id: known?.id ?? newId(), host, owner: known?.owner ?? owner, name: known?.name ?? name };
  }

  private requireConfigured(host: string): void {
    if (this.hosts.hostFor(host)) return;
    const message = `is not a configured host; configured: ${this.hosts.configuredHosts().join(', ')}`;
    throw new DomainError('VALIDATION_FAILED', `repo.host: ${host} ${message}.`, [{ field: 'repo.host', message }]);
  }

  private async mayClaim({ repositoryIds }: Caller): Promise<boolean> {
    if (repositoryIds !== null) return false;
    switch (this.config.repositoryClaims) {
      case 'on':
        return true;
      case 'off':
        return false;
      case 'single':
        return (await this.prisma.organization.count()) === 1;
    }
  }

  private async refuseSecondQueue(repositoryId: string, branch: string): Promise<void> {
    const existing = await this.prisma.queue.count({ where: { repositoryId, liveBranch: branch } });
    if (existing > 0) throw alreadyExists(branch);
  }

  private tipOf(repository: HostRepository, branch: string): Promise<BranchTip> {
    return answerOfHost(repository.host, async () => {
      const host = this.hosts.hostFor(repository.host)!;
      if ((await host.findRepository(repository)) === 'unknown') throw noSuchRepository(repository);
      const tip = await host.readBranch(repository, branch);
      if (tip) return tip;
      throw new DomainError('BRANCH_NOT_FOUND', `${repository.owner}/${repository.name} has no branch ${branch}.`);
    });
  }

  /** Returns the id of the repository's row. Another organization may have claimed the repository first. */
  private async claim(tx: Tx, caller: Caller, { id, host, owner, name }: HostRepository): Promise<string> {
    const { organizationId } = caller;
    const createdAt = this.clock.now();
    const lookupName = this.hosts.lookupNameOf({ host, owner, name });
    const { count } = await tx.repository.createMany({
      data: { id, organizationId, host, owner, name, lookupName, createdAt },
      skipDuplicates: true,
    });
    const subject = nameOfRepository({ id, host, owner, name });
    if (count > 0)
      await this.audit(tx, caller, { repositoryId: id, action: 'repository.claimed', subject, from: null, to: {} });
    const row = await tx.repository.findUniqueOrThrow({ where: { host_lookupName: { host, lookupName } } });
    if (row.organizationId !== organizationId) throw noSuchRepository({ host, owner, name });
    return row.id;
  }

  private audit(tx: Tx, caller: Caller, change: Omit<AuditedChange, 'at' | 'by' | 'organizationId'>): Promise<number> {
    const { organizationId } = caller;
    return tx.$executeRaw(changeRecorded({ ...change, organizationId, at: this.clock.now(), by: sourceOf(caller) }));
  }
}

function requireFitting({ settings, mode }: ReturnType<typeof requestedNewQueue>, branch: string): void {
  const misfit = misfitOfSettings(settings, mode);
  if (misfit !== null) requireAccepted(misfit, branch);
}

function alreadyExists(branch: string): DomainError {
  return new DomainError('QUEUE_ALREADY_EXISTS', `The repository has a merge queue for the branch ${branch} already.`);
}
