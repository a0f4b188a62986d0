import { Module } from '@nestjs/common';
import { CodeHostsModule } from '../code-hosts/code-hosts.module';
import { ProcessingModule } from '../processing/processing.module';
import { SharedModule } from '../shared/shared.module';
import { CommentCommands } from './comment-commands/comment-commands';
import { BoxCommands } from './gestures/box-commands';
import { Invitations } from './gestures/invitations';
import { LabelCommands } from './gestures/label-commands';
import { ImpactedTargetsService } from './impacted-targets.service';
import { PetitionedQueues } from './petitions/petitioned-queue';
import { Petitions } from './petitions/petitions';
import { PullRequestReader } from './pull-request-reader';
import { PullRequestsController } from './pull-requests.controller';
import { PullRequestsService } from './pull-requests.service';
import { StatusesController } from './statuses.controller';
import { StatusesService } from './statuses.service';
import { Submissions } from './submissions';
import { TestingDetailsService } from './testing-details.service';

@Module({
  imports: [CodeHostsModule, ProcessingModule, SharedModule],
  controllers: [PullRequestsController, StatusesController],
  providers: [
    PullRequestsService,
    Submissions,
    PullRequestReader,
    PetitionedQueues,
    Petitions,
    CommentCommands,
    LabelCommands,
    BoxCommands,
    Invitations,
    ImpactedTargetsService,
    TestingDetailsService,
    StatusesService,
  ],
})
export class PullRequestsModule {}
