import { Module } from '@nestjs/common';
import { CodeHostsModule } from '../code-hosts/code-hosts.module';
import { QueueProcessingModule } from '../queue-processing/queue-processing.module';
import { SharedModule } from '../shared/shared.module';
import { QueueCancellationService } from './queue-cancellation.service';
import { QueueCreationService } from './queue-creation.service';
import { QueuesController } from './queues.controller';
import { QueuesService } from './queues.service';

@Module({
  imports: [CodeHostsModule, QueueProcessingModule, SharedModule],
  controllers: [QueuesController],
  providers: [QueuesService, QueueCreationService, QueueCancellationService],
  exports: [QueuesService],
})
export class QueuesModule {}
