import { Global, Module } from '@nestjs/common';
import { CodeHostsModule } from '../../code-hosts/code-hosts.module';
import { QueueOutcomes } from '../outbox/queue-outcomes';
import { TaskHandover } from '../outbox/task-handover';
import { PullRequestViewRenderer } from '../outbox/pull-request-view';
import { DueQueues } from './due-queues';
import { NeedsReader } from './needs-reader';
import { ForecastKeeper } from '../forecasts/forecast-keeper';
import { ForecastReader } from '../forecasts/forecast-reader';
import { PullRequestLogWriter } from './pull-request-log-writer';
import { QueuePullRequestViewRenderer } from '../pull-request-views/pull-request-view-renderer';
import { QueueProcessor } from './queue-processor';
import { QueueTicker } from './queue-ticker';
import { SnapshotLoader } from './store/snapshot-loader';
import { StateMessages } from './state-messages';
import { Submissions } from './submissions';
import { WorkflowWarnings } from './workflow-warnings';
import { ViewFactsReader } from './view-facts-reader';

@Global()
@Module({
  imports: [CodeHostsModule],
  providers: [
    SnapshotLoader,
    QueueProcessor,
    TaskHandover,
    DueQueues,
    QueueTicker,
    Submissions,
    WorkflowWarnings,
    NeedsReader,
    ViewFactsReader,
    StateMessages,
    ForecastKeeper,
    PullRequestLogWriter,
    ForecastReader,
    { provide: PullRequestViewRenderer, useClass: QueuePullRequestViewRenderer },
    { provide: QueueOutcomes, useExisting: QueueProcessor },
  ],
  exports: [
    ForecastReader,
    QueueProcessor,
    QueueTicker,
    NeedsReader,
    SnapshotLoader,
    StateMessages,
    Submissions,
    PullRequestViewRenderer,
    QueueOutcomes,
    TaskHandover,
  ],
})
export class QueueProcessingModule {}
