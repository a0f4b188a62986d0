import { Injectable } from '@nestjs/common';
import type { CommentEdited } from '../../domain/code-host.port';
import { checkboxIn, triggerId } from '../../engine/messages/comment-markers';
import type { PullRequestTask, Trigger } from '../../engine/pull-request-tasks';
import { Clock } from '../../platform/clock/clock';
import { Config } from '../../platform/config/config';
import { type UserRequest, UserRequests } from './authorize';
import { Submissions } from '../decisions/submissions';

/**
 * Submits a pull request when somebody ticks the checkbox in the service's comment. Afterwards, the service rewrites
 * the comment, so that it shows the entry, or an empty box if the request was refused.
 */
@Injectable()
export class CheckboxTrigger {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly requests: UserRequests,
    private readonly submissions: Submissions,
  ) {}

  async handle(edit: CommentEdited): Promise<void> {
    const { brand } = this.config;
    const wasEmpty = edit.before === null || checkboxIn(brand, edit.before) === 'empty';
    if (!wasEmpty || checkboxIn(brand, edit.body) !== 'ticked') return;
    const pullRequest = await this.requests.locate(edit.repositoryId, edit.number);
    if (pullRequest === null) return;
    // If the service does not know its own login, the marker in the comment is enough, because ticking a box needs
    // write permission anyway.
    if ((await pullRequest.people.isOwnLogin(edit.author)) === false) return;
    await this.requests.authorizeAndRun(this.requestOf(edit), pullRequest);
  }

  private requestOf({ number, commentId, editedAt, editor, isBot }: CommentEdited): UserRequest {
    const trigger: Trigger = { type: 'checkbox', commentId, editedAt };
    const dueAt = this.clock.now().getTime();
    const rewrite: PullRequestTask = {
      type: 'updatePullRequestView',
      number,
      dueAt,
      overwrittenBy: triggerId(trigger),
    };
    return {
      login: editor,
      isBot,
      askedAt: new Date(editedAt),
      isEnabledFor: ({ commentsEnabled }) => commentsEnabled,
      answers: (refusal) => [{ type: 'answerTrigger', number, trigger, refusal }, rewrite],
      run: (queue, seen, requester) => this.submissions.submit(queue, seen, {}, requester),
    };
  }
}
