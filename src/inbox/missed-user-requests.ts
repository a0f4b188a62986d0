import { Injectable } from '@nestjs/common';
import {
  HostInbox,
  type HostRepository,
  type HostPeople,
  type UserEvent,
  type WrittenComment,
} from '../domain/code-host.port';
import { checkboxIn, isMarked } from '../engine/messages/comment-markers';
import type { AnswerTask } from '../engine/pull-request-tasks';
import { answerKey } from '../outbox/append-tasks';
import { Clock } from '../platform/clock/clock';
import { Config } from '../platform/config/config';
import { PrismaService } from '../platform/database/prisma.service';
import { ReadUntil } from './read-until';

/** What is older was asked of another day: nobody expects any more that it is done. */
const OLDEST_HOURS = 24;
const HOUR_MS = 3_600_000;
/** So many comments are looked through again and again before a look begins after them: the same question is free. */
const MANY_COMMENTS = 50;
/** The delivery may still be on its way, and says who it was. */
const LATE_MS = 60_000;

interface Ears {
  readonly id: string;
  readonly createdAt: Date;
}

interface Missed {
  readonly deliveryId: string;
  readonly event: UserEvent;
  /** What is ordered once it is decided on, by whichever way it was told. */
  readonly answer: AnswerTask;
}

/**
 * Finds what people asked for and no event told: commands in comments, ticked boxes, and labels. Only what was done since somebody listens,
 * so that a repository that is new here does not carry out its history, nor one whose queues did not listen for a while.
 */
@Injectable()
export class MissedUserRequests {
  constructor(
    private readonly prisma: PrismaService,
    private readonly inbox: HostInbox,
    private readonly readUntil: ReadUntil,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async look(repository: HostRepository, people: HostPeople): Promise<void> {
    const queues = await this.prisma.queue.findMany({
      where: { repositoryId: repository.id, deletedAt: null },
      select: { id: true, createdAt: true, commandsEnabled: true, labelCommandsEnabled: true, enqueueingLabel: true },
    });
    await this.lookForCommands(
      repository,
      people,
      queues.filter(({ commandsEnabled }) => commandsEnabled),
    );
    const byLabel = queues.filter(({ labelCommandsEnabled }) => labelCommandsEnabled);
    const labels = new Set(byLabel.map(({ enqueueingLabel }) => enqueueingLabel.toLowerCase()));
    await this.lookForLabels(repository, people, byLabel, labels);
  }

  private async lookForCommands(repository: HostRepository, people: HostPeople, ears: readonly Ears[]): Promise<void> {
    const since = await this.since(repository, 'commentsReadTo', ears);
    if (since === null) return;
    const comments = await people.commentsSince(repository, since);
    const commands = comments.filter(({ writtenAt, body }) => writtenAt >= since && this.mayBeCommand(body));
    const late = this.clock.now().getTime() - LATE_MS;
    const ticked = comments.filter(
      ({ changedAt, body }) => changedAt.getTime() <= late && checkboxIn(this.config.brand, body) === 'ticked',
    );
    await this.tell(repository, ears, [
      ...commands.map((comment) => command(repository, comment)),
      ...ticked.map((comment) => tick(repository, comment)),
    ]);
    const newest = latest([since, ...comments.map(({ changedAt }) => changedAt)]);
    const isFar = comments.length >= MANY_COMMENTS || newest.getTime() - since.getTime() >= HOUR_MS;
    await this.readUntil.set(repository.id, 'commentsReadTo', isFar ? newest : since);
  }

  private async lookForLabels(
    repository: HostRepository,
    people: HostPeople,
    ears: readonly Ears[],
    labels: ReadonlySet<string>,
  ): Promise<void> {
    const since = await this.since(repository, 'labelsReadTo', ears);
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
    await this.tell(repository, ears, missed);
    await this.readUntil.set(repository.id, 'labelsReadTo', latest([since, ...events.map(({ at }) => at)]));
  }

  /** The same from look to look while nothing happens, so that the host can answer that nothing has. Null: nobody listens. */
  private async since(
    { id }: HostRepository,
    column: Parameters<ReadUntil['of']>[1],
    ears: readonly Ears[],
  ): Promise<Date | null> {
    const now = this.clock.now();
    if (ears.length === 0) {
      await this.readUntil.set(id, column, now);
      return null;
    }
    const begin = Math.min(...ears.map(({ createdAt }) => createdAt.getTime()));
    const oldest = new Date((Math.floor(now.getTime() / HOUR_MS) - OLDEST_HOURS) * HOUR_MS);
    const read = await this.readUntil.of(id, column);
    return wholeSeconds(latest([new Date(begin), oldest, ...(read === null ? [] : [read])]));
  }

  /** What is answered needs no telling: most of it was delivered. */
  private async tell({ host }: HostRepository, ears: readonly Ears[], missed: readonly Missed[]): Promise<void> {
    if (missed.length === 0) return;
    const keysOf = ({ answer }: Missed): string[] => ears.map(({ id }) => answerKey(id, answer));
    const where = { key: { in: missed.flatMap(keysOf) } };
    const answered = await this.prisma.outboxOrder.findMany({ where, select: { key: true } });
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
  const { id: commentId, number, author, isBot, body } = comment;
  return {
    deliveryId: `look-comment-${commentId}`,
    event: { type: 'comment_made', repositoryId, number, commentId, author, isBot, body },
    answer: { type: 'answerComment', number, commentId, refusal: null },
  };
}

/** Lists of comments do not say who edited them. */
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

/** Hosts count in them: what was done within the second counts. */
function wholeSeconds(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 1000) * 1000);
}
