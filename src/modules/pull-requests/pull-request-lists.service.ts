import { Injectable } from '@nestjs/common';
import { Prisma } from '../../generated/prisma/client';
import type { Caller } from '../../platform/requests/caller';
import { PrismaService } from '../../platform/database/prisma.service';
import { DomainError } from '../../platform/errors/domain-error';
import { instantOf } from '../shared/instant';
import { QueueLocator } from '../shared/queue-locator';
import {
  type GetSubmittedPullRequestsRequest,
  type ListPullRequestsRequest,
  type ListedPullRequests,
  type SubmittedPullRequests,
  TAKEN,
} from './dto/pull-request-lists.dto';
import { PullRequestRecords } from './pull-request-records';
import type { LocatedQueue } from '../../domain/located-queue';

@Injectable()
export class PullRequestListsService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly locator: QueueLocator,
    private readonly records: PullRequestRecords,
  ) {}

  async several(caller: Caller, request: GetSubmittedPullRequestsRequest): Promise<SubmittedPullRequests> {
    const queue = await this.locator.queue(caller, request);
    const numbers = [...new Set(request.prs.map(({ number }) => number))];
    const pullRequests = await this.records.of(queue, numbers);
    if (request.includeTimeline) await this.records.addTimelines(pullRequests);
    const found = new Set(pullRequests.map(({ prNumber }) => prNumber));
    return { pullRequests, notFound: numbers.filter((number) => !found.has(number)) };
  }

  /**
   * The list is ordered by the number of the pull request, which never changes, so that no pull request is missed or
   * repeated between two pages.
   */
  async list(caller: Caller, request: ListPullRequestsRequest): Promise<ListedPullRequests> {
    const queue = await this.locator.queue(caller, request);
    const take = request.take ?? TAKEN;
    const rows = await this.prisma.$queryRaw<{ id: string; number: number }[]>`/* pull-request-lists.service list */
      SELECT e."id", e."number" FROM "Entry" e
      WHERE e."queueId" = ${queue.id}::uuid AND ${await this.after(queue, request.cursor)}
        AND ${inState(request)} AND ${concludedIn(request)}
      ORDER BY e."number" DESC LIMIT ${take + 1}`;
    const page = rows.slice(0, take);
    const pullRequests = await this.records.of(
      queue,
      page.map(({ number }) => number),
    );
    const last = page.at(-1);
    return { pullRequests, ...(last && rows.length > take && { nextCursor: last.id }) };
  }

  private async after({ id: queueId }: LocatedQueue, cursor: string | undefined): Promise<Prisma.Sql> {
    if (cursor === undefined) return Prisma.sql`true`;
    const entry = await this.prisma.entry.findFirst({ where: { id: cursor, queueId }, select: { number: true } });
    if (entry) return Prisma.sql`e."number" < ${entry.number}`;
    const message = 'must be the nextCursor of an earlier answer about this queue';
    throw new DomainError('VALIDATION_FAILED', `cursor: ${message}.`, [{ field: 'cursor', message }]);
  }
}

function inState({ state }: ListPullRequestsRequest): Prisma.Sql {
  return state === undefined ? Prisma.sql`true` : Prisma.sql`e."state" = ${state}`;
}

/** Searches the log: a pull request that failed and was submitted again still counts as failed at that time. */
function concludedIn({ since, until }: ListPullRequestsRequest): Prisma.Sql {
  if (since === undefined && until === undefined) return Prisma.sql`true`;
  const from = since === undefined ? Prisma.sql`true` : Prisma.sql`l."at" >= ${instantOf(since)}`;
  const to = until === undefined ? Prisma.sql`true` : Prisma.sql`l."at" <= ${instantOf(until)}`;
  return Prisma.sql`e."id" IN (
    SELECT l."entryId" FROM "QueueLog" l
    WHERE l."queueId" = e."queueId" AND l."toState" IN ('merged', 'failed', 'cancelled') AND ${from} AND ${to})`;
}
