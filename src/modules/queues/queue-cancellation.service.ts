import { Injectable } from '@nestjs/common';
import { sourceOf } from '../../platform/audit/audit-source';
import type { Caller } from '../../platform/requests/caller';
import { PrismaService } from '../../platform/database/prisma.service';
import { statementsIn } from '../../platform/database/statements';
import { QueueProcessor } from '../../processing/decisions/queue-processor';
import type { QueueReference } from '../shared/queue-reference.dto';
import { QueueLocator } from '../shared/queue-locator';
import { requireAccepted } from '../shared/require-accepted';
import type { CancelledPullRequests } from './dto/cancelled-pull-requests.dto';
import { readEnqueued } from './enqueued-pull-requests';
import type { LocatedQueue } from '../../domain/located-queue';

/**
 * Entries per decision: a decision about this many locks the queue only briefly, so that other decisions can happen in
 * between.
 */
const AT_ONCE = 100;

type Refused = CancelledPullRequests['refused'][number];

@Injectable()
export class QueueCancellationService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly locator: QueueLocator,
    private readonly processor: QueueProcessor,
  ) {}

  /**
   * Cancels from the end of the queue to its beginning, so that no test run starts or is rebuilt for entries that are
   * cancelled next.
   */
  async cancelAll(caller: Caller, reference: QueueReference): Promise<CancelledPullRequests> {
    const queue = await this.locator.queue(caller, reference);
    const inOrder = (await readEnqueued(statementsIn(this.prisma), queue)).map(({ prNumber }) => prNumber);
    const refused = new Map<number, Refused>();
    for (let end = inOrder.length; end > 0; end -= AT_ONCE) {
      const numbers = inOrder.slice(Math.max(0, end - AT_ONCE), end).toReversed();
      const event = { type: 'allCancelRequested', numbers, actor: caller.tokenName } as const;
      requireAccepted(await this.processor.processEvent(queue.id, { event, by: sourceOf(caller) }), queue.branch);
      for (const one of await this.refusalsAmong(caller, queue, numbers)) refused.set(one.prNumber, one);
    }
    const isRefused = (number: number): boolean => refused.has(number);
    return {
      cancelled: inOrder.filter((number) => !isRefused(number)),
      refused: inOrder.flatMap((number) => refused.get(number) ?? []),
    };
  }

  /**
   * Cancels the refused entries again one by one, to report the reason for each entry. A merge that was in progress may
   * have been refused meanwhile, so the entry can be cancelled now.
   */
  private async refusalsAmong(
    caller: Caller,
    queue: LocatedQueue,
    numbers: readonly number[],
  ): Promise<readonly Refused[]> {
    const left = await this.prisma.entry.findMany({
      where: { queueId: queue.id, number: { in: [...numbers] }, state: { not: 'cancelled' } },
      select: { number: true },
    });
    const refused: Refused[] = [];
    for (const { number } of left) {
      const event = { type: 'cancelRequested', number, via: 'api', actor: caller.tokenName } as const;
      const result = await this.processor.processEvent(queue.id, { event });
      if (result.type === 'refused') refused.push({ prNumber: number, ...result.refusal });
      else requireAccepted(result, queue.branch);
    }
    return refused;
  }
}
