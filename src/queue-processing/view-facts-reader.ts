import { Injectable } from '@nestjs/common';
import type { Entry, QueueSnapshot, RunFailure } from '../engine/model';
import type { FailedRun, NamedStatus, PullRequestViewFacts } from '../engine/pull-request-view-facts';
import { PrismaService } from '../platform/database/prisma.service';
import { runIdOf } from './store/write-rows';

type History = Pick<PullRequestViewFacts, 'failedRun' | 'landedAs' | 'details'>;

const NO_HISTORY: History = { failedRun: null, landedAs: null, details: null };

/** Reads what a pull request view shows beyond the snapshot: which tests failed and why, and where the change landed. */
@Injectable()
export class ViewFactsReader {
  constructor(private readonly prisma: PrismaService) {}

  async historyOf(queue: QueueSnapshot, entry: Entry): Promise<History> {
    switch (entry.state) {
      case 'pending_failure':
        return { ...NO_HISTORY, failedRun: await this.failedRunOf(queue, entry) };
      case 'failed':
        return {
          ...NO_HISTORY,
          failedRun: await this.failedRunOf(queue, entry),
          details: await this.detailsOf(queue, entry),
        };
      case 'merged':
        return { ...NO_HISTORY, landedAs: await this.landedAs(entry) };
      default:
        return NO_HISTORY;
    }
  }

  /**
   * Whether the pull request was submitted to another queue later, or its base was changed to that queue's branch later.
   * Then that queue writes the comment.
   */
  async isClaimedByOtherQueue(queueId: string, number: number): Promise<boolean> {
    const [row] = await this.prisma.$queryRaw<{ elsewhere: boolean }[]>`
      WITH claims AS (
        SELECT q."id" AS "queueId", greatest(e."submittedAt", to_timestamp((o."payload"->>'openedAt')::float8 / 1000)) AS "at"
        FROM "Queue" own JOIN "Queue" q ON q."repositoryId" = own."repositoryId" AND q."deletedAt" IS NULL
          LEFT JOIN "Entry" e ON e."queueId" = q."id" AND e."number" = ${number}
          -- The key of the task, as append-tasks.ts makes it.
          LEFT JOIN "OutboxOrder" o ON o."key" = q."id" || '/updatePullRequestView/' || ${number}::text
        WHERE own."id" = ${queueId}::uuid
      )
      SELECT EXISTS (
        SELECT 1 FROM claims own JOIN claims other ON other."queueId" <> own."queueId" AND other."at" > coalesce(own."at", '-infinity')
        WHERE own."queueId" = ${queueId}::uuid) AS "elsewhere"`;
    return row!.elsewhere;
  }

  private async failedRunOf({ id: queueId }: QueueSnapshot, { stateRun }: Entry): Promise<FailedRun | null> {
    if (stateRun === null) return null;
    const run = await this.prisma.testRun.findUnique({
      where: { id: runIdOf(queueId, stateRun) },
      include: { members: { orderBy: { position: 'asc' } }, queue: { select: { repositoryId: true } } },
    });
    const failure = run?.failure as unknown as RunFailure | null;
    if (!run || failure === null) return null;
    const builtOn = run.builtOn as unknown as readonly { readonly number: number }[];
    return {
      commit: run.reused ? null : run.commit,
      failure,
      timeoutMinutes: Number(run.timeoutMinutes),
      own: run.members.map(({ number }) => number),
      builtOn: builtOn.map(({ number }) => number),
      statuses: run.commit === null ? [] : await this.statusesOf(run.queue.repositoryId, run.commit),
    };
  }

  private statusesOf(repositoryId: string, sha: string): Promise<NamedStatus[]> {
    return this.prisma.commitStatus.findMany({
      where: { repositoryId, sha },
      orderBy: [{ name: 'asc' }, { kind: 'asc' }],
      select: { name: true, state: true, url: true, description: true },
    });
  }

  private async landedAs({ id: entryId }: Entry): Promise<string | null> {
    const landed = await this.prisma.landedChange.findFirst({
      where: { entryId },
      orderBy: { landedAt: 'desc' },
      select: { commit: true },
    });
    return landed?.commit ?? null;
  }

  private async detailsOf({ id: queueId }: QueueSnapshot, { id: entryId, state }: Entry): Promise<string | null> {
    const line = await this.prisma.queueLog.findFirst({
      where: { queueId, entryId, toState: state },
      orderBy: { seq: 'desc' },
      select: { change: true },
    });
    return (line?.change as { details?: string | null } | undefined)?.details ?? null;
  }
}
