import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common';
import type { Entry, Queue, Repository } from '../../../src/generated/prisma/client';
import { RequireCapability } from '../../../src/platform/auth/access.decorators';
import { PrismaService } from '../../../src/platform/database/prisma.service';
import {
  ACTIVE,
  enqueued,
  pullRequestAnswer,
  type Question,
  queueAnswer,
  requireAtRest,
  waitsForStatus,
  waitsForTurn,
} from './answers';

const WAITING = { state: 'pending', place: null, search: null, standing: null };

/**
 * A straightforward implementation. Only the guards are ours. The program uses plain findMany calls over the rows that
 * our routes read, and answers the same bytes.
 */
@Controller('bare')
@RequireCapability('read')
class BareController {
  constructor(private readonly prisma: PrismaService) {}

  @Post('getQueue')
  @HttpCode(200)
  async getQueue(@Body() { repo, targetBranch }: Question): Promise<object> {
    const { queue } = await this.find(repo, targetBranch);
    const rows = await this.prisma.entry.findMany({
      where: { queueId: queue.id, state: { in: ACTIVE } },
      include: { pullRequest: true },
      orderBy: [
        { place: { sort: 'asc', nulls: 'last' } },
        { pendingRank: 'asc' },
        { returnedOrder: 'asc' },
        { priority: 'asc' },
        { submittedOrder: 'asc' },
      ],
    });
    return queueAnswer(
      queue,
      rows.map((row) => enqueued(row, row.pullRequest, queue)),
    );
  }

  @Post('getSubmittedPullRequest')
  @HttpCode(200)
  async getSubmittedPullRequest(@Body() { repo, targetBranch, pr }: Question): Promise<object> {
    const { repository, queue } = await this.find(repo, targetBranch);
    const [queueId, repositoryId] = [queue.id, repository.id];
    const include = { pullRequest: true };
    const [entries, runs, line, , notReady, unanswered] = await Promise.all([
      this.prisma.entry.findMany({ where: { queueId, number: pr.number }, include }),
      this.prisma.testRun.findMany({ where: { queueId, live: true }, include: { members: true } }),
      this.prisma.entry.findMany({ where: { queueId, place: { not: null } }, include }),
      this.prisma.entry.findMany({
        where: { queueId, ...WAITING },
        orderBy: [{ pendingRank: 'asc' }, { returnedOrder: 'asc' }, { priority: 'asc' }, { submittedOrder: 'asc' }],
        take: 2,
        include,
      }),
      this.prisma.entry.findMany({
        where: { queueId, state: 'not_ready' },
        orderBy: { notReadySince: 'asc' },
        take: 1,
      }),
      this.prisma.outboxTask.findMany({ where: { queueId, settledAt: null, firstFailedAt: { not: null } }, take: 1 }),
    ]);
    const entry = entries[0]!;
    const { number, head: sha } = entry;
    const run = runs.find(({ members }) => members.some((member) => member.entryId === entry.id));
    const [uploaded, computed, reports, outcomes, ahead] = await Promise.all([
      this.prisma.impactedTargets.findMany({ where: { repositoryId, number, sha } }),
      this.prisma.computedTargets.findMany({ where: { queueId, number, sha } }),
      this.prisma.commitStatus.findMany({
        where: { repositoryId, sha: { in: runs.flatMap((live) => live.commit ?? []) } },
      }),
      this.prisma.forecastOutcome.findMany({ where: { queueId } }),
      this.countAhead(entry),
    ]);
    requireAtRest(notReady, unanswered, uploaded, computed, reports, outcomes);
    const waitingFor = run ? waitsForStatus(run) : waitsForTurn(line.length + ahead);
    return pullRequestAnswer(entry, entry.pullRequest, { queue, waitingFor, hasImpactedTargets: uploaded.length > 0 });
  }

  private async find(repo: Question['repo'], liveBranch: string): Promise<{ repository: Repository; queue: Queue }> {
    const [repository] = await this.prisma.repository.findMany({ where: { ...repo } });
    const [queue] = await this.prisma.queue.findMany({ where: { repositoryId: repository!.id, liveBranch } });
    return { repository: repository!, queue: queue! };
  }

  private countAhead({ queueId, submittedOrder, place }: Entry): Promise<number> | number {
    if (place !== null) return 0;
    return this.prisma.entry.count({
      where: { queueId, ...WAITING, submittedOrder: { lt: submittedOrder } },
    });
  }
}

@Module({ controllers: [BareController] })
export class BareModule {}
