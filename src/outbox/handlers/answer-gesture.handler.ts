import { Injectable } from '@nestjs/common';
import { answerMarker, gestureId, refusedCommand } from '../../engine/announcements/page/answers';
import type { AnswerGesture } from '../../engine/page-orders';
import { Config } from '../../platform/config/config';
import { CommandHandler, type Order } from '../command-handler';

/**
 * Answers a label that was set and a box that was ticked. The label goes, so that it can be set again; the box stands in a
 * comment that is shown anew by an order of its own. A refusal is said in words.
 */
@Injectable()
export class AnswerGestureHandler extends CommandHandler<AnswerGesture> {
  readonly type = 'answerGesture';
  readonly repeat = 'ensures';

  constructor(private readonly config: Config) {
    super();
  }

  async carryOut({ host, repository, command }: Order<AnswerGesture>): Promise<null> {
    const { page } = host;
    const { number, gesture, refusal } = command;
    if (!page) return null;
    if (gesture.type === 'label') await page.removeLabel(repository, number, gesture.label);
    if (refusal === null) return null;
    const { brand } = this.config;
    const askedBy = gestureId(gesture);
    await page.reply(repository, number, answerMarker(brand, askedBy), refusedCommand(brand, askedBy, refusal));
    return null;
  }

  giveUp(): null {
    return null;
  }
}
