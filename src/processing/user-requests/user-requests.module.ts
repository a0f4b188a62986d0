import { Module } from '@nestjs/common';
import { CodeHostsModule } from '../../code-hosts/code-hosts.module';
import { DecisionsModule } from '../decisions/decisions.module';
import { UserRequests } from './authorize';
import { CheckboxTrigger } from './checkbox-trigger';
import { CommentCommands } from './comment-command';
import { HeadAges } from './head-ages';
import { LabelTrigger } from './label-trigger';
import { RequestedQueues } from './requested-queue';
import { SubmitPrompt } from './submit-prompt';
import { UserEventRouter } from './user-event-router';

@Module({
  imports: [CodeHostsModule, DecisionsModule],
  providers: [
    RequestedQueues,
    UserRequests,
    HeadAges,
    CommentCommands,
    LabelTrigger,
    CheckboxTrigger,
    SubmitPrompt,
    UserEventRouter,
  ],
  exports: [UserEventRouter],
})
export class UserRequestsModule {}
