import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../platform/requests/caller';
import { isPlaceCursor } from '../../../modules/views/queue-picture.dto';
import { QueuePictureReader } from '../../../modules/views/queue-picture';
import type { RefusedForm } from '../../form';
import type { Html } from '../../html';
import { doneNote } from '../../parts/done-note';
import { sceneOf } from '../../parts/scene';
import { askedBranch, askedRepository, type Question } from '../../question';
import type { Visit } from '../../visit';
import { queuePage } from './queue.view';

/** Search text that is a pull request number. */
export const NUMBER = /^\s*#?([1-9]\d{0,9})\s*$/;

/** The page of a queue, which is also shown after the refusal of one of its forms. */
@Injectable()
export class QueuePages {
  constructor(private readonly pictures: QueuePictureReader) {}

  async draw(visit: Visit, caller: Caller, question: Question, refused: RefusedForm | null): Promise<Html> {
    const [repo, branch] = [askedRepository(question), askedBranch(question)];
    const { cursor, q } = question;
    const from = isPlaceCursor(cursor) ? { cursor } : {};
    const picture = await this.pictures.read(caller, { repo, targetBranch: branch, ...from });
    const scene = sceneOf(visit, picture, { repo: picture.repo, branch, now: new Date(picture.readAt) });
    const asked = typeof q === 'string' ? q.trim() : '';
    return queuePage(scene, { picture, asked, refused, done: doneNote(question.done) });
  }
}
