import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { LabelEvent, LabelSet, PagePeople } from '../../code-hosts/code-host.port';
import { PrismaService } from '../../platform/database/prisma.service';
import { PeopleNewsRoom } from '../../processing/people-news';
import type { QueueEars } from '../petitions/petitioned-queue';
import { type Petition, Petitions } from '../petitions/petitions';
import { Submissions } from '../submissions';

/**
 * Submits what gets the label of its queue. Who set it, and whether that still counts, is what the host remembers: news of
 * labels comes in any order, and again. Taking it off asks for nothing, because the service takes it off itself.
 */
@Injectable()
export class LabelCommands implements OnModuleInit {
  constructor(
    private readonly prisma: PrismaService,
    private readonly news: PeopleNewsRoom,
    private readonly petitions: Petitions,
    private readonly submissions: Submissions,
  ) {}

  onModuleInit(): void {
    this.news.listen('label_set', (news) => this.read(news));
  }

  private async read({ repositoryId, number, label }: LabelSet): Promise<void> {
    if (!(await this.isHeard(repositoryId, label))) return;
    const place = await this.petitions.placeOf(repositoryId, number);
    if (place === null) return;
    const events = await place.people.labelEventsOf(place.repository, number);
    const set = await whatCounts(events, label, place.people);
    if (set !== null) await this.petitions.hear(this.petitionOf(set), place);
  }

  private petitionOf({ id: eventId, number, label, actor, isBot, at }: LabelEvent): Petition {
    return {
      login: actor,
      isBot,
      hears: (queue) => isTheLabelOf(queue, label) && isNotBefore(at, queue.createdAt),
      answers: (refusal) => [{ type: 'answerGesture', number, gesture: { type: 'label', eventId, label }, refusal }],
      carryOut: (queue, seen, asking) => this.submissions.submit(queue, seen, {}, asking),
    };
  }

  /** Asked before the host is: most labels are about something else. */
  private async isHeard(repositoryId: string, label: string): Promise<boolean> {
    const queues = await this.prisma.queue.findMany({
      where: { repositoryId, deletedAt: null },
      select: { labelCommandsEnabled: true, enqueueingLabel: true },
    });
    return queues.some((queue) => isTheLabelOf(queue, label));
  }
}

/** The last setting that nobody took back; when the service took the label off, it had answered an earlier one. */
async function whatCounts(
  events: readonly LabelEvent[],
  label: string,
  people: PagePeople,
): Promise<LabelEvent | null> {
  for (const event of events.filter((one) => isSame(one.label, label)).reverse()) {
    if (event.type === 'set') return event;
    if ((await people.isOwnLogin(event.actor)) !== true) return null;
  }
  return null;
}

function isTheLabelOf(
  { labelCommandsEnabled, enqueueingLabel }: Pick<QueueEars, 'labelCommandsEnabled' | 'enqueueingLabel'>,
  label: string,
): boolean {
  return labelCommandsEnabled && isSame(enqueueingLabel, label);
}

function isSame(label: string, other: string): boolean {
  return label.toLowerCase() === other.toLowerCase();
}

/** Hosts may count whole seconds. */
function isNotBefore(at: Date, createdAt: Date): boolean {
  return at.getTime() >= Math.floor(createdAt.getTime() / 1000) * 1000;
}
