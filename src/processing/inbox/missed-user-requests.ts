import { Injectable } from '@nestjs/common';
import {
  HostInbox,
  type HostRepository,
  type HostPeople,
  type UserEvent,
  type WrittenComment,
} from '../../domain/code-host.port';
import { readQueueSettings } from '../../domain/stored-settings';
import { checkboxIn, isMarked } from '../../engine/messages/comment-markers';
import type { AnswerTask } from '../../engine/pull-request-tasks';
import { answerKey } from '../outbox/append-tasks';
import { Clock } from '../../platform/clock/clock';
import { Config } from '../../platform/config/config';
import { PrismaService } from '../../platform/database/prisma.service';

/** Requests older than this are dropped, because nobody expects an answer any more. */
const OLDEST_HOURS = 24;
const HOUR_MS = 3_600_000;
/**
 * The time since which comments are read moves forward only after this many comments, or an hour. Until then each poll
 * sends the host the same request, which does not count against the rate limit while the answer stays the same.
 */
const MANY_COMMENTS = 50;
/**
 * The poll accepts a ticked box only this long after the edit, because the webhook may still arrive, and only the
 * webhook names the user.
 */
const LATE_MS = 60_000;

type Cursor = 'commentsReadTo' | 'labelsReadTo';

/** A queue that accepts the polled kind of request. */
interface ListeningQueue {
  readonly id: string;
  readonly createdAt: Date;
}

interface Missed {
  readonly deliveryId: string;
  readonly event: UserEvent;
  /** The task that answers the request. A queue that has this task has already decided on the request. */
  readonly answer: AnswerTask;
}

/**
 * Finds user requests that no webhook reported: commands in comments, ticked boxes, labels. Requests from before the
 * queue accepted requests do not count: old requests must not be carried out when a repository is added or the setting
 * is switched on again.
 */
