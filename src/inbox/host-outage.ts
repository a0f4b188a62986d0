import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { PrismaService } from '../platform/database/prisma.service';
import { Wakeups } from '../platform/wakeups/wakeups';

/**
 * Records since when the poller gets no answer about a repository. During an outage no test run times out: its result may
 * be at the host already. The outbox cannot tell, because it sends the host nothing while tests run.
 */
@Injectable()
export class HostOutage {
  constructor(
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
    private readonly wakeups: Wakeups,
  ) {}

  async begin(repositoryId: string): Promise<void> {
    await this.prisma.repository.updateMany({
      where: { id: repositoryId, unreachableSince: null },
      data: { unreachableSince: this.clock.now() },
    });
  }

  /** Call this after the host's state was read: the queues check their time-outs at once. */
  async end(repositoryId: string): Promise<void> {
    const { count } = await this.prisma.repository.updateMany({
      where: { id: repositoryId, unreachableSince: { not: null } },
      data: { unreachableSince: null },
    });
    if (count === 0) return;
    const now = this.clock.now();
    await this.prisma.queue.updateMany({
      where: { repositoryId, deletedAt: null, OR: [{ wakeAt: null }, { wakeAt: { gt: now } }] },
      data: { wakeAt: now },
    });
    this.wakeups.wake('queues');
  }
}
