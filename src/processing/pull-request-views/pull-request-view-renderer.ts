import { Injectable } from '@nestjs/common';
import { commentOn, submitPromptFor } from '../../engine/messages/comment';
import { commentMarker } from '../../engine/messages/comment-markers';
import { statusCheckOn } from '../../engine/messages/status-check';
import { PullRequestViewRenderer, type PullRequestView } from '../outbox/pull-request-view';
import type { MergedPullRequest } from '../../domain/code-host.port';
import type { Entry } from '../../engine/model';
import type { PullRequestViewFacts } from '../../engine/pull-request-view-facts';
import { Config } from '../../platform/config/config';
import { ForecastReader } from '../forecasts/forecast-reader';
import { ViewFactsReader } from '../decisions/view-facts-reader';
import { DomainError } from '../../platform/errors/domain-error';
import type { QueueView } from '../decisions/queue-input';
import { QueueProcessor } from '../decisions/queue-processor';

/** Renders the comment, status check and label of a pull request from the present state of its queue. */
@Injectable()
export class QueuePullRequestViewRenderer extends PullRequestViewRenderer {
  constructor(
    private readonly processor: QueueProcessor,
    private readonly facts: ViewFactsReader,
    private readonly forecasts: ForecastReader,
    private readonly config: Config,
  ) {
    super();
  }

  async of(queueId: string, number: number, openedAt?: number): Promise<PullRequestView | null> {
    const view = await this.viewOf(queueId, number);
    if (!view) return null;
    const { snapshot: queue, asked } = view;
    const { brand } = this.config;
    const { commentsEnabled, statusCheckEnabled, stateLabelsEnabled } = queue.settings;
    const marker = commentMarker(brand);
    const isClaimed = await this.facts.isClaimedByOtherQueue(queue.id, number);
    const writesComment = commentsEnabled && !isClaimed;
    const entry = queue.entries.find((other) => other.number === number);
    if (!entry) {
      const body = submitPromptFor(queue, brand);
      const comment = writesComment ? { marker, body, comparedBy: body } : null;
      return { landed: null, comment, status: null, label: null };
    }
    const ahead = asked.find(({ entryId }) => entryId === entry.id)?.ahead ?? 0;
    const now = view.readAt.getTime();
    const expectedEnd = writesComment ? await this.expectedEndOf(view, entry) : null;
    const history = await this.facts.historyOf(queue, entry);
    const reopened = openedAt === undefined ? {} : { reopenedAt: openedAt };
    const publicUrl = this.publicUrl();
    const facts = { brand, publicUrl, queue, entry, now, expectedEnd, ahead, ...reopened, ...history };
    // The expected end is left out of the comparison, because the passing of time alone is not worth an edit.
    const comparedBy = commentOn({ ...facts, expectedEnd: null });
    return {
      landed: landedIn(facts),
      comment: writesComment ? { marker, body: commentOn(facts), comparedBy } : null,
      status: statusCheckEnabled ? { commit: entry.head, shown: { ...statusCheckOn(facts), url: publicUrl } } : null,
      label: isClaimed ? null : { prefix: `${brand}: `, name: stateLabelsEnabled ? `${brand}: ${entry.state}` : null },
    };
  }

  private async expectedEndOf(
    { snapshot, readAt }: QueueView,
    entry: Entry,
  ): Promise<PullRequestViewFacts['expectedEnd']> {
    const etas = await this.forecasts.etasOf(snapshot, [entry], readAt);
    const eta = etas.get(entry.id);
    return eta === undefined ? null : { p50: eta.p50.getTime(), p90: eta.p90.getTime() };
  }

  private async viewOf(queueId: string, number: number): Promise<QueueView | null> {
    try {
      return await this.processor.view(queueId, { numbers: [number] });
    } catch (error) {
      if (error instanceof DomainError && error.code === 'MERGE_QUEUE_NOT_FOUND') return null;
      throw error;
    }
  }

  /** The URL of the pages for readers; null for localhost, which readers on other machines cannot open. */
  private publicUrl(): string | null {
    const { hostname } = new URL(this.config.publicUrl);
    return hostname === 'localhost' ? null : this.config.publicUrl;
  }
}

function landedIn({ queue, entry, landedAs }: PullRequestViewFacts): MergedPullRequest | null {
  if (landedAs === null || entry.concludedAt === null) return null;
  const { number, head, concludedAt } = entry;
  return { number, head, targetBranch: queue.branch, commit: landedAs, landedAt: new Date(concludedAt) };
}
