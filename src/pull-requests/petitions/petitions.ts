import { Injectable } from '@nestjs/common';
import type { HostRepository, PagePeople, PullRequestObservation } from '../../code-hosts/code-host.port';
import { CodeHostRegistry } from '../../code-hosts/code-host.registry';
import {
  noQueueFor,
  notPermitted,
  refusedByQueue,
  unknownPerson,
} from '../../engine/announcements/page/command-answers';
import type { AnswerOrder, PageOrder } from '../../engine/page-orders';
import { Config } from '../../platform/config/config';
import { PrismaService } from '../../platform/database/prisma.service';
import { CrashPoints } from '../../platform/lifecycle/crash-points';
import { type Handled, QueueProcessor } from '../../processing/queue-processor';
import type { Asking } from '../submissions';
import { type PetitionedQueue, PetitionedQueues, type Place, type QueueEars } from './petitioned-queue';

/** What somebody asks of the queue at the page of a pull request: by a command, a label or a box. */
export interface Petition {
  /** Null: nobody knows who it was. */
  readonly login: string | null;
  readonly isBot: boolean;
  hears(this: void, queue: QueueEars): boolean;
  /** What is ordered with the decision, by what became of it: null when it is done. The first tells it from all others. */
  answers(this: void, refusal: string | null): readonly [AnswerOrder, ...PageOrder[]];
  /** `mistake`: it cannot be understood. */
  carryOut(
    this: void,
    queue: PetitionedQueue,
    seen: PullRequestObservation,
    asking: Asking,
  ): Promise<Handled> | { readonly type: 'mistake'; readonly words: string };
}

/**
 * Decides who is obeyed. The answer to a petition is an order that is given together with the decision: where it is there,
 * the petition was decided on, however often it is told.
 */
@Injectable()
export class Petitions {
  constructor(
    private readonly prisma: PrismaService,
    private readonly config: Config,
    private readonly hosts: CodeHostRegistry,
    private readonly queues: PetitionedQueues,
    private readonly processor: QueueProcessor,
    private readonly crashPoints: CrashPoints,
  ) {}

  /** Null where nobody can ask for anything, because the host has no pages. */
  async placeOf(repositoryId: string, number: number): Promise<(Place & { readonly people: PagePeople }) | null> {
    const select = { id: true, host: true, owner: true, name: true } as const;
    const repository: HostRepository = await this.prisma.repository.findUniqueOrThrow({
      where: { id: repositoryId },
      select,
    });
    const host = this.hosts.hostFor(repository.host);
    return host?.page ? { number, repository, host, people: host.page.people } : null;
  }

  async hear(petition: Petition, place: Place & { readonly people: PagePeople }): Promise<void> {
    const petitioned = await this.queues.of(place, petition.hears);
    switch (petitioned.type) {
      case 'nobody':
        return;
      case 'no_queue':
        if (petition.isBot) return;
        return this.refuse(petitioned.askAt, petition, noQueueFor(petitioned.branch));
      case 'queue':
        return this.obey(petition, petitioned, place.people);
    }
  }

  private async obey(
    petition: Petition,
    { queue, seen }: { readonly queue: PetitionedQueue; readonly seen: PullRequestObservation },
    people: PagePeople,
  ): Promise<void> {
    const { login, isBot } = petition;
    // A bot that is answered answers back.
    if (isBot && (login === null || !isAllowedBot(queue, login))) return;
    const answers = petition.answers(null);
    if (await this.processor.isAnswered(queue.id, answers[0])) return;
    if (login === null) return this.refuse(queue, petition, unknownPerson(this.config.brand));
    if (!isBot && !(await mayWrite(people, queue.repository, login)))
      return this.refuse(queue, petition, notPermitted(login));
    const outcome = await petition.carryOut(queue, seen, { via: 'user', actor: login, answers });
    if (outcome.type === 'mistake') return this.refuse(queue, petition, outcome.words);
    this.crashPoints.reach('command decided');
    if (outcome.type === 'refused') await this.refuse(queue, petition, refusedByQueue(outcome.refusal.message));
  }

  private refuse({ id }: PetitionedQueue, petition: Petition, refusal: string): Promise<void> {
    return this.processor.order(id, petition.answers(refusal));
  }
}

async function mayWrite(people: PagePeople, repository: HostRepository, login: string): Promise<boolean> {
  const permission = await people.permissionOf(repository, login);
  return permission === 'admin' || permission === 'write';
}

/** Hosts mark the logins of bots; settings may leave that away. */
function isAllowedBot({ allowedBots }: PetitionedQueue, author: string): boolean {
  const login = author.toLowerCase().replace(/\[bot\]$/, '');
  return allowedBots.some((allowed) => allowed.toLowerCase().replace(/\[bot\]$/, '') === login);
}
