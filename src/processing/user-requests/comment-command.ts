import { Injectable } from '@nestjs/common';
import type { CommentMade, PullRequestObservation } from '../../domain/code-host.port';
import { mistakeIn } from '../../engine/messages/command-answers';
import { isMarked } from '../../engine/messages/comment-markers';
import { Config } from '../../platform/config/config';
import type { RequestedQueue } from './requested-queue';
import { type UserRequest, UserRequests } from './authorize';
import { QueueProcessor } from '../decisions/queue-processor';
import { type Requester, Submissions } from '../decisions/submissions';
import { type CommentCommand, parseCommand } from './parse-command';

/** Carries out commands that users write as comments on pull requests. */
@Injectable()
export class CommentCommands {
  constructor(
    private readonly config: Config,
    private readonly requests: UserRequests,
    private readonly submissions: Submissions,
    private readonly processor: QueueProcessor,
  ) {}

  async handle(comment: CommentMade): Promise<void> {
    const { repositoryId, number, body } = comment;
    const { brand } = this.config;
    // The service's own comments come back as events and are skipped, because they may quote a command.
    if (isMarked(brand, body)) return;
    const command = parseCommand(brand, body);
    if (command === null) return;
    const pullRequest = await this.requests.locate(repositoryId, number);
    if (pullRequest !== null) await this.requests.authorizeAndRun(this.requestOf(comment, command), pullRequest);
  }

  private requestOf(comment: CommentMade, command: CommentCommand): UserRequest {
    const { number, commentId, author, isBot, writtenAt } = comment;
    return {
      login: author,
      isBot,
      askedAt: command.type === 'merge' ? new Date(writtenAt) : null,
      isEnabledFor: ({ commandsEnabled }) => commandsEnabled,
      answers: (refusal) => [{ type: 'answerComment', number, commentId, refusal }],
      run: (queue, seen, requester) => this.carryOut(command, queue, seen, requester),
    };
  }

  private carryOut(
    command: CommentCommand,
    queue: RequestedQueue,
    seen: PullRequestObservation,
    requester: Requester,
  ): ReturnType<UserRequest['run']> {
    const { via, actor, answers } = requester;
    switch (command.type) {
      case 'mistake':
        return { type: 'mistake', words: mistakeIn(this.config.brand, command.mistake) };
      case 'merge':
        return this.submissions.submit(queue, seen, command, requester);
      case 'cancel':
        return this.processor.processEvent(queue.id, {
          event: { type: 'cancelRequested', number: seen.number, via, actor },
          tasks: answers,
        });
    }
  }
}
