import { setTimeout as after } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Config } from '../../platform/config/config';
import { PrismaService } from '../../platform/database/prisma.service';
import { newId } from '../../platform/ids';
import { backoff } from '../../platform/lifecycle/backoff';
import { BackgroundJob } from '../../platform/lifecycle/background-job';
import { Lifecycle } from '../../platform/lifecycle/lifecycle';
import { serviceVersion } from '../../platform/service-version';
import type { Piece } from './read-lines';
import type { Span } from './span';
import type { SpanSender } from './span-sender';
import { storedSpans } from './stored-spans';
import { Traces } from './traces';
import { workSpans } from './work-spans';

const EVERY_MS = 1_000;
const WORK_AT_ONCE = 200;
/** The maximum numbers of lines of each queue, and of queues, in one message to the collector. */
const LINES_AT_ONCE = 200;
const QUEUES_AT_ONCE = 10;
const ROUNDS_AT_MOST = 50;
/** Another process takes over a dead process's queues after at most this time. */
const LEASE_SECONDS = 60;
/** Spans older than this are not sent any more. */
const TOLD_FOR_MS = 24 * 3_600_000;
/** A process that stops waits at most this long for the collector. */
const LAST_WORDS_MS = 2_000;

/**
 * Sends spans about pull requests to a collector, outside every transaction. Spans from the log of a queue are sent at
 * least once, with the same ids. Spans that only this process knows are lost if it dies. No other work waits for the
 * sending.
 */
@Injectable()
export class TraceWriter implements OnApplicationBootstrap {
  private readonly logger = new Logger('Traces');
  private readonly id = newId();
  private sender?: SpanSender;
  private inProgress?: Promise<void>;
  /** The number of consecutive failures of the collector, and the time of the next attempt. */
  private failures = 0;
  private notBefore = 0;

  constructor(
    private readonly config: Config,
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
    private readonly lifecycle: Lifecycle,
    private readonly traces: Traces,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.traces.isOn) return;
    this.lifecycle.onDrain('traces', async () => {
      const end = new AbortController();
      const late = after(LAST_WORDS_MS, undefined, { signal: end.signal }).catch(() => undefined);
      await Promise.race([this.write().catch(() => undefined), late]);
      end.abort();
    });
  }

  @BackgroundJob({ name: 'traces', everyMs: EVERY_MS })
  write(): Promise<void> {
    if (!this.traces.isOn) return Promise.resolve();
    this.inProgress ??= this.writeAll().finally(() => (this.inProgress = undefined));
    return this.inProgress;
  }

  private async writeAll(): Promise<void> {
    if (this.clock.now().getTime() < this.notBefore) return;
    for (let isTaken = true; isTaken;) {
      const work = this.traces.take(WORK_AT_ONCE);
      if (work.length === 0) break;
      try {
        isTaken = await this.tell(() => workSpans(this.prisma, work));
      } catch (error) {
        this.traces.putBack(work);
        throw error;
      }
      if (!isTaken) return this.traces.putBack(work);
    }
    await this.prisma.$executeRaw`/* trace-writer writeAll */
      INSERT INTO "TracedQueueLog" ("queueId", "nextSeq")
      SELECT q."id", 1 FROM "Queue" q
      WHERE NOT EXISTS (SELECT 1 FROM "TracedQueueLog" t WHERE t."queueId" = q."id") ON CONFLICT DO NOTHING`;
    for (let round = 1; round <= ROUNDS_AT_MOST; round++) if (!(await this.tellOfLogs())) return;
  }

  /** Sends new spans from logs. Returns false if there is nothing new, or the collector does not accept the spans. */
  private async tellOfLogs(): Promise<boolean> {
    const pieces = await this.claim();
    if (pieces.length === 0) return false;
    const since = new Date(this.clock.now().getTime() - TOLD_FOR_MS);
    const isTaken = await this.tell(() => storedSpans(this.prisma, pieces, since));
    await this.release(pieces, isTaken);
    return isTaken;
  }

  private claim(): Promise<Piece[]> {
    return this.prisma.$queryRaw<Piece[]>`/* trace-writer claim */
      WITH new AS MATERIALIZED (
        SELECT t."queueId", q."nextLog" FROM "TracedQueueLog" t JOIN "Queue" q ON q."id" = t."queueId"
        WHERE t."nextSeq" < q."nextLog" AND (t."leaseUntil" IS NULL OR t."leaseUntil" <= clock_timestamp())
        ORDER BY t."queueId" LIMIT ${QUEUES_AT_ONCE} FOR UPDATE OF t SKIP LOCKED)
      UPDATE "TracedQueueLog" t SET "leasedBy" = ${this.id},
        "leaseUntil" = clock_timestamp() + ${LEASE_SECONDS} * interval '1 second'
      FROM new WHERE t."queueId" = new."queueId"
      RETURNING t."queueId", t."nextSeq", least(new."nextLog", t."nextSeq" + ${LINES_AT_ONCE}) AS "end"`;
  }

  private async release(pieces: readonly Piece[], isTaken: boolean): Promise<void> {
    const ids = pieces.map(({ queueId }) => queueId);
    const next = pieces.map(({ nextSeq, end }) => (isTaken ? end : nextSeq));
    await this.prisma.$executeRaw`/* trace-writer release */
      UPDATE "TracedQueueLog" t SET "nextSeq" = told."next", "leasedBy" = NULL, "leaseUntil" = NULL
      FROM unnest(${ids}::uuid[], ${next}::bigint[]) AS told("queueId", "next")
      WHERE t."queueId" = told."queueId" AND t."leasedBy" = ${this.id}`;
  }

  /** Sends the spans. Returns false if the collector is unreachable, or cannot accept spans now. */
  private async tell(read: () => Promise<readonly Span[]>): Promise<boolean> {
    const spans = await read();
    if (spans.length === 0) return true;
    try {
      if ((await this.open().send(spans)) === 'refused') {
        this.traces.drop(spans.length);
        this.logger.warn(`The collector refused ${spans.length} spans: they are given up.`);
      }
    } catch (error) {
      this.waitForCollector(error);
      return false;
    }
    if (this.failures > 0) this.logger.log('The collector accepts traces again.');
    this.failures = 0;
    return true;
  }

  private waitForCollector(error: unknown): void {
    this.failures += 1;
    this.notBefore = this.clock.now().getTime() + backoff(this.failures);
    if (this.failures > 1) return;
    const why = error instanceof Error ? error.message : String(error);
    this.logger.warn(
      `The collector does not accept traces: ${why}. Sluice tries again, and nothing else waits for the collector.`,
    );
  }

  private open(): SpanSender {
    const { traces, brand } = this.config;
    if (traces === undefined) throw new Error('Traces are off.');
    // Loads the packages of OpenTelemetry only if traces are on.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const { createSender } = require('./otlp-sender') as typeof import('./otlp-sender');
    this.sender ??= createSender({ ...traces, brand, version: serviceVersion() });
    return this.sender;
  }
}
