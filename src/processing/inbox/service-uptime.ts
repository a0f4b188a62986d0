import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { PrismaService, type Tx } from '../../platform/database/prisma.service';
import { Background } from '../../platform/lifecycle/background';
import { BackgroundJob } from '../../platform/lifecycle/background-job';
import { BEAT_EVERY_MS, DOWN_AFTER_MS } from '../../platform/lifecycle/heartbeat';

/**
 * Records the times in which no process of the service ran, because these times do not count as test time. After a
 * start of the service, the statuses of commits under test are read before any run times out, because their webhooks
 * may have reached no process.
 */
@Injectable()
export class ServiceUptime implements OnApplicationBootstrap {
  constructor(
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
    private readonly background: Background,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.background.isOn) await this.begin();
  }

  /** Records the first beat of a process. */
  begin(): Promise<void> {
    return this.prisma.$transaction(async (tx) => {
      const now = this.clock.now();
      await this.recordBeat(tx, now);
      await markUnread(tx, now);
    });
  }

  @BackgroundJob({ name: 'heartbeat of the service', everyMs: BEAT_EVERY_MS })
  beat(): Promise<void> {
    return this.prisma.$transaction(async (tx) => {
      const now = this.clock.now();
      // A downtime may also be found here, because the process may have been frozen together with its machine.
      if ((await this.recordBeat(tx, now)) === 'was down') await markUnread(tx, now);
    });
  }

  /**
   * Records that the service runs. Because of the row lock, only one process records a downtime that several processes
   * find at once.
   */
  private async recordBeat(tx: Tx, now: Date): Promise<'was down' | 'was up'> {
    await tx.$executeRaw`/* service-uptime recordBeat */ INSERT INTO "ServiceHeartbeat" ("id", "at") VALUES (1, ${now}) ON CONFLICT DO NOTHING`;
    const [last] = await tx.$queryRaw<
      { at: Date }[]
    >`/* service-uptime recordBeat 2 */ SELECT "at" FROM "ServiceHeartbeat" WHERE "id" = 1 FOR UPDATE`;
    if (last!.at >= now) return 'was up';
    await tx.$executeRaw`/* service-uptime recordBeat 3 */ UPDATE "ServiceHeartbeat" SET "at" = ${now} WHERE "id" = 1`;
    if (now.getTime() - last!.at.getTime() <= DOWN_AFTER_MS) return 'was up';
    await tx.serviceDowntime.create({ data: { from: last!.at, to: now } });
    return 'was down';
  }
}

async function markUnread(tx: Tx, now: Date): Promise<void> {
  await tx.$executeRaw`/* service-uptime markUnread */
    UPDATE "Repository" SET "unreadSince" = ${now}
    WHERE "id" IN (
      SELECT q."repositoryId" FROM "Queue" q JOIN "TestRun" t ON t."queueId" = q."id"
      WHERE q."deletedAt" IS NULL AND t."live")`;
}
