import { Global, Module } from '@nestjs/common';
import { CodeHostsModule } from '../../code-hosts/code-hosts.module';
import { QueueOutcomes } from '../outbox/queue-outcomes';
import { TaskHandover } from '../outbox/task-handover';
import { DueQueues } from './due-queues';
import { NeedsReader } from './needs-reader';
import { PullRequestLogWriter } from './pull-request-log-writer';
import { QueueProcessor } from './queue-processor';
import { QueueScheduler } from './queue-scheduler';
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
    QueueScheduler,
    Submissions,
    WorkflowWarnings,
    NeedsReader,
    ViewFactsReader,
    StateMessages,
    PullRequestLogWriter,
    { provide: QueueOutcomes, useExisting: QueueProcessor },
  ],
  exports: [
    QueueProcessor,
    QueueScheduler,
    NeedsReader,
    SnapshotLoader,
    StateMessages,
    Submissions,
    QueueOutcomes,
    TaskHandover,
    ViewFactsReader,
  ],
})
export class DecisionsModule {}
