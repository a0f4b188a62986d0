import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { PrismaService } from '../platform/database/prisma.service';
import { Wakeups } from '../platform/wakeups/wakeups';

/**
 * Since when slow looks at a repository get no answer. While something is only tested no order asks the host anything, and
 * what it knows of the tests may not have been told either: nothing times out meanwhile.
 */
@Injectable()
export class HostOutage {
  constructor(
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
    private readonly wakeups: Wakeups,
  ) {}

  async note(repositoryId: string): Promise<void> {
    await this.prisma.repository.updateMany({
      where: { id: repositoryId, unreachableSince: null },
      data: { unreachableSince: this.clock.now() },
    });
  }

  /** To be called when what the host knows was taken in: time-outs are judged at once. */
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
