import { Injectable } from '@nestjs/common';
import { answerMarker, triggerId, refusedCommand } from '../../../engine/messages/comment-markers';
import type { AnswerTrigger } from '../../../engine/pull-request-tasks';
import { Config } from '../../../platform/config/config';
import { TaskHandler, type TaskContext } from '../task';

/**
 * Answers a label or a ticked box, with a reply if the request was refused. The handler removes the label, so that
 * users can set it again. An `updatePullRequestView` task resets the box.
 */
@Injectable()
export class AnswerTriggerHandler extends TaskHandler<AnswerTrigger> {
  readonly type = 'answerTrigger';
  readonly repeat = 'ensures';

  constructor(private readonly config: Config) {
    super();
  }

  async carryOut({ host, repository, command }: TaskContext<AnswerTrigger>): Promise<null> {
    const { conversation } = host;
    const { number, trigger, refusal } = command;
    if (!conversation) return null;
    if (trigger.type === 'label') await conversation.removeLabel(repository, number, trigger.label);
    if (refusal === null) return null;
    const { brand } = this.config;
    const askedBy = triggerId(trigger);
    await conversation.reply(repository, number, answerMarker(brand, askedBy), refusedCommand(brand, askedBy, refusal));
    return null;
  }

  giveUp(): null {
    return null;
  }
}
