import { Injectable } from '@nestjs/common';
import { commentOn, submitPromptFor } from '../engine/messages/comment/comment';
import { commentMarker } from '../engine/messages/comment-markers';
import { statusCheckOn } from '../engine/messages/status-check';
import { PullRequestViewRenderer, type PullRequestView } from '../outbox/pull-request-view';
import { Config } from '../platform/config/config';
import { ViewFactsReader } from './view-facts-reader';
import { DomainError } from '../platform/errors/domain-error';
import type { QueueView } from './queue-input';
import { QueueProcessor } from './queue-processor';

/** Draws what a pull request's facts is to show, from the queue as it is now. */
@Injectable()
export class QueuePullRequestViewRenderer extends PullRequestViewRenderer {
  constructor(
    private readonly processor: QueueProcessor,
    private readonly facts: ViewFactsReader,
    private readonly config: Config,
  ) {
    super();
  }

  async of(queueId: string, number: number): Promise<PullRequestView | null> {
    const view = await this.lookAt(queueId, number);
    if (!view) return null;
    const { snapshot: queue, asked } = view;
    const { brand } = this.config;
    const { commentsEnabled, statusCheckEnabled } = queue.settings;
    const marker = commentMarker(brand);
    const speaks = commentsEnabled && !(await this.facts.isElsewhere(queue.id, number));
    const entry = queue.entries.find((other) => other.number === number);
    if (!entry) return { comment: speaks ? { marker, body: submitPromptFor(queue, brand) } : null, status: null };
    const ahead = asked.find(({ entryId }) => entryId === entry.id)?.ahead ?? 0;
    const facts = { brand, queue, entry, ahead, ...(await this.facts.historyOf(queue, entry)) };
    return {
      comment: speaks ? { marker, body: commentOn(facts) } : null,
      status: statusCheckEnabled
        ? { commit: entry.head, shown: { ...statusCheckOn(facts), url: this.publicUrl() } }
        : null,
    };
  }

  private async lookAt(queueId: string, number: number): Promise<QueueView | null> {
    try {
      return await this.processor.view(queueId, { numbers: [number] });
    } catch (error) {
      if (error instanceof DomainError && error.code === 'MERGE_QUEUE_NOT_FOUND') return null;
      throw error;
    }
  }

  /** An address on the service's own machine helps nobody who looks from another one. */
  private publicUrl(): string | null {
    const { hostname } = new URL(this.config.publicUrl);
    return hostname === 'localhost' ? null : this.config.publicUrl;
  }
}
