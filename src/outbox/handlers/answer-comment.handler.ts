import { Injectable } from '@nestjs/common';
import { answerMarker, refusedCommand } from '../../engine/announcements/page/answers';
import type { AnswerComment } from '../../engine/page-orders';
import { Config } from '../../platform/config/config';
import { CommandHandler, type Order } from '../command-handler';

/** Says under a command what became of it: a reaction, and in words why it was refused. */
@Injectable()
export class AnswerCommentHandler extends CommandHandler<AnswerComment> {
  readonly type = 'answerComment';
  readonly repeat = 'ensures';

  constructor(private readonly config: Config) {
    super();
  }

  async carryOut({ host, repository, command }: Order<AnswerComment>): Promise<null> {
    const { page } = host;
    const { number, commentId, refusal } = command;
    if (!page) return null;
    await page.react(repository, commentId, refusal === null ? '+1' : '-1');
    if (refusal === null) return null;
    const { brand } = this.config;
    await page.reply(repository, number, answerMarker(brand, commentId), refusedCommand(brand, commentId, refusal));
    return null;
  }

  giveUp(): null {
    return null;
  }
}
