import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { CommentMade, PullRequestObservation } from '../../code-hosts/code-host.port';
import { mistakeIn } from '../../engine/announcements/page/command-answers';
import { Config } from '../../platform/config/config';
import { PeopleNewsRoom } from '../../processing/people-news';
import type { PetitionedQueue } from '../petitions/petitioned-queue';
import { type Petition, Petitions } from '../petitions/petitions';
import { type Asking, Submissions } from '../submissions';
import { type CommentCommand, parseCommand } from './parse-command';

/** Does what people write under their pull requests. */
@Injectable()
export class CommentCommands implements OnModuleInit {
  constructor(
    private readonly config: Config,
    private readonly news: PeopleNewsRoom,
    private readonly petitions: Petitions,
    private readonly submissions: Submissions,
  ) {}

  onModuleInit(): void {
    this.news.listen('comment_made', (comment) => this.read(comment));
  }

  private async read(comment: CommentMade): Promise<void> {
    const { repositoryId, number } = comment;
    const command = parseCommand(this.config.brand, comment.body);
    if (command === null) return;
    const place = await this.petitions.placeOf(repositoryId, number);
    if (place !== null) await this.petitions.hear(this.petitionOf(comment, command), place);
  }

  private petitionOf({ number, commentId, author, isBot }: CommentMade, command: CommentCommand): Petition {
    return {
      login: author,
      isBot,
      hears: ({ commandsEnabled }) => commandsEnabled,
      answers: (refusal) => [{ type: 'answerComment', number, commentId, refusal }],
      carryOut: (queue, seen, asking) => this.carryOut(command, queue, seen, asking),
    };
  }

  private carryOut(
    command: CommentCommand,
    queue: PetitionedQueue,
    seen: PullRequestObservation,
    asking: Asking,
  ): ReturnType<Petition['carryOut']> {
    switch (command.type) {
      case 'mistake':
        return { type: 'mistake', words: mistakeIn(this.config.brand, command.mistake) };
      case 'merge':
        return this.submissions.submit(queue, seen, command, asking);
      case 'cancel':
        return this.submissions.ask('cancelRequested', queue, seen.number, asking);
    }
  }
}
