import { Module } from '@nestjs/common';
import { CodeHostsModule } from '../../code-hosts/code-hosts.module';
import { DecisionsModule } from '../../processing/decisions/decisions.module';
import { ViewsModule } from '../views/views.module';
import { SharedModule } from '../shared/shared.module';
import { QueueCancellationService } from './queue-cancellation.service';
import { QueueCreationService } from './queue-creation.service';
import { QueueEventsController } from './queue-events.controller';
import { QueuesController } from './queues.controller';
import { HistoryReader } from './replay/history-reader';
import { ReplayController } from './replay/replay.controller';
import { SettingsPreviewService } from './settings-preview.service';
import { QueuesService } from './queues.service';

@Module({
  imports: [CodeHostsModule, DecisionsModule, ViewsModule, SharedModule],
  controllers: [QueuesController, QueueEventsController, ReplayController],
  providers: [QueuesService, QueueCreationService, QueueCancellationService, HistoryReader, SettingsPreviewService],
  exports: [QueuesService, QueueCreationService, QueueCancellationService, SettingsPreviewService],
})
export class QueuesModule {}
