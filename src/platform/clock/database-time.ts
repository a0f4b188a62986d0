import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { PrismaService } from '../database/prisma.service';
import { BackgroundJob } from '../lifecycle/background-job';
import { Clock } from './clock';

const EVERY_MS = 5_000;
/** Instants of PostgreSQL come in whole milliseconds. */
const ROUNDED_MS = 1;
/** More than clocks that are kept in step differ by. */
const WORTH_SAYING_MS = 2_000;

/**
 * The time of the database, from its last answer on by a clock of this process that nobody sets. So processes on machines whose
 * clocks differ agree on which lease has run out; they differ by the time that a statement takes, at most.
 */
@Injectable()
export class DatabaseTime implements OnModuleInit {
  private readonly logger = new Logger('Clock');
  /** The time of the database when `performance.now()` was 0; absent until it was asked. */
  private startMs?: number;
  private uncertaintyMs = Infinity;
  private isDifferenceSaid = false;

  constructor(private readonly prisma: PrismaService) {}

  now(): Date {
    return this.startMs === undefined ? new Date() : new Date(this.startMs + performance.now());
  }

  /** Before anything is claimed. The first statement waits for a connection, so it is another one. */
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
    // A slow answer says little. What it does not contradict stays, so that time does not waver.
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
