import { Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../../platform/auth/caller';
import { CurrentCaller } from '../../../platform/auth/current-caller';
import { seeOther } from '../../../platform/http/see-other';
import { PLACE_CURSOR } from '../../../reading/dto/queue-picture.dto';
import { QueueListReader } from '../../../reading/queue-list';
import { QueuePictureReader } from '../../../reading/queue-picture';
import { PageController } from '../../page-controller';
import { pullRequestPath } from '../../parts/links';
import { sceneOf } from '../../parts/scene';
import { askedBranch, askedRepository, type Question } from '../../question';
import { asPage } from '../../send-page';
import { CurrentVisit, type Visit } from '../../visit';
import { queuePage } from './queue.view';

/** What people write into the search for a pull request. */
const NUMBER = /^\s*#?([1-9]\d{0,9})\s*$/;

@PageController('queue')
export class QueueController {
  constructor(
    private readonly pictures: QueuePictureReader,
    private readonly lists: QueueListReader,
  ) {}

  @Get()
  async show(
    @CurrentVisit() visit: Visit,
    @CurrentCaller() caller: Caller,
    @Query() question: Question,
    @Res() response: Response,
  ): Promise<void> {
    const [repo, branch] = [askedRepository(question), askedBranch(question)];
    const asked = typeof question.q === 'string' ? question.q.trim() : '';
    const [, number] = NUMBER.exec(asked) ?? [];
    if (number !== undefined) return seeOther(response, pullRequestPath(repo, branch, Number(number)));
    const { cursor } = question;
    const from = typeof cursor === 'string' && PLACE_CURSOR.test(cursor) ? { cursor } : {};
    const picture = await this.pictures.read(caller, { repo, targetBranch: branch, ...from });
    const { queues } = await this.lists.list(caller, { repo });
    const summary = queues.find(({ targetBranch }) => targetBranch === branch) ?? null;
    const scene = sceneOf(visit, picture, { repo: picture.repo, branch, now: new Date(picture.readAt) });
    response.send(asPage(queuePage(scene, { picture, summary, asked }), response));
  }
}
