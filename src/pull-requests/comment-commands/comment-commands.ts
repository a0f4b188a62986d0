import { Injectable, type OnModuleInit } from '@nestjs/common';
import type {
  CommentMade,
  HostRepository,
  PullRequestObservation,
  PullRequestPage,
} from '../../code-hosts/code-host.port';
import { CodeHostRegistry } from '../../code-hosts/code-host.registry';
import { mistakeIn, noQueueFor, notPermitted, refusedByQueue } from '../../engine/announcements/page/command-answers';
import type { AnswerComment } from '../../engine/page-orders';
import { Config } from '../../platform/config/config';
import { PrismaService } from '../../platform/database/prisma.service';
import { CrashPoints } from '../../platform/lifecycle/crash-points';
import { CommentNews } from '../../processing/comment-news';
import { type Handled, QueueProcessor } from '../../processing/queue-processor';
import { Submissions } from '../submissions';
import { type CommandedQueue, CommandedQueues } from './commanded-queue';
import { type CommentCommand, parseCommand } from './parse-command';

/**
 * Does what people write under their pull requests. The answer to a comment is an order that is given together with the
 * decision: where it is there, the command was carried out, however often its comment is told.
 */
@Injectable()
export class CommentCommands implements OnModuleInit {
  constructor(
    private readonly prisma: PrismaService,
    private readonly config: Config,
    private readonly hosts: CodeHostRegistry,
    private readonly news: CommentNews,
    private readonly queues: CommandedQueues,
    private readonly submissions: Submissions,
    private readonly processor: QueueProcessor,
    private readonly crashPoints: CrashPoints,
  ) {}

  onModuleInit(): void {
    this.news.listen((comment) => this.read(comment));
  }

  private async read(comment: CommentMade): Promise<void> {
    const command = parseCommand(this.config.brand, comment.body);
    if (command === null) return;
    const select = { id: true, host: true, owner: true, name: true } as const;
    const repository: HostRepository = await this.prisma.repository.findUniqueOrThrow({
      where: { id: comment.repositoryId },
      select,
    });
    const host = this.hosts.hostFor(repository.host);
    if (!host?.page) return;
    const commanded = await this.queues.of(comment, repository, host);
    switch (commanded.type) {
      case 'nobody':
        return;
      case 'no_queue':
        if (comment.isBot) return;
        return this.refuse(commanded.askAt, comment, noQueueFor(commanded.branch));
      case 'queue':
        return this.obey(command, comment, commanded, host.page);
    }
  }

  private async obey(
    command: CommentCommand,
    comment: CommentMade,
    { queue, seen }: { readonly queue: CommandedQueue; readonly seen: PullRequestObservation },
    page: PullRequestPage,
  ): Promise<void> {
    // A bot that is answered answers back.
    if (comment.isBot && !isAllowedBot(queue, comment.author)) return;
    if (await this.processor.isAnswered(queue.id, comment.commentId)) return;
    if (!comment.isBot && !(await mayWrite(page, queue.repository, comment.author)))
      return this.refuse(queue, comment, notPermitted(comment.author));
    if (command.type === 'mistake') return this.refuse(queue, comment, mistakeIn(this.config.brand, command.mistake));
    const handled = await this.carryOut(command, comment, queue, seen);
    this.crashPoints.reach('command decided');
    if (handled.type === 'refused') await this.refuse(queue, comment, refusedByQueue(handled.refusal.message));
  }

  private carryOut(
    command: Exclude<CommentCommand, { type: 'mistake' }>,
    { author, number, commentId }: CommentMade,
    queue: CommandedQueue,
    seen: PullRequestObservation,
  ): Promise<Handled> {
    const done: AnswerComment = { type: 'answerComment', number, commentId, refusal: null };
    const asking = { via: 'user', actor: author, answers: [done] } as const;
    switch (command.type) {
      case 'merge':
        return this.submissions.submit(queue, seen, command, asking);
      case 'cancel':
        return this.submissions.ask('cancelRequested', queue, number, asking);
    }
  }

  private refuse({ id }: CommandedQueue, { number, commentId }: CommentMade, refusal: string): Promise<void> {
    return this.processor.order(id, [{ type: 'answerComment', number, commentId, refusal }]);
  }
}

async function mayWrite(page: PullRequestPage, repository: HostRepository, login: string): Promise<boolean> {
  const permission = await page.permissionOf(repository, login);
  return permission === 'admin' || permission === 'write';
}

/** Hosts mark the logins of bots; settings may leave that away. */
function isAllowedBot({ allowedBots }: CommandedQueue, author: string): boolean {
  const login = author.toLowerCase().replace(/\[bot\]$/, '');
  return allowedBots.some((allowed) => allowed.toLowerCase().replace(/\[bot\]$/, '') === login);
}
