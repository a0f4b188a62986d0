import { Injectable } from '@nestjs/common';
import type { LabelEvent, LabelSet, HostPeople } from '../../domain/code-host.port';
import { readQueueSettings } from '../../domain/stored-settings';
import { Config } from '../../platform/config/config';
import { PrismaService } from '../../platform/database/prisma.service';
import type { RequestChannels } from './requested-queue';
import { type UserRequest, UserRequests } from './authorize';
import { Submissions } from '../decisions/submissions';

/**
 * Submits a pull request that gets its queue's label. The handler asks the host who set the label and whether it is
 * still set, because label webhooks arrive late, twice and in any order. If somebody removes the label, nothing
 * happens, because the service itself removes it, too.
 */
@Injectable()
export class LabelTrigger {
  constructor(
    private readonly prisma: PrismaService,
    private readonly requests: UserRequests,
    private readonly submissions: Submissions,
    private readonly config: Config,
  ) {}

  async handle({ repositoryId, number, label }: LabelSet): Promise<void> {
    if (!(await this.isEnqueueingLabel(repositoryId, label))) return;
    const pullRequest = await this.requests.locate(repositoryId, number);
    if (pullRequest === null) return;
    const events = await pullRequest.people.labelEventsOf(pullRequest.repository, number);
    const set = await lastSetting(events, label, pullRequest.people);
    if (set !== null) await this.requests.authorizeAndRun(this.requestOf(set), pullRequest);
  }

  private requestOf({ id: eventId, number, label, actor, isBot, at }: LabelEvent): UserRequest {
    return {
      login: actor,
      isBot,
      askedAt: at,
      isEnabledFor: (queue) => isTheLabelOf(queue, label) && isNotBefore(at, queue.createdAt),
      answers: (refusal) => [{ type: 'answerTrigger', number, trigger: { type: 'label', eventId, label }, refusal }],
      run: (queue, seen, requester) => this.submissions.submit(queue, seen, {}, requester),
    };
  }

  /**
   * Whether the label of any queue has this name. The check saves requests to the host, because most labels have
   * another meaning.
   */
  private async isEnqueueingLabel(repositoryId: string, label: string): Promise<boolean> {
    const queues = await this.prisma.queue.findMany({
      where: { repositoryId, deletedAt: null },
      select: { settings: true },
    });
    return queues.some(({ settings }) => isTheLabelOf(readQueueSettings(settings, this.config.brand), label));
  }
}

/**
 * The event that set the label last; null if a person has removed the label since. Removals by the service do not
 * count, because it removes the label after its answer.
 */
async function lastSetting(
  events: readonly LabelEvent[],
  label: string,
  people: HostPeople,
): Promise<LabelEvent | null> {
  for (const event of events.filter((one) => isSame(one.label, label)).reverse()) {
    if (event.type === 'set') return event;
    if ((await people.isOwnLogin(event.actor)) !== true) return null;
  }
  return null;
}

function isTheLabelOf(
  { labelCommandsEnabled, enqueueingLabel }: Pick<RequestChannels, 'labelCommandsEnabled' | 'enqueueingLabel'>,
  label: string,
): boolean {
  return labelCommandsEnabled && isSame(enqueueingLabel, label);
}

function isSame(label: string, other: string): boolean {
  return label.toLowerCase() === other.toLowerCase();
}

/** Compares whole seconds, because some hosts give no finer times. */
function isNotBefore(at: Date, createdAt: Date): boolean {
  return at.getTime() >= Math.floor(createdAt.getTime() / 1000) * 1000;
}
