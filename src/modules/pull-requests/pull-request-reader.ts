import { Injectable } from '@nestjs/common';
import { CodeHostRegistry } from '../../code-hosts/code-host.registry';
import type { Caller } from '../../platform/requests/caller';
import { PrismaService } from '../../platform/database/prisma.service';
import { DomainError } from '../../platform/errors/domain-error';
import { QueueLocator } from '../shared/queue-locator';
import type { GetSubmittedPullRequestRequest, NumberOrBranch } from './pull-request-requests.dto';
import type { SubmittedPullRequest } from './submitted-pull-request.dto';
import { PullRequestRecords } from './pull-request-records';
import type { LocatedQueue } from '../../domain/located-queue';

@Injectable()
export class PullRequestReader {
  constructor(
    private readonly prisma: PrismaService,
    private readonly locator: QueueLocator,
    private readonly hosts: CodeHostRegistry,
    private readonly records: PullRequestRecords,
  ) {}

  async read(caller: Caller, request: GetSubmittedPullRequestRequest): Promise<SubmittedPullRequest> {
    const queue = await this.locator.queue(caller, request);
    const record = await this.record(queue, await this.numberOf(queue, request.pr));
    if (request.includeTimeline) await this.records.addTimelines([record]);
    return record;
  }

  /** Errors: PR_NOT_FOUND when the pull request was never submitted to this queue. */
  async record(queue: LocatedQueue, number: number): Promise<SubmittedPullRequest> {
    const [record] = await this.records.of(queue, [number]);
    if (!record) throw neverSubmitted(`Pull request ${number}`);
    return record;
  }

  private async numberOf(queue: LocatedQueue, { number, branch }: NumberOrBranch): Promise<number> {
    if (number !== undefined) return number;
    if (!this.hosts.hostFor(queue.repository.host)?.capabilities.findsByBranch) {
      const message = `cannot be used on ${queue.repository.host}, because its pull requests have no branches; send pr.number`;
      throw new DomainError('VALIDATION_FAILED', `pr.branch: ${message}.`, [{ field: 'pr.branch', message }]);
    }
    // A branch may have had several pull requests. The query prefers the active pull request, then the most recently
    // concluded one.
    const [row] = await this.prisma.$queryRaw<{ number: number }[]>`/* pull-request-reader numberOf */
      SELECT e."number" FROM "Entry" e JOIN "PullRequest" p ON p."id" = e."pullRequestId"
      WHERE e."queueId" = ${queue.id}::uuid AND p."repositoryId" = ${queue.repository.id}::uuid
        AND p."headBranch" = ${branch}
      ORDER BY e."concludedAt" DESC NULLS FIRST, e."submittedAt" DESC, e."number" DESC LIMIT 1`;
    if (!row) throw neverSubmitted(`A pull request of the branch ${branch}`);
    return row.number;
  }
}

function neverSubmitted(what: string): DomainError {
  return new DomainError('PR_NOT_FOUND', `${what} was never submitted to this queue.`);
}
