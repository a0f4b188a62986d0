import { Injectable } from '@nestjs/common';
import { CodeHostRegistry } from '../code-hosts/code-host.registry';
import type { HostPeople, HostRepository, PullRequestObservation } from '../domain/code-host.port';
import type { DecisionResult } from '../domain/decision-result';
import { noQueueFor, notPermitted, refusedByQueue, unknownPerson } from '../engine/messages/command-answers';
import type { AnswerTask, PullRequestTask } from '../engine/pull-request-tasks';
import { Config } from '../platform/config/config';
import { PrismaService } from '../platform/database/prisma.service';
import { CrashPoints } from '../platform/lifecycle/crash-points';
import { QueueProcessor } from '../queue-processing/queue-processor';
import type { Requester } from '../queue-processing/submissions';
import {
  type RequestChannels,
  type RequestedPullRequest,
  type RequestedQueue,
  RequestedQueues,
} from './requested-queue';

/** What somebody asks of the queue at a pull request: by a command, a label or a checkbox. */
export interface UserRequest {
  /** Null: nobody knows who it was. */
  readonly login: string | null;
  readonly isBot: boolean;
  isEnabledFor(this: void, queue: RequestChannels): boolean;
  /**
   * The tasks that answer the request; `refusal` null: it was done. They are stored with the decision. The key of the first
   * one tells this request from all others.
   */
  answers(this: void, refusal: string | null): readonly [AnswerTask, ...PullRequestTask[]];
  /** `mistake`: it cannot be understood; `words` says why, in markdown. */
  run(
    this: void,
    queue: RequestedQueue,
    seen: PullRequestObservation,
    requester: Requester,
  ): Promise<DecisionResult> | { readonly type: 'mistake'; readonly words: string };
}

/**
 * Decides whose requests are carried out. The answer is stored in the transaction of the decision: where it exists, the
 * request was decided on, however often it is delivered.
 */
@Injectable()
export class UserRequests {
  constructor(
    private readonly prisma: PrismaService,
    private readonly config: Config,
    private readonly hosts: CodeHostRegistry,
    private readonly queues: RequestedQueues,
    private readonly processor: QueueProcessor,
    private readonly crashPoints: CrashPoints,
  ) {}

  /** Null where nobody can ask for anything, because the host has no conversations. */
  async locate(repositoryId: string, number: number): Promise<RequestedPullRequest | null> {
    const select = { id: true, host: true, owner: true, name: true } as const;
    const repository: HostRepository = await this.prisma.repository.findUniqueOrThrow({
      where: { id: repositoryId },
      select,
    });
    const host = this.hosts.hostFor(repository.host);
    return host?.conversation ? { number, repository, host, people: host.conversation.people } : null;
  }

  async authorizeAndRun(request: UserRequest, pullRequest: RequestedPullRequest): Promise<void> {
    const found = await this.queues.find(pullRequest, request.isEnabledFor);
    switch (found.type) {
      case 'none':
        return;
      case 'no_queue_for_base':
        if (request.isBot) return;
        return this.refuse(found.answeredBy, request, noQueueFor(found.branch));
      case 'queue':
        return this.runIfPermitted(request, found, pullRequest.people);
    }
  }

  private async runIfPermitted(
    request: UserRequest,
    { queue, seen }: { readonly queue: RequestedQueue; readonly seen: PullRequestObservation },
    people: HostPeople,
  ): Promise<void> {
    const { login, isBot } = request;
    // A bot that is answered answers back.
    if (isBot && (login === null || !isAllowedBot(queue, login))) return;
    const answers = request.answers(null);
    if (await this.processor.isAnswered(queue.id, answers[0])) return;
    if (login === null) return this.refuse(queue, request, unknownPerson(this.config.brand));
    if (!isBot && !(await mayWrite(people, queue.repository, login)))
      return this.refuse(queue, request, notPermitted(login));
    const result = await request.run(queue, seen, { via: 'user', actor: login, answers });
    if (result.type === 'mistake') return this.refuse(queue, request, result.words);
    this.crashPoints.reach('command decided');
    if (result.type === 'refused') await this.refuse(queue, request, refusedByQueue(result.refusal.message));
  }

  private refuse({ id }: RequestedQueue, request: UserRequest, refusal: string): Promise<void> {
    return this.processor.enqueueTasks(id, request.answers(refusal));
  }
}

async function mayWrite(people: HostPeople, repository: HostRepository, login: string): Promise<boolean> {
  const permission = await people.permissionOf(repository, login);
  return permission === 'admin' || permission === 'write';
}

/** Hosts mark the logins of bots; settings may leave the mark away. */
function isAllowedBot({ allowedBots }: RequestedQueue, author: string): boolean {
  const login = author.toLowerCase().replace(/\[bot\]$/, '');
  return allowedBots.some((allowed) => allowed.toLowerCase().replace(/\[bot\]$/, '') === login);
}
