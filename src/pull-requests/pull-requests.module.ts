import { Module } from '@nestjs/common';
import { CodeHostsModule } from '../code-hosts/code-hosts.module';
import { QueueProcessingModule } from '../queue-processing/queue-processing.module';
import { SharedModule } from '../shared/shared.module';
import { ImpactedTargetsService } from './impacted-targets.service';
import { PullRequestReader } from './pull-request-reader';
import { PullRequestsController } from './pull-requests.controller';
import { PullRequestsService } from './pull-requests.service';
import { StatusesController } from './statuses.controller';
import { StatusesService } from './statuses.service';
import { TestingDetailsService } from './testing-details.service';

@Module({
  imports: [CodeHostsModule, QueueProcessingModule, SharedModule],
  controllers: [PullRequestsController, StatusesController],
  providers: [PullRequestsService, PullRequestReader, ImpactedTargetsService, TestingDetailsService, StatusesService],
  exports: [PullRequestsService, PullRequestReader],
})
export class PullRequestsModule {}
