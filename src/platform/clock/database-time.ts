import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { PrismaService } from '../database/prisma.service';
import { BackgroundJob } from '../lifecycle/background-job';
import { Clock } from './clock';

const EVERY_MS = 5_000;
/** PostgreSQL times are rounded to whole milliseconds. */
const ROUNDED_MS = 1;
/** Synchronized clocks differ by less than this. */
const WORTH_SAYING_MS = 2_000;

/**
 * The time of the database: its last answer, continued by the monotonic clock of this process. So processes on machines
 * with different clocks agree on expired leases. The times of two processes differ by at most the duration of a
 * statement.
 */
@Injectable()
export class DatabaseTime implements OnModuleInit {
  private readonly logger = new Logger('Clock');
  /** The time of the database when `performance.now()` was 0; absent: not queried yet. */
  private startMs?: number;
  private uncertaintyMs = Infinity;
  private isDifferenceSaid = false;

  constructor(private readonly prisma: PrismaService) {}

  now(): Date {
    return this.startMs === undefined ? new Date() : new Date(this.startMs + performance.now());
  }

  /**
   * The first query runs before workers claim any work. The first statement also waits for a connection, so its
   * duration does not count.
   */
  async onModuleInit(): Promise<void> {
    await this.prisma.$queryRaw`/* database-time onModuleInit */ SELECT 1`;
    await this.follow();
  }

  @BackgroundJob({ name: 'time of the database', everyMs: EVERY_MS })
  async follow(): Promise<void> {
    const askedAt = performance.now();
    const [row] = await this.prisma.$queryRaw<
      { at: Date }[]
    >`/* database-time follow */ SELECT clock_timestamp() AS "at"`;
    const answeredAt = performance.now();
    const startMs = row!.at.getTime() - (askedAt + answeredAt) / 2;
    const uncertaintyMs = (answeredAt - askedAt) / 2 + ROUNDED_MS;
    // A slow answer is imprecise. The known time stays unless a slow answer contradicts it, so that time does not
    // jitter.
    const isBetter = uncertaintyMs < this.uncertaintyMs;
    if (this.startMs === undefined || isBetter || Math.abs(startMs - this.startMs) > uncertaintyMs) {
      this.startMs = startMs;
      this.uncertaintyMs = uncertaintyMs;
    }
    this.compareWithMachine();
  }

  private compareWithMachine(): void {
    const aheadMs = Date.now() - this.now().getTime();
    const isWorthSaying = Math.abs(aheadMs) > WORTH_SAYING_MS;
    if (isWorthSaying && !this.isDifferenceSaid) {
      const seconds = Math.round(Math.abs(aheadMs) / 1_000);
      const how = aheadMs > 0 ? 'ahead of' : 'behind';
      this.logger.warn(`The clock of this machine is ${seconds} s ${how} the database clock, which the service uses.`);
    }
    this.isDifferenceSaid = isWorthSaying;
  }
}

@Injectable()
export class DatabaseClock extends Clock {
  constructor(private readonly time: DatabaseTime) {
    super();
  }

  now(): Date {
    return this.time.now();
  }
}
