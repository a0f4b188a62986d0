import { Module } from '@nestjs/common';
import { CodeHostsModule } from '../code-hosts/code-hosts.module';
import { ProcessingModule } from '../processing/processing.module';
import { SharedModule } from '../shared/shared.module';
import { CommandedQueues } from './comment-commands/commanded-queue';
import { CommentCommands } from './comment-commands/comment-commands';
import { ImpactedTargetsService } from './impacted-targets.service';
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
    CommandedQueues,
    CommentCommands,
    ImpactedTargetsService,
    TestingDetailsService,
    StatusesService,
  ],
})
export class PullRequestsModule {}
