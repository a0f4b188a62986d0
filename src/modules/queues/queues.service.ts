import { Injectable } from '@nestjs/common';
import type { Queue } from '../../generated/prisma/client';
import { sourceOf } from '../../platform/audit/audit-source';
import type { Caller } from '../../platform/requests/caller';
import { Config } from '../../platform/config/config';
import { Sql } from '../../platform/database/sql';
import { learnedFiguresOf } from '../../processing/decisions/learned-figures';
import { QueueProcessor } from '../../processing/decisions/queue-processor';
import type { QueueReference } from '../shared/queue-reference.dto';
import { requireAccepted } from '../shared/require-accepted';
import { QueueLocator, noSuchQueue } from '../shared/queue-locator';
import type { DeletedQueue, QueueRecord, QueueWithPullRequests } from './queue-record.dto';
import type { UpdateQueueRequest } from './queue-settings.dto';
import { readEnqueued } from './enqueued-pull-requests';
import { settingsPatch } from './queue-settings';
import { queueRecord } from './queue.record';
import type { LocatedQueue } from '../../domain/located-queue';

@Injectable()
export class QueuesService {
  constructor(
    private readonly sql: Sql,
    private readonly locator: QueueLocator,
    private readonly processor: QueueProcessor,
    private readonly config: Config,
  ) {}

  async read(caller: Caller, reference: QueueReference): Promise<QueueWithPullRequests> {
    const queue = await this.locator.queue(caller, reference);
    const [row, enqueuedPullRequests] = await Promise.all([this.rowOf(queue), readEnqueued(this.sql, queue)]);
    const learned = await learnedFiguresOf(this.sql, row);
    return { ...queueRecord(row, this.config.brand), enqueuedPullRequests, ...(learned && { learned }) };
  }

  /** Applies the whole update, or no part of it if the queue refuses it. */
  async update(caller: Caller, request: UpdateQueueRequest): Promise<QueueRecord> {
    const queue = await this.locator.queue(caller, request);
    const { state, mode } = request;
    const event = {
      type: 'settingsChanged',
      settings: settingsPatch(request),
      state,
      mode,
      actor: caller.tokenName,
    } as const;
    requireAccepted(await this.processor.processEvent(queue.id, { event, by: sourceOf(caller) }), queue.branch);
    // After the change, further earlier reports may count, or some may no longer count.
    if (request.statusReporters !== undefined)
      await this.processor.processEvent(queue.id, { event: { type: 'clockTicked' } });
    return queueRecord(await this.rowOf(queue), this.config.brand);
  }

  async delete(caller: Caller, reference: QueueReference): Promise<DeletedQueue> {
    const queue = await this.locator.queue(caller, reference);
    // The queue counts its active entries under its lock, so that it also counts pull requests submitted during this
    // request.
    const event = { type: 'deletionRequested', activeEntries: 0 } as const;
    requireAccepted(await this.processor.processEvent(queue.id, { event, by: sourceOf(caller) }), queue.branch);
    return {};
  }

  private async rowOf({ id, branch }: LocatedQueue): Promise<Queue> {
    const [row] = await this.sql.rows<Queue>`/* queues.service rowOf */ SELECT * FROM "Queue" WHERE "id" = ${id}::uuid`;
    if (!row) throw noSuchQueue(branch);
    return row;
  }
}
