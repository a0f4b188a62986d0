import { Injectable } from '@nestjs/common';
import { CodeHostRegistry } from '../../code-hosts/code-host.registry';
import type { HostPeople, HostRepository, PullRequestObservation } from '../../domain/code-host.port';
import type { DecisionResult } from '../../domain/decision-result';
import {
  headChanged,
  noQueueFor,
  notPermitted,
  refusedByQueue,
  unknownPerson,
} from '../../engine/messages/command-answers';
import type { AnswerTask, PullRequestTask } from '../../engine/pull-request-tasks';
import { Config } from '../../platform/config/config';
import { PrismaService } from '../../platform/database/prisma.service';
import { CrashPoints } from '../../platform/lifecycle/crash-points';
import { QueueProcessor } from '../decisions/queue-processor';
import type { Requester } from '../decisions/submissions';
import { HeadAges } from './head-ages';
import {
  type RequestChannels,
  type RequestedPullRequest,
  type RequestedQueue,
  RequestedQueues,
} from './requested-queue';

/** A request of a user to a queue, by a command, a label or a checkbox. */
export interface UserRequest {
  /** The user's login; null if the host does not name the user. */
  readonly login: string | null;
  readonly isBot: boolean;
  /**
   * The time of the request, by the host's clock. The request is about the head of that time. Null if the request does
   * not depend on the head.
   */
  readonly askedAt: Date | null;
  isEnabledFor(this: void, queue: RequestChannels): boolean;
  /**
   * The tasks that answer the request, stored in the transaction of the decision. `refusal`: why the request was
   * refused; null if it was carried out. The key of the first task identifies the request.
   */
  answers(this: void, refusal: string | null): readonly [AnswerTask, ...PullRequestTask[]];
  /** Carries out the request. `mistake`: the request is malformed, and `words` say in Markdown why. */
  run(
    this: void,
    queue: RequestedQueue,
    seen: PullRequestObservation,
    requester: Requester,
  ): Promise<DecisionResult> | { readonly type: 'mistake'; readonly words: string };
}

/**
 * Checks whether the user may send the request, and carries it out once, however often it is delivered. The answer is
 * stored in the transaction of the decision, and a request that already has an answer is skipped.
 */
@Injectable()
export class UserRequests {
  constructor(
    private readonly prisma: PrismaService,
    private readonly config: Config,
    private readonly hosts: CodeHostRegistry,
    private readonly queues: RequestedQueues,
    private readonly heads: HeadAges,
    private readonly processor: QueueProcessor,
    private readonly crashPoints: CrashPoints,
  ) {}

  /** Finds the pull request at its host. Null if the host has no conversations, so that nobody can send a request. */
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
    // A bot that is not allowed gets no answer, because two bots would answer each other for ever.
    if (isBot && (login === null || !(await isAllowedBot(people, queue, login)))) return;
    const answers = request.answers(null);
    if (await this.processor.isAnswered(queue.id, answers[0])) return;
    if (login === null) return this.refuse(queue, request, unknownPerson(this.config.brand));
    if (!isBot && !(await mayWrite(people, queue.repository, login)))
      return this.refuse(queue, request, notPermitted(login));
    const newHead = await this.heads.newerThan(request.askedAt, queue.repository, seen, people);
    if (newHead !== null) return this.refuse(queue, request, headChanged(newHead));
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

/**
 * Whether the queue accepts requests of the bot: the bots that its settings name are allowed, or every bot that may
 * write if the settings name none. The service never obeys its own comments: if it does not know its own login, only
 * named bots are allowed.
 */
async function isAllowedBot(
  people: HostPeople,
  { allowedBots, repository }: RequestedQueue,
  login: string,
): Promise<boolean> {
  const isOwn = await people.isOwnLogin(login);
  if (allowedBots.length === 0) return isOwn === false && mayWrite(people, repository, login);
  return isOwn !== true && allowedBots.some((allowed) => isSameBot(allowed, login));
}

/** Whether both logins are the same bot. Hosts append `[bot]` to the logins of bots, and settings may leave it out. */
function isSameBot(one: string, other: string): boolean {
  const [a, b] = [one, other].map((login) => login.toLowerCase().replace(/\[bot\]$/, ''));
  return a === b;
}
