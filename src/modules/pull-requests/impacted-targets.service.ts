import { Injectable } from '@nestjs/common';
import { CodeHostRegistry } from '../../code-hosts/code-host.registry';
import type { Caller } from '../../platform/requests/caller';
import { Clock } from '../../platform/clock/clock';
import { PrismaService } from '../../platform/database/prisma.service';
import { DomainError } from '../../platform/errors/domain-error';
import { QueueProcessor } from '../../processing/decisions/queue-processor';
import { answerOfHost } from '../shared/host-answer';
import { QueueLocator } from '../shared/queue-locator';
import type { ImpactedTargetsRecord, SetImpactedTargetsRequest } from './dto/impacted-targets.dto';
import { type ImpactedTargets, hashesOf, targetsOf } from '../../domain/impacted-targets';
import type { LocatedQueue } from '../../domain/located-queue';

@Injectable()
export class ImpactedTargetsService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly locator: QueueLocator,
    private readonly processor: QueueProcessor,
    private readonly hosts: CodeHostRegistry,
    private readonly clock: Clock,
  ) {}

  /** Stores targets per repository, pull request and head, for all queues of the repository. The last upload wins. */
  async set(caller: Caller, request: SetImpactedTargetsRequest): Promise<ImpactedTargetsRecord> {
    const queue = await this.locator.queue(caller, request);
    const { number } = request.pr;
    const sha = request.pr.sha?.toLowerCase() ?? (await this.headOf(queue, number));
    const targets = targetsOf(request.impactedTargets);
    await this.store(queue.repository.id, number, sha, targets);
    await this.notifyQueues(queue.repository.id, number, sha);
    return { prNumber: number, prSha: sha, impactsAll: targets.all, targetCount: targets.names.length };
  }

  private async headOf({ repository, branch }: LocatedQueue, number: number): Promise<string> {
    const host = this.hosts.hostFor(repository.host);
    if (!host) throw new DomainError('UPSTREAM_ERROR', `The code host ${repository.host} is not configured any more.`);
    const seen = await answerOfHost(repository.host, () => host.readPullRequest(repository, number, branch));
    if (seen) return seen.head;
    throw new DomainError('PR_NOT_FOUND', `${repository.owner}/${repository.name} has no pull request ${number}.`);
  }

  /** Sends the lists as JSON text, because 200,000 separate parameters would take seconds. */
  private async store(
    repositoryId: string,
    number: number,
    sha: string,
    { all, names }: ImpactedTargets,
  ): Promise<void> {
    const hashes = `{${hashesOf(names).join(',')}}`;
    await this.prisma.$executeRaw`/* impacted-targets.service store */
      INSERT INTO "ImpactedTargets" ("repositoryId", "number", "sha", "all", "targetCount", "names", "hashes", "updatedAt")
      VALUES (${repositoryId}::uuid, ${number}, ${sha}, ${all}, ${names.length},
              ARRAY(SELECT json_array_elements_text(${JSON.stringify(names)}::json)), ${hashes}::bigint[],
              ${this.clock.now()})
      ON CONFLICT ("repositoryId", "number", "sha") DO UPDATE SET
        "all" = excluded."all", "targetCount" = excluded."targetCount", "names" = excluded."names",
        "hashes" = excluded."hashes", "version" = "ImpactedTargets"."version" + 1, "updatedAt" = excluded."updatedAt"`;
  }

  /** Also notifies queues that know another head of the pull request, because they may read this head next. */
  private async notifyQueues(repositoryId: string, number: number, head: string): Promise<void> {
    const waiting = await this.prisma.entry.findMany({
      where: {
        number,
        state: { notIn: ['merged', 'failed', 'cancelled'] },
        queue: { repositoryId, liveBranch: { not: null } },
      },
      select: { queueId: true },
    });
    for (const { queueId } of waiting) {
      await this.processor.processEvent(queueId, { event: { type: 'targetsGiven', number, head } });
    }
  }
}
