import { Module } from '@nestjs/common';
import { CodeHostsModule } from '../../code-hosts/code-hosts.module';
import { DecisionsModule } from '../../processing/decisions/decisions.module';
import { ViewsModule } from '../views/views.module';
import { SharedModule } from '../shared/shared.module';
import { CheckRunsController } from './check-runs.controller';
import { CheckRunsService } from './check-runs.service';
import { ImpactedTargetsService } from './impacted-targets.service';
import { KnownTargetsReader } from './known-targets';
import { PullRequestListsController } from './pull-request-lists.controller';
import { PullRequestListsService } from './pull-request-lists.service';
import { PullRequestReader } from './pull-request-reader';
import { PullRequestRecords } from './pull-request-records';
import { PullRequestsController } from './pull-requests.controller';
import { PullRequestsService } from './pull-requests.service';
import { StatusesController } from './statuses.controller';
import { StatusesService } from './statuses.service';
import { TestingDetailsService } from './testing-details.service';
import { TestingResultsService } from './testing-results.service';

@Module({
  imports: [CodeHostsModule, DecisionsModule, ViewsModule, SharedModule],
  controllers: [PullRequestsController, PullRequestListsController, StatusesController, CheckRunsController],
  providers: [
    PullRequestsService,
    PullRequestReader,
    PullRequestRecords,
    PullRequestListsService,
    ImpactedTargetsService,
    KnownTargetsReader,
    TestingDetailsService,
    TestingResultsService,
    StatusesService,
    CheckRunsService,
  ],
  exports: [PullRequestsService, PullRequestReader, PullRequestListsService, CheckRunsService],
})
export class PullRequestsModule {}
