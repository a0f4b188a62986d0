import { Injectable } from '@nestjs/common';
import { answerMarker, triggerId, refusedCommand } from '../../engine/messages/comment-markers';
import type { AnswerTrigger } from '../../engine/pull-request-tasks';
import { Config } from '../../platform/config/config';
import { TaskHandler, type TaskContext } from '../task';

/**
 * Answers a label that was set and a box that was ticked. The label goes, so that it can be set again; the box stands in a
 * comment that is shown anew by an order of its own. A refusal is said in words.
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
