import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { CommentEdited } from '../../code-hosts/code-host.port';
import { gestureId } from '../../engine/announcements/page/answers';
import { boxIn } from '../../engine/announcements/page/checkbox';
import type { Gesture, PageOrder } from '../../engine/page-orders';
import { Clock } from '../../platform/clock/clock';
import { Config } from '../../platform/config/config';
import { PeopleNewsRoom } from '../../processing/people-news';
import { type Petition, Petitions } from '../petitions/petitions';
import { Submissions } from '../submissions';

/** Submits the pull request whose box somebody ticks in the service's comment, and shows the comment as it was or is now. */
@Injectable()
export class BoxCommands implements OnModuleInit {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly news: PeopleNewsRoom,
    private readonly petitions: Petitions,
    private readonly submissions: Submissions,
  ) {}

  onModuleInit(): void {
    this.news.listen('comment_edited', (edit) => this.read(edit));
  }

  private async read(edit: CommentEdited): Promise<void> {
    const { brand } = this.config;
    const wasEmpty = edit.before === null || boxIn(brand, edit.before) === 'empty';
    if (!wasEmpty || boxIn(brand, edit.body) !== 'ticked') return;
    const place = await this.petitions.placeOf(edit.repositoryId, edit.number);
    // Under a login that cannot be found out the marker has to do: who ticks it is asked for their permission anyway.
    if (place === null || (await place.people.isOwnLogin(edit.author)) === false) return;
    await this.petitions.hear(this.petitionOf(edit), place);
  }

  private petitionOf({ number, commentId, editedAt, editor, isBot }: CommentEdited): Petition {
    const gesture: Gesture = { type: 'box', commentId, editedAt };
    const dueAt = this.clock.now().getTime();
    const again: PageOrder = { type: 'showPullRequest', number, dueAt, overwrittenBy: gestureId(gesture) };
    return {
      login: editor,
      isBot,
      hears: ({ commentsEnabled }) => commentsEnabled,
      answers: (refusal) => [{ type: 'answerGesture', number, gesture, refusal }, again],
      carryOut: (queue, seen, asking) => this.submissions.submit(queue, seen, {}, asking),
    };
  }
}
