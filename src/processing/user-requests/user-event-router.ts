import { Injectable } from '@nestjs/common';
import type { UserEvent } from '../../domain/host-event';
import { CheckboxTrigger } from './checkbox-trigger';
import { CommentCommands } from './comment-command';
import { LabelTrigger } from './label-trigger';
import { SubmitPrompt } from './submit-prompt';

/** The entry point of this folder, which routes a user event to its handler. Routing an event twice is harmless. */
@Injectable()
export class UserEventRouter {
  constructor(
    private readonly commentCommands: CommentCommands,
    private readonly checkboxTrigger: CheckboxTrigger,
    private readonly labelTrigger: LabelTrigger,
    private readonly submitPrompt: SubmitPrompt,
  ) {}

  route(event: UserEvent): Promise<void> {
    switch (event.type) {
      case 'comment_made':
        return this.commentCommands.handle(event);
      case 'comment_edited':
        return this.checkboxTrigger.handle(event);
      case 'label_set':
        return this.labelTrigger.handle(event);
      case 'pull_request_opened':
        return this.submitPrompt.handle(event);
    }
  }
}
