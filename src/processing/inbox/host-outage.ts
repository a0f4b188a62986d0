import { Injectable } from '@nestjs/common';
import type { HostUnavailable } from '../../domain/code-host.port';
import { Clock } from '../../platform/clock/clock';
import { PrismaService } from '../../platform/database/prisma.service';
import { Wakeups } from '../../platform/wakeups/wakeups';

/**
 * Records since when the poller gets no answer about a repository. During an outage no test run times out, because its
 * result may already be at the host. The outbox alone cannot detect an outage, because it sends nothing to the host
 * while tests run.
 */
@Injectable()
export class HostOutage {
  constructor(
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
    private readonly wakeups: Wakeups,
  ) {}

  async begin(repositoryId: string, { refusal }: HostUnavailable): Promise<void> {
    await this.prisma.$executeRaw`/* host-outage begin */
      UPDATE "Repository" SET "unreachableSince" = COALESCE("unreachableSince", ${this.clock.now()}), "refusal" = ${refusal}
      WHERE "id" = ${repositoryId}::uuid AND ("unreachableSince" IS NULL OR "refusal" IS DISTINCT FROM ${refusal})`;
  }

  /**
   * Ends an outage after the host's state was read at `readFrom` or later: the queues check their time-outs at once. If
   * the service started after `readFrom`, another read is required.
   */
  async end(repositoryId: string, readFrom: Date): Promise<void> {
    const count = await this.prisma.$executeRaw`/* host-outage end */
      UPDATE "Repository" SET "unreachableSince" = NULL, "refusal" = NULL,
        "unreadSince" = CASE WHEN "unreadSince" > ${readFrom} THEN "unreadSince" END
      WHERE "id" = ${repositoryId}::uuid AND ("unreachableSince" IS NOT NULL OR "unreadSince" <= ${readFrom})`;
    if (count === 0) return;
    const now = this.clock.now();
    await this.prisma.queue.updateMany({
      where: { repositoryId, deletedAt: null, OR: [{ wakeAt: null }, { wakeAt: { gt: now } }] },
      data: { wakeAt: now },
    });
    this.wakeups.wake('queues');
  }
}
