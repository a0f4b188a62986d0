import { Injectable } from '@nestjs/common';
import { commentOn } from '../engine/announcements/page/comment';
import { invitationTo } from '../engine/announcements/page/invitation';
import { commentMarker } from '../engine/announcements/page/marker';
import { statusCheckOn } from '../engine/announcements/page/status-check';
import { PagePictures, type PagePicture } from '../outbox/page-pictures';
import { Config } from '../platform/config/config';
import { PageFactsReader } from './page-facts-reader';
import { DomainError } from '../platform/errors/domain-error';
import type { QueueView } from './incoming';
import { QueueProcessor } from './queue-processor';

/** Draws what a pull request's page is to show, from the queue as it is now. */
@Injectable()
export class QueuePagePictures extends PagePictures {
  constructor(
    private readonly processor: QueueProcessor,
    private readonly facts: PageFactsReader,
    private readonly config: Config,
  ) {
    super();
  }

  async of(queueId: string, number: number): Promise<PagePicture | null> {
    const view = await this.lookAt(queueId, number);
    if (!view) return null;
    const { snapshot: queue, asked } = view;
    const { brand } = this.config;
    const { commentsEnabled, statusCheckEnabled } = queue.settings;
    const marker = commentMarker(brand);
    const speaks = commentsEnabled && !(await this.facts.isElsewhere(queue.id, number));
    const entry = queue.entries.find((other) => other.number === number);
    if (!entry) return { comment: speaks ? { marker, body: invitationTo(queue, brand) } : null, status: null };
    const ahead = asked.find(({ entryId }) => entryId === entry.id)?.ahead ?? 0;
    const page = { brand, queue, entry, ahead, ...(await this.facts.historyOf(queue, entry)) };
    return {
      comment: speaks ? { marker, body: commentOn(page) } : null,
      status: statusCheckEnabled
        ? { commit: entry.head, shown: { ...statusCheckOn(page), url: this.publicUrl() } }
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