@Injectable()
export class MissedUserRequests {
  constructor(
    private readonly prisma: PrismaService,
    private readonly inbox: HostInbox,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async poll(repository: HostRepository, people: HostPeople): Promise<void> {
    const rows = await this.prisma.queue.findMany({
      where: { repositoryId: repository.id, deletedAt: null },
      select: { id: true, createdAt: true, settings: true },
    });
    const queues = rows.map(({ settings, ...row }) => ({ ...row, ...readQueueSettings(settings, this.config.brand) }));
    await this.pollComments(
      repository,
      people,
      queues.filter(({ commandsEnabled }) => commandsEnabled),
    );
    const byLabel = queues.filter(({ labelCommandsEnabled }) => labelCommandsEnabled);
    const labels = new Set(byLabel.map(({ enqueueingLabel }) => enqueueingLabel.toLowerCase()));
    await this.pollLabels(repository, people, byLabel, labels);
  }

  private async pollComments(
    repository: HostRepository,
    people: HostPeople,
    queues: readonly ListeningQueue[],
  ): Promise<void> {
    const since = await this.startOfPoll(repository, 'commentsReadTo', queues);
    if (since === null) return;
    const comments = await people.commentsSince(repository, since);
    const commands = comments.filter(({ writtenAt, body }) => writtenAt >= since && this.mayBeCommand(body));
    const late = this.clock.now().getTime() - LATE_MS;
    const ticked = comments.filter(
      ({ changedAt, body }) => changedAt.getTime() <= late && checkboxIn(this.config.brand, body) === 'ticked',
    );
    await this.appendUnanswered(repository, queues, [
      ...commands.map((comment) => command(repository, comment)),
      ...ticked.map((comment) => tick(repository, comment)),
    ]);
    const newest = latest([since, ...comments.map(({ changedAt }) => changedAt)]);
    const isFar = comments.length >= MANY_COMMENTS || newest.getTime() - since.getTime() >= HOUR_MS;
    await this.advanceCursor(repository.id, 'commentsReadTo', isFar ? newest : since);
  }

  private async pollLabels(
    repository: HostRepository,
    people: HostPeople,
    queues: readonly ListeningQueue[],
    labels: ReadonlySet<string>,
  ): Promise<void> {
    const since = await this.startOfPoll(repository, 'labelsReadTo', queues);
    if (since === null) return;
    const events = await people.labelEventsSince(repository, since);
    const missed = events
      .filter(({ type, label }) => type === 'set' && labels.has(label.toLowerCase()))
      .map(({ id: eventId, number, label }): Missed => {
        const trigger = { type: 'label', eventId, label } as const;
        return {
          deliveryId: `look-label-${eventId}`,
          event: { type: 'label_set', repositoryId: repository.id, number, label },
          answer: { type: 'answerTrigger', number, trigger, refusal: null },
        };
      });
    await this.appendUnanswered(repository, queues, missed);
    await this.advanceCursor(repository.id, 'labelsReadTo', latest([since, ...events.map(({ at }) => at)]));
  }

  /**
   * The time since which the poll reads requests; null if no queue accepts such requests. While nothing happens, the
   * time stays the same from poll to poll, so that the host can answer "not modified".
   */
  private async startOfPoll(
    { id }: HostRepository,
    cursor: Cursor,
    queues: readonly ListeningQueue[],
  ): Promise<Date | null> {
    const now = this.clock.now();
    if (queues.length === 0) {
      await this.advanceCursor(id, cursor, now);
      return null;
    }
    const begin = Math.min(...queues.map(({ createdAt }) => createdAt.getTime()));
    const oldest = new Date((Math.floor(now.getTime() / HOUR_MS) - OLDEST_HOURS) * HOUR_MS);
    const read = await this.cursorOf(id, cursor);
    return wholeSeconds(latest([new Date(begin), oldest, ...(read === null ? [] : [read])]));
  }

  private async cursorOf(repositoryId: string, cursor: Cursor): Promise<Date | null> {
    const select = { commentsReadTo: true, labelsReadTo: true } as const;
    const row = await this.prisma.repository.findUnique({ where: { id: repositoryId }, select });
    return row?.[cursor] ?? null;
  }

  /** Moves the stored time forward, never back, because another instance may have read further. */
  private async advanceCursor(repositoryId: string, cursor: Cursor, to: Date): Promise<void> {
    const isBefore = { OR: [{ [cursor]: null }, { [cursor]: { lt: to } }] };
    await this.prisma.repository.updateMany({ where: { id: repositoryId, ...isBefore }, data: { [cursor]: to } });
  }

  /** Appends the requests without an answer. Most polled requests already came by webhook and have an answer. */
  private async appendUnanswered(
    { host }: HostRepository,
    queues: readonly ListeningQueue[],
    missed: readonly Missed[],
  ): Promise<void> {
    if (missed.length === 0) return;
    const keysOf = ({ answer }: Missed): string[] => queues.map(({ id }) => answerKey(id, answer));
    const where = { key: { in: missed.flatMap(keysOf) } };
    const answered = await this.prisma.outboxTask.findMany({ where, select: { key: true } });
    const known = new Set(answered.map(({ key }) => key));
    for (const one of missed) {
      if (!keysOf(one).some((key) => known.has(key))) await this.inbox.append(host, one.deliveryId, one.event);
    }
  }

  private mayBeCommand(comment: string): boolean {
    const { brand } = this.config;
    return comment.toLowerCase().includes(`/${brand}`) && !isMarked(brand, comment);
  }
}

function command({ id: repositoryId }: HostRepository, comment: WrittenComment): Missed {
  const { id: commentId, number, author, isBot, body, writtenAt } = comment;
  const told = { number, commentId, author, isBot, body, writtenAt: writtenAt.getTime() };
  return {
    deliveryId: `look-comment-${commentId}`,
    event: { type: 'comment_made', repositoryId, ...told },
    answer: { type: 'answerComment', number, commentId, refusal: null },
  };
}

/**
 * The event for a ticked box. The editor in the event is null, because the list of comments does not name who edited a
 * comment.
 */
function tick({ id: repositoryId }: HostRepository, comment: WrittenComment): Missed {
  const { id: commentId, number, author, body, changedAt } = comment;
  const editedAt = changedAt.getTime();
  const trigger = { type: 'checkbox', commentId, editedAt } as const;
  const edit = { editor: null, isBot: false, before: null, body, editedAt };
  return {
    deliveryId: `look-box-${commentId}-${editedAt}`,
    event: { type: 'comment_edited', repositoryId, number, commentId, author, ...edit },
    answer: { type: 'answerTrigger', number, trigger, refusal: null },
  };
}

function latest(times: readonly Date[]): Date {
  return new Date(Math.max(...times.map((time) => time.getTime())));
}

/** The time in whole seconds, rounded down, because hosts give times in whole seconds. */
function wholeSeconds(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 1000) * 1000);
}
