import { Injectable } from '@nestjs/common';
import { answerMarker, refusedCommand } from '../../../engine/messages/comment-markers';
import type { AnswerComment } from '../../../engine/pull-request-tasks';
import { Config } from '../../../platform/config/config';
import { TaskHandler, type TaskContext } from '../task';

/** Answers a command with a reaction. A refused command also gets a reply with the reason. */
@Injectable()
export class AnswerCommentHandler extends TaskHandler<AnswerComment> {
  readonly type = 'answerComment';
  readonly repeat = 'ensures';

  constructor(private readonly config: Config) {
    super();
  }

  async carryOut({ host, repository, command }: TaskContext<AnswerComment>): Promise<null> {
    const { conversation } = host;
    const { number, commentId, refusal } = command;
    if (!conversation) return null;
    await conversation.react(repository, number, commentId, refusal === null ? '+1' : '-1');
    if (refusal === null) return null;
    const { brand } = this.config;
    await conversation.reply(
      repository,
      number,
      answerMarker(brand, commentId),
      refusedCommand(brand, commentId, refusal),
    );
    return null;
  }

  giveUp(): null {
    return null;
  }
}
