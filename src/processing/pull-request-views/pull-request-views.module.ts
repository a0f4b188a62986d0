import { Global, Module } from '@nestjs/common';
import { DecisionsModule } from '../decisions/decisions.module';
import { ForecastsModule } from '../forecasts/forecasts.module';
import { PullRequestViewRenderer } from '../outbox/pull-request-view';
import { QueuePullRequestViewRenderer } from './pull-request-view-renderer';

@Global()
@Module({
  imports: [DecisionsModule, ForecastsModule],
  providers: [{ provide: PullRequestViewRenderer, useClass: QueuePullRequestViewRenderer }],
  exports: [PullRequestViewRenderer],
})
export class PullRequestViewsModule {}
