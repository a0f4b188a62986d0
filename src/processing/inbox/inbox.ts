import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { HostInbox, type HostEvent, type InboxEvent } from '../../domain/code-host.port';
import { Prisma } from '../../generated/prisma/client';
import { Clock } from '../../platform/clock/clock';
import { DatabaseOutage } from '../../platform/database/database-outage';
import { Sql } from '../../platform/database/sql';
import { storable } from '../../platform/database/storable';
import { runForNoRequest } from '../../platform/requests/current-work';
import { Background } from '../../platform/lifecycle/background';
import { BackgroundJob } from '../../platform/lifecycle/background-job';
import { CrashPoints } from '../../platform/lifecycle/crash-points';
import { DurableWorkers } from '../../platform/workers/durable-worker';
import { headToldSaved } from '../decisions/pull-request-heads';
import { DeliveryPool } from './delivery-pool';
import { type Delivery, InboxStore } from './inbox.store';
import { InboxWorker } from './inbox.worker';
import { newestStatusSaved } from './newest-status';
import { type StatusConcerns, statusConcerns } from './status-concerns';

const WIDTH = 4;
/**
 * If a process dies while it processes a report without a claim, the report is read again after this time. Processing a
 * report takes a few milliseconds, because no request to the host is needed.
 */
const PREFETCH_LEASE_MS = 5_000;

/** The types of events, by kind. Each kind has workers of its own. */
const KINDS: readonly (readonly InboxEvent['type'][])[] = [
  ['status_reported', 'results_uploaded'],
  ['pull_request_changed', 'branch_changed', 'statuses_unclear'],
  ['comment_made', 'comment_edited', 'label_set', 'pull_request_opened'],
];

/**
 * The durable inbox: a host event is stored before the host is answered, then turned into queue events at least once.
 * Statuses and uploads have a pool of their own: they need no request to the host, so they never wait for a request
 * that hangs.
 */
@Injectable()
export class Inbox extends HostInbox implements OnApplicationBootstrap {
  private readonly logger = new Logger(Inbox.name);
  private readonly pools = KINDS.map((types) => this.poolFor(types));

  constructor(
    private readonly sql: Sql,
    private readonly deliveries: InboxStore,
    private readonly worker: InboxWorker,
    private readonly clock: Clock,
    private readonly outage: DatabaseOutage,
    private readonly workers: DurableWorkers,
    private readonly background: Background,
    private readonly crashPoints: CrashPoints,
  ) {
    super();
  }

  onApplicationBootstrap(): void {
    this.workers.start('inbox', { topic: 'inbox', wake: () => this.wakeWorkers(), pools: this.pools });
  }

  @BackgroundJob({ name: 'host events of the inbox', everyMs: 1_000 })
  wakeWorkers(): void {
    if (this.background.isOn) for (const pool of this.pools) pool.wake();
  }

  /** Processes every delivery that is due now. */
  async drain(): Promise<void> {
    await Promise.all(this.pools.map((pool) => pool.idle()));
  }

  async append(host: string, deliveryId: string, delivered: HostEvent): Promise<'stored' | 'known'> {
    const event = storable(delivered);
    const repositoryId = repositoryOf(event);
    const pool = this.poolOf(event.type);
    const prefetched = this.background.isOn && event.type === 'status_reported' ? pool.prefetch(repositoryId) : null;
    try {
      const attempts = prefetched === null ? 0 : 1;
      const stored = await this.store(host, deliveryId, event, { attempts, putOffMs: attempts * PREFETCH_LEASE_MS });
      if (stored === null) return 'known';
      if (event.type === 'status_reported') this.crashPoints.reach('status stored');
      if (this.background.isOn) {
        const delivery = { ...stored, attempts, event };
        runForNoRequest(() => (prefetched ? prefetched.process(delivery) : pool.wake(repositoryId)));
      }
      return 'stored';
    } finally {
      prefetched?.end();
    }
  }

  /**
   * Stores a delivery; null if it is known already. For a status that is processed at once, the same statement reads
   * the queues that the status concerns.
   */
  private async store(
    host: string,
    deliveryId: string,
    event: HostEvent,
    { attempts, putOffMs }: { readonly attempts: number; readonly putOffMs: number },
  ): Promise<Pick<Delivery, 'id' | 'concerns'> | null> {
    const now = this.clock.now();
    const notBefore = new Date(now.getTime() + putOffMs);
    const further = furtherRow(event, now);
    const isTold = attempts > 0 && event.type === 'status_reported';
    const told = isTold ? Prisma.sql`, ${statusConcerns([event.report])}` : Prisma.empty;
    const [stored] = await this.sql.rows<{ id: bigint | null } & StatusConcerns>`/* inbox store */
      WITH delivery AS (
        INSERT INTO "InboxDelivery" ("host", "deliveryId", "repositoryId", "type", "payload", "receivedAt", "notBefore", "attempts")
        VALUES (${host}, ${deliveryId}, ${repositoryOf(event)}::uuid, ${event.type}, ${JSON.stringify(event)}::jsonb, ${now},
          ${notBefore}, ${attempts})
        ON CONFLICT ("host", "deliveryId") DO NOTHING
        RETURNING "id")
      ${further === null ? Prisma.empty : Prisma.sql`, further AS (${further})`}
      SELECT (SELECT "id" FROM delivery) AS "id" ${told}`;
    const { id, ...concerns } = stored!;
    return id === null ? null : { id, ...(isTold && { concerns }) };
  }

  private poolOf(type: InboxEvent['type']): DeliveryPool {
    return this.pools[KINDS.findIndex((types) => types.includes(type))]!;
  }

  private poolFor(types: readonly InboxEvent['type'][]): DeliveryPool {
    return new DeliveryPool({
      width: WIDTH,
      claim: (repositories, except) => this.deliveries.claim({ types, repositories, except, now: this.clock.now() }),
      process: (chunk) => this.worker.process(chunk),
      report: (message, error) => this.outage.report(this.logger, message, error),
    });
  }
}

const DELIVERY = Prisma.sql`delivery`;

function repositoryOf(event: HostEvent): string {
  return event.type === 'status_reported' ? event.report.repositoryId : event.repositoryId;
}

/**
 * The statement that stores a row in another table for a new delivery, which it reads from `delivery`; null if no row
 * is needed.
 */
function furtherRow(event: HostEvent, now: Date): Prisma.Sql | null {
  if (event.type === 'status_reported') return newestStatusSaved(event, now, DELIVERY);
  return event.type === 'pull_request_changed' && event.head ? headToldSaved(event, event.head) : null;
}
